// SPDX-License-Identifier: Apache-2.0
// Goal: puts and gets by UCX move the right bytes, complete when they can be seen, and the signal
// comes after the data, over whatever UCX takes. Method: real heaps of the job's images; messages
// go to a stand-in; a thread drives progress, as a helper does.
#include "makespan/pgas/transport/ucx/detail/ucx_rma.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "makespan/pgas/transport/ucx/detail/way_table.hpp"
#include "ucx_heap_fixture.hpp"

namespace makespan::pgas {
namespace {

// Nothing is sent.
class NoSink final : public MessageSink {
 public:
  void deliver(WireHeader const&, std::span<std::byte const>) override { ADD_FAILURE(); }
};

class UcxRmaTest : public UcxHeapTest {
 protected:
  void SetUp() override {
    open_all(RmaUse::always);
    drive_progress();
  }
  // As a helper does.
  void drive_progress() {
    progress = std::jthread([this](std::stop_token const& stop) {
      while (!stop.stop_requested()) {
        {
          std::scoped_lock const lock(turns);
          link->poll(sink);
          memory->poll();
        }
        std::this_thread::yield();
      }
    });
  }
  void TearDown() override {
    meet_all();
    progress = {};
    close_all();
  }

  [[nodiscard]] std::byte own_byte() const {
    return static_cast<std::byte>(1 + job->image().value());
  }

  // Begins it as soon as there is room.
  template <class Start>
  void begin(Start const& start) {
    for (;;) {
      {
        std::scoped_lock const lock(turns);
        if (start(*memory) == StartOutcome::started) return;
      }
      std::this_thread::yield();
    }
  }
  // False after ten seconds.
  template <class Condition>
  [[nodiscard]] static bool comes_true(Condition const& condition) {
    auto const limit = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!condition()) {
      if (std::chrono::steady_clock::now() > limit) return false;
      std::this_thread::yield();
    }
    return true;
  }
  // With all that the thread which drives progress has written until now: images meet by messages
  // between processes, by which the thread sanitizer orders nothing.
  [[nodiscard]] std::span<std::byte> own_heap() {
    std::scoped_lock const lock(turns);
    return transport->own_heap();
  }
  [[nodiscard]] bool is_flushed() {
    std::scoped_lock const lock(turns);
    return memory->is_flushed(next());
  }
  [[nodiscard]] std::vector<std::pair<std::string, std::size_t>> asked() {
    std::scoped_lock const lock(turns);
    return by_messages.asked;
  }

