// SPDX-License-Identifier: Apache-2.0
// Goal: heaps that UCX can map are reached by loads and stores, all others by message, and the
// order of data and signal holds. Method: the messages go to a stand-in that writes down what it is
// asked; what is stored is read by its owner.
#include "makespan/pgas/transport/ucx/detail/ucx_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "ucx_heap_fixture.hpp"

namespace makespan::pgas {
namespace {

class UcxMemoryTest : public UcxHeapTest {
 protected:
  void SetUp() override {
    open_all(RmaUse::automatic);
    ASSERT_NE(memory, nullptr);
  }
  void TearDown() override { close_all(); }

  // Whether the heap of next() is mapped here; an image's own heap goes the same way.
  [[nodiscard]] bool is_mapped() const { return expects_mapping() && job->images() > 1; }
};

TEST_F(UcxMemoryTest, Heap_is_zeroed_and_of_the_size_asked_for) {
  auto const heap = transport->own_heap();

  EXPECT_EQ(heap.size(), std::size_t{1} << 20);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(heap.data()) % 4096, 0U);
  EXPECT_TRUE(std::ranges::all_of(heap, [](std::byte b) { return b == std::byte{0}; }));
}

TEST_F(UcxMemoryTest, Put_stores_where_the_heap_is_mapped_and_sends_elsewhere) {
  if (job->images() == 1) GTEST_SKIP() << "needs another image";
  std::vector<std::byte> const data(1000, static_cast<std::byte>(1 + job->image().value()));

  EXPECT_EQ(memory->put(next(), 5000, data, &done), StartOutcome::started);
  EXPECT_EQ(memory->put(next(), 0, std::span(data).first(3), nullptr), StartOutcome::started);

  meet_all();
  auto const written = transport->own_heap().subspan(5000, 1000);
  if (is_mapped()) {
    EXPECT_EQ(done.completed, 1);
    EXPECT_TRUE(by_messages.asked.empty());
    EXPECT_TRUE(std::ranges::all_of(
        written, [&](std::byte b) { return b == static_cast<std::byte>(1 + previous()); }));
    EXPECT_EQ(transport->own_heap()[4999], std::byte{0});
    EXPECT_EQ(transport->own_heap()[6000], std::byte{0});
  } else {
    EXPECT_EQ(done.completed, 0);
    ASSERT_EQ(by_messages.asked.size(), 2U);
    EXPECT_EQ(by_messages.asked[0], std::pair(std::string("put"), std::size_t{1000}));
  }
  meet_all();
}

TEST_F(UcxMemoryTest, Get_loads_where_the_heap_is_mapped_and_asks_elsewhere) {
  if (job->images() == 1) GTEST_SKIP() << "needs another image";
  auto const mine = transport->own_heap().subspan(64, 777);
  std::ranges::fill(mine, static_cast<std::byte>(1 + job->image().value()));
  meet_all();

  std::vector<std::byte> destination(777);
  std::uint64_t word = 0;
  EXPECT_EQ(memory->get(next(), 64, destination, done), StartOutcome::started);
  EXPECT_EQ(memory->get(next(), 64, std::as_writable_bytes(std::span(&word, 1)), done),
            StartOutcome::started);

  auto const theirs = static_cast<std::byte>(1 + next().value());
  if (is_mapped()) {
    EXPECT_EQ(done.completed, 2);
    EXPECT_EQ(done.answer_bytes, 0U);
    EXPECT_TRUE(std::ranges::all_of(destination, [&](std::byte b) { return b == theirs; }));
    EXPECT_EQ(word, 0x0101'0101'0101'0101U * static_cast<std::uint64_t>(theirs));
  } else {
    EXPECT_EQ(by_messages.asked.size(), 2U);
  }
  meet_all();
}

// The owner sees a word of 8 bytes whole, and data before the word that was put after it.
TEST_F(UcxMemoryTest, Put_of_a_word_is_seen_whole) {
  if (!is_mapped()) GTEST_SKIP() << "nothing is mapped";
  constexpr int rounds = 2000;
  auto* const word = reinterpret_cast<std::uint64_t*>(transport->own_heap().data());
  std::jthread const writer([&] {
    for (int round = 1; round <= rounds; ++round) {
      std::uint64_t const value = 0x0001'0000'0000'0001U * static_cast<std::uint64_t>(round);
      EXPECT_EQ(memory->put(next(), 0, std::as_bytes(std::span(&value, 1)), nullptr),
                StartOutcome::started);
    }
  });

  std::uint64_t seen = 0;
  while ((seen & 0xffffU) != rounds) {
    seen = std::atomic_ref(*word).load();
    ASSERT_EQ(seen >> 48U, seen & 0xffffU);
  }
  meet_all();
}

TEST_F(UcxMemoryTest, Put_signal_stores_its_data_and_sends_the_signal) {
  if (job->images() == 1) GTEST_SKIP() << "needs another image";
  std::vector<std::byte> const data(500, std::byte{9});
  SignalRequest const signal{.op = AtomicOp::add, .offset = 0, .operand = 1};

  by_messages.busy = true;
  EXPECT_EQ(memory->put_signal(next(), 4096, data, signal, &done), StartOutcome::busy);
  by_messages.busy = false;
  EXPECT_EQ(memory->put_signal(next(), 4096, data, signal, &done), StartOutcome::started);

  meet_all();
  ASSERT_EQ(by_messages.asked.size(), 2U);
  EXPECT_EQ(by_messages.asked[1].first, "put_signal");
  EXPECT_EQ(by_messages.asked[1].second, is_mapped() ? 0U : 500U);
  EXPECT_EQ(done.completed, 0);
  EXPECT_EQ(transport->own_heap()[4096], is_mapped() ? std::byte{9} : std::byte{0});
  meet_all();
}

TEST_F(UcxMemoryTest, Atomics_and_waits_go_by_message) {
  EXPECT_EQ(memory->atomic(next(), {.op = AtomicOp::add}, &done), StartOutcome::started);
  memory->forget(done);
  memory->abandon(next());

  ASSERT_EQ(by_messages.asked.size(), 3U);
  EXPECT_EQ(by_messages.asked[0].first, "atomic");
  EXPECT_EQ(by_messages.asked[1].first, "forget");
  EXPECT_EQ(by_messages.asked[2].first, "abandon");
  EXPECT_EQ(memory->poll(), 3);
  EXPECT_EQ(memory->operation_bytes_max(), 1000);
}

TEST_F(UcxMemoryTest, Flush_waits_for_messages) {
  EXPECT_TRUE(memory->is_flushed(next()));
  by_messages.flushed = false;
  EXPECT_FALSE(memory->is_flushed(next()));
}

TEST_F(UcxMemoryTest, Memory_without_own_heap_is_left_to_messages) {
  UcxTransport without(*job, {});
  auto other = without.open_link_all(0, LinkThreading::serialized);

  EXPECT_TRUE(without.own_heap().empty());
  EXPECT_EQ(without.open_memory_all(LinkThreading::serialized, *other, by_messages), nullptr);

  other.reset();
  without.close_all();
}

}  // namespace
}  // namespace makespan::pgas
