// SPDX-License-Identifier: Apache-2.0
#pragma once

// A job of two images without a launcher, one of which a test can kill: the test itself and a
// process that it forks.

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/pgas/job/job.hpp"

namespace makespan::pgas {

enum class Distance : std::uint8_t {
  near,  // the two know that they are on one node
  far,   // they do not
};

// Talks with the other image through a socket.
class PairJob final : public Job {
 public:
  PairJob(int image, Distance distance, int socket)
      : image_{image}, distance_{distance}, socket_{socket} {}
  ~PairJob() override { ::close(socket_); }

  [[nodiscard]] ImageId image() const override { return ImageId{image_}; }
  [[nodiscard]] int images() const override { return 2; }
  [[nodiscard]] std::span<ImageId const> node_images() const override {
    if (distance_ == Distance::near) return all_;
    return std::span(all_).subspan(static_cast<std::size_t>(image_), 1);
  }
  [[nodiscard]] int nodes() const override { return distance_ == Distance::near ? 1 : 2; }
  [[nodiscard]] std::string const& host(ImageId image) const override {
    return hosts_[distance_ == Distance::near ? 0 : static_cast<std::size_t>(image.value())];
  }
  [[nodiscard]] std::string const& launcher() const override { return hosts_[0]; }

  [[nodiscard]] std::vector<std::vector<std::byte>> exchange_all(
      std::span<std::byte const> mine) override {
    std::uint64_t bytes = mine.size();
    put(std::as_bytes(std::span(&bytes, 1)));
    put(mine);
    take(std::as_writable_bytes(std::span(&bytes, 1)));
    std::vector<std::vector<std::byte>> all(2);
    all[static_cast<std::size_t>(image_)].assign(mine.begin(), mine.end());
    auto& theirs = all[static_cast<std::size_t>(1 - image_)];
    theirs.resize(bytes);
    take(theirs);
    return all;
  }

  [[nodiscard]] std::unique_ptr<NodeMemory> allocate_node_memory_all(std::int64_t) override {
    not_configured("memory of a pair");
  }
  [[nodiscard]] std::unique_ptr<Collectives> world_collectives_all() override {
    not_configured("collectives of a pair");
  }
  [[nodiscard]] std::string loss_of(ImageId image) const override {
    std::scoped_lock const lock(lock_);
    return losses_[static_cast<std::size_t>(image.value())];
  }
  [[nodiscard]] int lost_images() const override {
    std::scoped_lock const lock(lock_);
    return (losses_[0].empty() ? 0 : 1) + (losses_[1].empty() ? 0 : 1);
  }
  void report_loss(ImageId image, std::string const& why) override {
    std::scoped_lock const lock(lock_);
    losses_[static_cast<std::size_t>(image.value())] = why;
  }
  void finish_all() override {}

  // Whether the other image waits in exchange_all().
  [[nodiscard]] bool is_awaited() const {
    pollfd descriptor{.fd = socket_, .events = POLLIN, .revents = 0};
    return ::poll(&descriptor, 1, 0) == 1;
  }

 private:
  void put(std::span<std::byte const> bytes) const {
    while (!bytes.empty()) {
      ssize_t const count = ::write(socket_, bytes.data(), bytes.size());
      if (count <= 0) throw std::runtime_error("the other image is gone");
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
  }
  void take(std::span<std::byte> bytes) const {
    while (!bytes.empty()) {
      ssize_t const count = ::read(socket_, bytes.data(), bytes.size());
      if (count <= 0) throw std::runtime_error("the other image is gone");
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
  }

  int image_;
  Distance distance_;
  int socket_;
  std::array<ImageId, 2> all_{ImageId{0}, ImageId{1}};
  std::array<std::string, 2> hosts_{"here", "there"};
  mutable std::mutex lock_;
  std::array<std::string, 2> losses_;
};

// Image 0 is the test; image 1 runs `other(job)` in a process of its own until that returns or it
// is killed.
class ForkedPair {
 public:
  template <class Other>
  ForkedPair(Distance distance, Other&& other) {
    std::array<int, 2> sockets{};
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, sockets.data()) != 0) {
      throw std::runtime_error("no sockets");
    }
    process_ = ::fork();
    if (process_ < 0) throw std::runtime_error("no process");
    if (process_ == 0) {
      ::close(sockets[0]);
      ::alarm(20);  // whatever happens to the test
      try {
        PairJob job(1, distance, sockets[1]);
        other(job);
      } catch (...) {
        ::_exit(1);
      }
      ::_exit(0);
    }
    ::close(sockets[1]);
    job_ = std::make_unique<PairJob>(0, distance, sockets[0]);
  }
  ForkedPair(ForkedPair const&) = delete;
  ForkedPair& operator=(ForkedPair const&) = delete;
  ~ForkedPair() { kill_other(); }

  [[nodiscard]] PairJob& job() { return *job_; }

  // Returns when it is dead.
  void kill_other() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    static_cast<void>(wait_for_other());
  }

  // Its exit status; -1 if it was killed.
  [[nodiscard]] int wait_for_other() {
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t process_{0};
  std::unique_ptr<PairJob> job_;
};

}  // namespace makespan::pgas