  NoSink sink;
  std::mutex turns;
  std::jthread progress;
};

TEST_F(UcxRmaTest, Put_can_be_seen_when_it_is_done) {
  if (job->images() == 1) GTEST_SKIP() << "needs another image";
  std::vector<std::byte> const data(60'001, own_byte());

  begin([&](RemoteMemory& to) { return to.put(next(), 5000, data, &done); });
  ASSERT_TRUE(comes_true([&] { return done.completed.load() == 1; }));

  meet_all();
  auto const heap = own_heap();
  auto const theirs = static_cast<std::byte>(1 + previous());
  EXPECT_TRUE(
      std::ranges::all_of(heap.subspan(5000, 60'001), [&](std::byte b) { return b == theirs; }));
  EXPECT_EQ(heap[4999], std::byte{0});
  EXPECT_EQ(heap[65'001], std::byte{0});
  EXPECT_TRUE(asked().empty()) << "no message";
}

// The data may be reused at once.
TEST_F(UcxRmaTest, Puts_that_no_thread_waits_for_can_be_seen_after_a_flush) {
  if (job->images() == 1) GTEST_SKIP() << "needs another image";
  constexpr std::size_t puts = 600;  // more than there are operations
  std::uint64_t value = 0;
  for (std::size_t at = 0; at < puts; ++at) {
    value = 1000 * static_cast<std::uint64_t>(1 + job->image().value()) + at;
    begin([&](RemoteMemory& to) {
      return to.put(next(), 8 * at, std::as_bytes(std::span(&value, 1)), nullptr);
    });
  }
  value = 0;

  ASSERT_TRUE(comes_true([&] { return is_flushed(); }));

  meet_all();
  auto const* const words = reinterpret_cast<std::uint64_t const*>(own_heap().data());
  for (std::size_t at = 0; at < puts; ++at) {
    EXPECT_EQ(words[at], 1000 * static_cast<std::uint64_t>(1 + previous()) + at);
  }
}

TEST_F(UcxRmaTest, Get_brings_what_is_there) {
  if (job->images() == 1) GTEST_SKIP() << "needs another image";
  std::ranges::fill(own_heap().subspan(64, 40'000), own_byte());
  meet_all();
  std::vector<std::byte> destination(40'002);

  begin([&](RemoteMemory& to) { return to.get(next(), 63, destination, done); });
  ASSERT_TRUE(comes_true([&] { return done.completed.load() == 1; }));

  auto const theirs = static_cast<std::byte>(1 + next().value());
  EXPECT_EQ(destination.front(), std::byte{0});
  EXPECT_EQ(destination.back(), std::byte{0});
  EXPECT_TRUE(std::ranges::all_of(std::span(destination).subspan(1, 40'000),
                                  [&](std::byte b) { return b == theirs; }));
}

// The signal is a message, which is asked for when the data can be seen: over any transport.
TEST_F(UcxRmaTest, Signal_is_sent_after_the_data_can_be_seen) {
  if (job->images() == 1) GTEST_SKIP() << "needs another image";
  std::vector<std::byte> const data(50'000, own_byte());
  SignalRequest const signal{.op = AtomicOp::add, .offset = 0, .operand = 1};
  {
    std::scoped_lock const lock(turns);
    by_messages.busy = true;
  }
  begin([&](RemoteMemory& to) { return to.put_signal(next(), 4096, data, signal, &done); });
  ASSERT_TRUE(comes_true([&] { return !asked().empty(); })) << "it is tried";
  EXPECT_FALSE(is_flushed()) << "the signal has found no room yet";
  auto const theirs = static_cast<std::byte>(1 + previous());
  auto const is_there = [&] {
    return std::ranges::all_of(own_heap().subspan(4096, 50'000),
                               [&](std::byte b) { return b == theirs; });
  };
  meet_all();
  EXPECT_TRUE(is_there()) << "before any signal has been sent";
  meet_all();
  {
    std::scoped_lock const lock(turns);
    by_messages.busy = false;
  }
  ASSERT_TRUE(comes_true([&] { return is_flushed(); }));

  EXPECT_EQ(asked().back(), std::pair(std::string("put_signal"), std::size_t{0}));
}

TEST_F(UcxRmaTest, What_is_abandoned_fails_and_leaves_room) {
  if (job->images() == 1) GTEST_SKIP() << "needs another image";
  std::vector<std::byte> const data(60'000, own_byte());
  // The way is known then, and puts begin.
  Counting first;
  begin([&](RemoteMemory& to) { return to.put(next(), 0, data, &first); });
  ASSERT_TRUE(comes_true([&] { return first.completed.load() == 1; }));
  std::size_t begun = 0;
  {
    std::scoped_lock const lock(turns);  // no progress meanwhile
    while (begun < 1000 && memory->put(next(), 0, data, &done) == StartOutcome::started) ++begun;
    memory->abandon(next());
  }

  ASSERT_GT(begun, 0U);
  EXPECT_EQ(static_cast<std::size_t>(done.completed.load() + done.failed.load()), begun);
  // What is stored into mapped memory is done when it has begun; no other put ends without
  // progress.
  if (!expects_mapping()) {
    EXPECT_EQ(static_cast<std::size_t>(done.failed.load()), begun);
  }
  // As if it were another image: the others are not held up.
  Counting later;
  begin([&](RemoteMemory& to) { return to.put(next(), 0, data, &later); });
  EXPECT_TRUE(comes_true([&] { return later.completed.load() + later.failed.load() == 1; }));
  meet_all();
}

TEST_F(UcxRmaTest, What_is_forgotten_is_not_called_nor_written) {
  if (job->images() == 1) GTEST_SKIP() << "needs another image";
  std::ranges::fill(own_heap(), own_byte());
  meet_all();
  std::vector<std::byte> destination(60'000, std::byte{77});
  {
    std::scoped_lock const lock(turns);  // no progress between the two
    while (memory->get(next(), 0, destination, done) != StartOutcome::started) memory->poll();
    memory->forget(done);
  }
  int const completed = done.completed.load();
  if (!expects_mapping()) {
    EXPECT_EQ(completed, 0) << "without progress";
  }

  meet_all();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));

  EXPECT_EQ(done.completed.load(), completed);
  if (completed == 0) {
    EXPECT_TRUE(std::ranges::all_of(destination, [](std::byte b) { return b == std::byte{77}; }));
  }
}

// An operation that its future has left holds itself until then.
TEST_F(UcxRmaTest, What_is_under_way_is_over_when_the_memory_goes) {
  if (job->images() == 1) GTEST_SKIP() << "needs another image";
  std::vector<std::byte> const data(60'000, own_byte());
  // So that all are connected: a connection that is being made at the end is another case.
  Counting first;
  begin([&](RemoteMemory& to) { return to.put(next(), 0, data, &first); });
  ASSERT_TRUE(comes_true([&] { return first.completed.load() == 1; }));
  meet_all();
  progress = {};
  while (memory->put(next(), 0, data, &done) != StartOutcome::started) link->poll(sink);

  memory.reset();

  EXPECT_EQ(done.completed.load() + done.failed.load(), 1);
}

// Messages answer after five milliseconds, which is long for any transport: after the first
// operations of a size no more are sent. Where heaps are mapped there is nothing to choose.
class UcxChosenWayTest : public UcxRmaTest {
 protected:
  void SetUp() override {
    by_messages.answer_after = std::chrono::milliseconds(5);
    open_all(RmaUse::automatic);
    drive_progress();
  }
};

TEST_F(UcxChosenWayTest, Automatic_takes_the_faster_way_after_the_first_operations) {
  if (job->images() == 1 || expects_mapping()) GTEST_SKIP() << "no way to choose";
  std::vector<std::byte> data(4096, own_byte());
  constexpr int operations = 60;
  for (int turn = 1; turn <= operations; ++turn) {
    begin([&](RemoteMemory& to) { return to.put(next(), 0, data, &done); });
    ASSERT_TRUE(comes_true([&] { return done.completed.load() == turn; }));
  }

  EXPECT_EQ(asked().size(), static_cast<std::size_t>(WayTable::times_wanted));
}

TEST_F(UcxChosenWayTest, Automatic_learns_on_after_an_operation_that_was_forgotten) {
  if (job->images() == 1 || expects_mapping()) GTEST_SKIP() << "no way to choose";
  std::vector<std::byte> data(4096, own_byte());
  Counting left;
  by_messages.answer_after.reset();
  begin([&](RemoteMemory& to) { return to.put(next(), 0, std::span(data).first(64), &left); });
  {
    std::scoped_lock const lock(turns);
    memory->forget(left);
  }
  by_messages.answer_after = std::chrono::milliseconds(5);
  std::size_t const before = asked().size();
  constexpr int operations = 60;
  for (int turn = 1; turn <= operations; ++turn) {
    begin([&](RemoteMemory& to) { return to.put(next(), 0, data, &done); });
    ASSERT_TRUE(comes_true([&] { return done.completed.load() == turn; }));
  }

  EXPECT_EQ(asked().size() - before, static_cast<std::size_t>(WayTable::times_wanted));
  EXPECT_EQ(left.completed.load() + left.failed.load(), 0);
}

}  // namespace
}  // namespace makespan::pgas
