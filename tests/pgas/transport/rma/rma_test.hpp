// SPDX-License-Identifier: Apache-2.0
#pragma once

// A memory of one window, and waiting for what it does.

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "../am/transport_test.hpp"
#include "makespan/pgas/transport/rma/detail/mpi_rma_memory.hpp"
#include "makespan/pgas/transport/rma/rma_transport.hpp"

namespace makespan::pgas {

// Notes how an operation ended. Another thread than the one that waits may call it.
class Note final : public Completion {
 public:
  void complete(std::span<std::byte const> answer) noexcept override {
    bytes.assign(answer.begin(), answer.end());
    ++completed;
    has_ended_ = true;
  }
  void refuse(std::string_view /*text*/) noexcept override {
    ++refused;
    has_ended_ = true;
  }
  void fail(ImageId image) noexcept override {
    lost = image;
    ++failed;
    has_ended_ = true;
  }

  [[nodiscard]] bool has_ended() const { return has_ended_; }

  // Read by the waiting thread once it has ended.
  std::vector<std::byte> bytes;
  std::optional<ImageId> lost;
  int completed{0};
  int refused{0};
  int failed{0};

 private:
  std::atomic<bool> has_ended_{false};
};

// In place of a memory by messages: all goes through the window.
class NoMemory final : public RemoteMemory {
 public:
  StartOutcome put(ImageId /*target*/, std::uint64_t /*offset*/,
                   std::span<std::byte const> /*data*/, Completion* /*done*/) override {
    return refuse();
  }
  StartOutcome put_signal(ImageId /*target*/, std::uint64_t /*offset*/,
                          std::span<std::byte const> /*data*/, SignalRequest const& /*signal*/,
                          Completion* /*done*/) override {
    return refuse();
  }
  StartOutcome get(ImageId /*target*/, std::uint64_t /*offset*/,
                   std::span<std::byte> /*destination*/, Completion& /*done*/) override {
    return refuse();
  }
  StartOutcome atomic(ImageId /*target*/, AtomicRequest const& /*request*/,
                      Completion* /*done*/) override {
    return refuse();
  }
  bool is_flushed(ImageId /*target*/) override { return true; }
  int poll() override { return 0; }
  void forget(Completion& /*done*/) override {}
  void abandon(ImageId /*image*/) override {}

 private:
  static StartOutcome refuse() {
    ADD_FAILURE() << "an operation went by messages";
    return StartOutcome::started;
  }
};

// Begins with `start` until it is taken, and waits for the end.
template <class Start>
[[nodiscard]] bool run_operation(RemoteMemory& memory, Note& note, Start&& start) {
  StartOutcome outcome = start();
  bool const is_started = wait_until([&] { return outcome == StartOutcome::started; },
                                     [&] {
                                       memory.poll();
                                       outcome = start();
                                     });
  bool const has_ended =
      is_started && wait_until([&] { return note.has_ended(); }, [&] { memory.poll(); });
  if (!has_ended) memory.forget(note);
  return has_ended;
}

// The old value. A wait that does not end is a failure of the test, and 0.
inline std::uint64_t run_atomic(RemoteMemory& memory, ImageId target,
                                AtomicRequest const& request) {
  Note note;
  std::uint64_t old = 0;
  EXPECT_TRUE(run_operation(memory, note, [&] { return memory.atomic(target, request, &note); }));
  EXPECT_EQ(note.completed, 1);
  EXPECT_EQ(note.bytes.size(), request.width);
  if (note.bytes.size() == request.width) {
    std::memcpy(&old, note.bytes.data(), request.width);  // the low bytes come first here
  }
  return old;
}

class RmaTest : public TransportTest {
 protected:
  static constexpr std::int64_t heap_bytes = std::int64_t{1} << 20;

  void open_all(RmaOptions const& options = {},
                LinkThreading threading = LinkThreading::serialized) {
    transport = std::make_unique<RmaTransport>(job, heap_bytes, options);
    memory = open_memory_all(threading);
  }

  [[nodiscard]] std::unique_ptr<RemoteMemory> open_memory_all(LinkThreading threading) {
    links.push_back(transport->open_link_all(static_cast<int>(links.size()), threading));
    return transport->open_memory_all(threading, *links.back(), nothing_);
  }

  void close_all() {
    memory.reset();
    links.clear();
    meet_all();
    transport->close_all();
    transport.reset();
  }

  [[nodiscard]] std::uint64_t load(ImageId target, std::uint64_t offset, std::uint8_t width = 8) {
    return run_atomic(*memory, target, {.op = AtomicOp::load, .width = width, .offset = offset});
  }

  [[nodiscard]] std::vector<std::byte> get(ImageId target, std::uint64_t offset,
                                           std::size_t bytes) {
    std::vector<std::byte> destination(bytes);
    Note note;
    EXPECT_TRUE(run_operation(*memory, note,
                              [&] { return memory->get(target, offset, destination, note); }));
    EXPECT_EQ(note.completed, 1);
    EXPECT_TRUE(note.bytes.empty());
    return destination;
  }

  void put(ImageId target, std::uint64_t offset, std::span<std::byte const> data) {
    Note note;
    EXPECT_TRUE(
        run_operation(*memory, note, [&] { return memory->put(target, offset, data, &note); }));
    EXPECT_EQ(note.completed, 1);
    EXPECT_TRUE(note.bytes.empty());
  }

  void flush(ImageId target) {
    EXPECT_TRUE(wait_until([&] { return memory->is_flushed(target); }, [&] { memory->poll(); }));
  }

  std::unique_ptr<RmaTransport> transport;
  std::vector<std::unique_ptr<Link>> links;
  std::unique_ptr<RemoteMemory> memory;

 private:
  NoMemory nothing_;
};

}  // namespace makespan::pgas
