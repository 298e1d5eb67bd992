// SPDX-License-Identifier: Apache-2.0
#pragma once

// Images without processes: jobs that say who is lost, and links that keep messages in memory.

#include <sched.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/pgas/job/job.hpp"
#include "makespan/pgas/transport/link.hpp"

namespace makespan::pgas::fake {

inline std::vector<ImageId> images_up_to(int images) {
  std::vector<ImageId> ids;
  for (int image = 0; image < images; ++image) ids.emplace_back(image);
  return ids;
}

// Knows who is there, and does nothing collective.
class FakeJob final : public Job {
 public:
  FakeJob(ImageId image, int images, std::vector<ImageId> mates)
      : image_{image}, mates_{std::move(mates)}, losses_(checked_cast<std::size_t>(images)) {}

  ImageId image() const override { return image_; }
  int images() const override { return static_cast<int>(losses_.size()); }
  std::span<ImageId const> node_images() const override { return mates_; }
  int nodes() const override { return 1; }
  std::string const& host(ImageId) const override { return name_; }
  std::string const& launcher() const override { return name_; }
  std::vector<std::vector<std::byte>> exchange_all(std::span<std::byte const>) override {
    throw std::logic_error("a fake job does not exchange");
  }
  std::unique_ptr<NodeMemory> allocate_node_memory_all(std::int64_t) override {
    throw std::logic_error("a fake job has no memory");
  }
  std::unique_ptr<Collectives> world_collectives_all() override {
    throw std::logic_error("a fake job has no collectives");
  }
  std::string loss_of(ImageId image) const override {
    std::scoped_lock const lock(mutex_);
    return losses_[checked_cast<std::size_t>(image.value())];
  }
  int lost_images() const override { return lost_; }
  void report_loss(ImageId image, std::string const& why) override {
    std::scoped_lock const lock(mutex_);
    losses_[checked_cast<std::size_t>(image.value())] = why;
    ++lost_;
  }
  void finish_all() override {}

 private:
  ImageId image_;
  std::vector<ImageId> mates_;
  std::string name_{"fake"};
  mutable std::mutex mutex_;
  std::vector<std::string> losses_;
  std::atomic<int> lost_{0};
};

struct FakeMessage {
  WireHeader header;
  std::vector<std::byte> payload;
};

// What is on its way between images, and how much of it there may be.
class FakeNetwork {
 public:
  static constexpr std::int64_t payload_bytes_max = 256;

  explicit FakeNetwork(int images)
      : images_{images}, ways_(square(images)), events_(images_up(images)) {
    for (int& event : events_) event = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  }
  FakeNetwork(FakeNetwork const&) = delete;
  FakeNetwork& operator=(FakeNetwork const&) = delete;
  ~FakeNetwork() {
    for (int const event : events_) ::close(event);
  }

  // From one image to another: a link is busy when so many messages are under way. 0: always.
  std::atomic<std::size_t> room{1000};
  // Links throw this when they are polled.
  std::atomic<char const*> trouble{nullptr};
  // How often links were polled.
  std::atomic<int> polls{0};
  // On which processor they were polled last.
  std::atomic<int> processor{-1};

  [[nodiscard]] bool send(ImageId from, ImageId to, FakeMessage message) {
    std::scoped_lock const lock(mutex_);
    auto& way = ways_[index(from, to)];
    if (way.size() >= room) return false;
    way.push_back(std::move(message));
    std::uint64_t const one = 1;
    if (::write(events_[checked_cast<std::size_t>(to.value())], &one, sizeof one) < 0) return true;
    return true;
  }

  [[nodiscard]] bool receive(ImageId from, ImageId to, FakeMessage& message) {
    std::scoped_lock const lock(mutex_);
    auto& way = ways_[index(from, to)];
    if (way.empty()) return false;
    message = std::move(way.front());
    way.pop_front();
    return true;
  }

  // Messages under way.
  [[nodiscard]] std::size_t count(ImageId from, ImageId to) const {
    std::scoped_lock const lock(mutex_);
    return ways_[index(from, to)].size();
  }
  [[nodiscard]] std::deque<FakeMessage> const& way(ImageId from, ImageId to) const {
    return ways_[index(from, to)];
  }

  // Whether anything waits for `to`; silences its event.
  [[nodiscard]] bool arm(ImageId to) {
    std::uint64_t events = 0;
    static_cast<void>(
        !::read(events_[checked_cast<std::size_t>(to.value())], &events, sizeof events));
    for (int from = 0; from < images_; ++from) {
      if (count(ImageId{from}, to) > 0) return false;
    }
    return true;
  }
  [[nodiscard]] int event(ImageId to) const {
    return events_[checked_cast<std::size_t>(to.value())];
  }
  [[nodiscard]] int images() const { return images_; }

 private:
  static std::size_t square(int images) { return checked_cast<std::size_t>(images * images); }
  static std::size_t images_up(int images) { return checked_cast<std::size_t>(images); }
  [[nodiscard]] std::size_t index(ImageId from, ImageId to) const {
    return checked_cast<std::size_t>(from.value() * images_ + to.value());
  }

  int images_;
  mutable std::mutex mutex_;
  std::vector<std::deque<FakeMessage>> ways_;  // by source and target
  std::vector<int> events_;                    // by target
};

enum class Events { none, some };

class FakeLink final : public Link {
 public:
  FakeLink(FakeNetwork& network, ImageId here, Events events = Events::none)
      : network_{network}, here_{here}, events_{events} {}

  SendOutcome send(ImageId to, WireHeader const& header,
                   std::span<std::byte const> payload) override {
    MAKESPAN_EXPECT(std::ssize(payload) <= payload_bytes_max());
    if (abandoned_.contains(to)) return SendOutcome::sent;
    bool const sent =
        network_.send(here_, to, {header, std::vector<std::byte>(payload.begin(), payload.end())});
    return sent ? SendOutcome::sent : SendOutcome::busy;
  }

  int poll(MessageSink& sink) override {
    ++network_.polls;
    network_.processor = ::sched_getcpu();
    if (char const* const trouble = network_.trouble) throw std::runtime_error(trouble);
    int delivered = 0;
    for (ImageId const from : images_up_to(network_.images())) {
      FakeMessage message;
      if (abandoned_.contains(from) || !network_.receive(from, here_, message)) continue;
      sink.deliver(message.header, message.payload);
      ++delivered;
    }
    return delivered;
  }

  std::int64_t payload_bytes_max() const override { return FakeNetwork::payload_bytes_max; }
  bool is_drained() const override { return true; }
  int event_descriptor() const override {
    return events_ == Events::some ? network_.event(here_) : -1;
  }
  bool arm() override { return events_ == Events::some && network_.arm(here_); }
  void abandon(ImageId image) override { abandoned_.insert(image); }

 private:
  FakeNetwork& network_;
  ImageId here_;
  Events events_;
  std::set<ImageId> abandoned_;
};

}  // namespace makespan::pgas::fake
