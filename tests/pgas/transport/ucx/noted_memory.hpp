// SPDX-License-Identifier: Apache-2.0
#pragma once

// A stand-in for memory by messages, and for a thread that waits.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "makespan/pgas/transport/remote_memory.hpp"

namespace makespan::pgas {

// Begins everything that it is asked, unless it is told to be busy.
class NotedMemory final : public RemoteMemory {
 public:
  StartOutcome put(ImageId, std::uint64_t, std::span<std::byte const> data,
                   Completion* done) override {
    StartOutcome const outcome = note("put", data.size());
    if (answer_after && done != nullptr && outcome == StartOutcome::started) {
      std::this_thread::sleep_for(*answer_after);
      done->complete({});
    }
    return outcome;
  }
  StartOutcome put_signal(ImageId, std::uint64_t, std::span<std::byte const> data,
                          SignalRequest const&, Completion* done) override {
    signal_done = done;
    return note("put_signal", data.size());
  }
  StartOutcome get(ImageId, std::uint64_t, std::span<std::byte> destination, Completion&) override {
    return note("get", destination.size());
  }
  StartOutcome atomic(ImageId, AtomicRequest const&, Completion*) override {
    return note("atomic", 0);
  }
  bool is_flushed(ImageId) override { return flushed; }
  int poll() override { return 3; }
  std::int64_t operation_bytes_max() const override { return 1000; }
  void forget(Completion&) override { note("forget", 0); }
  void abandon(ImageId) override { note("abandon", 0); }

  bool flushed{true};
  bool busy{false};
  std::optional<std::chrono::milliseconds> answer_after{};  // of puts; never
  std::vector<std::pair<std::string, std::size_t>> asked;
  Completion* signal_done{};  // of the last signal

 private:
  StartOutcome note(std::string const& what, std::size_t bytes) {
    asked.emplace_back(what, bytes);
    return busy ? StartOutcome::busy : StartOutcome::started;
  }
};

class Counting final : public Completion {
 public:
  void complete(std::span<std::byte const> answer) noexcept override {
    answer_bytes = answer.size();
    ++completed;  // last: a test that waits for it ends, and this with it
  }
  void refuse(std::string_view) noexcept override {}
  void fail(ImageId image) noexcept override {
    lost = image;
    ++failed;
  }

  std::atomic<int> completed{0};
  std::atomic<int> failed{0};
  ImageId lost{};  // the last time that it failed
  std::size_t answer_bytes{0};
};

// Whether UCX may use shared memory in this run.
inline bool expects_mapping() {
  char const* const allowed = std::getenv("UCX_TLS");
  return allowed == nullptr || std::string(allowed) == "all" ||
         std::string(allowed).find("posix") != std::string::npos;
}

}  // namespace makespan::pgas
