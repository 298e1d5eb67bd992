// SPDX-License-Identifier: Apache-2.0
// Goal: operations that found no memory leave no trace: later ones find the way to a heap, room to
// begin, and both ways to be timed. Method: allocations of C++ fail during them; the other image is
// a process that UCX reaches by TCP, so that there are ways to choose from.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>
#include <vector>

#include "../../../refused_memory.hpp"
#include "../../../scoped_variable.hpp"
#include "forked_pair.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_rma.hpp"
#include "makespan/pgas/transport/ucx/ucx_transport.hpp"
#include "noted_memory.hpp"

namespace makespan::pgas {
namespace {

constexpr ImageId other{1};

class UcxWithoutMemoryTest : public testing::Test {
 protected:
  explicit UcxWithoutMemoryTest(RmaUse use = RmaUse::automatic)
      : with_heap{.heap_bytes = 1 << 16, .rma = use} {}

  // Whether `use` finds no memory for `bytes` bytes or more.
  template <class Use>
  static bool lacks_memory(std::size_t bytes, Use const& use) {
    bool is_refused = false;
    refused_from_bytes = bytes;
    try {
      static_cast<void>(use());
    } catch (std::bad_alloc const&) {
      is_refused = true;
    }
    refused_from_bytes = nothing_is_refused;
    return is_refused;
  }

  [[nodiscard]] StartOutcome put(std::size_t bytes, Completion* completion) {
    return memory->put(other, 0, std::span(data).first(bytes), completion);
  }

  Counting done;
  std::vector<std::byte> data = std::vector<std::byte>(4000);
  ScopedVariable without_mapping{"UCX_TLS", "tcp,self"};
  UcxOptions with_heap;
  ForkedPair pair{Distance::far, [this](PairJob& job) {
                    UcxTransport theirs(job, with_heap);
                    auto const their_link = theirs.open_link_all(0, LinkThreading::serialized);
                    while (true) ::pause();
                  }};
  UcxTransport transport{pair.job(), with_heap};
  std::unique_ptr<Link> link{transport.open_link_all(0, LinkThreading::serialized)};
  NotedMemory by_messages;
  std::unique_ptr<RemoteMemory> memory{
      transport.open_memory_all(LinkThreading::serialized, *link, by_messages)};
};

TEST_F(UcxWithoutMemoryTest, Heap_is_found_by_the_next_operation) {
  EXPECT_TRUE(lacks_memory(0, [&] { return put(8, &done); }));
  EXPECT_EQ(put(8, &done), StartOutcome::started);
}

// The two ways take turns, messages first; the one by UCX copies the data.
TEST_F(UcxWithoutMemoryTest, Trial_that_could_not_begin_ends) {
  by_messages.answer_after = std::chrono::milliseconds(0);
  ASSERT_EQ(put(4000, &done), StartOutcome::started);
  ASSERT_EQ(done.completed.load(), 1);
  auto const puts = [&] {
    return std::ranges::count(by_messages.asked, "put", [](auto const& ask) { return ask.first; });
  };
  ASSERT_EQ(puts(), 1);

  ASSERT_TRUE(lacks_memory(1000, [&] { return put(4000, nullptr); }));

  // Messages have the turn again: otherwise the trial by UCX would still be under way.
  EXPECT_EQ(put(4000, nullptr), StartOutcome::started);
  EXPECT_EQ(puts(), 2);
}

class UcxRmaWithoutMemoryTest : public UcxWithoutMemoryTest {
 protected:
  UcxRmaWithoutMemoryTest() : UcxWithoutMemoryTest(RmaUse::always) {}
};

TEST_F(UcxRmaWithoutMemoryTest, Operations_that_could_not_begin_leave_their_room) {
  SignalRequest const signal{.op = AtomicOp::add, .offset = 0, .operand = 1};
  std::vector<std::byte> destination(4000);
  ASSERT_EQ(put(8, nullptr), StartOutcome::started);  // the heap is found

  // Each kind more often than there is room for operations.
  for (std::size_t time = 0; time <= UcxRma::operations_max; ++time) {
    ASSERT_TRUE(lacks_memory(1000, [&] { return put(4000, &done); })) << time;
    ASSERT_TRUE(lacks_memory(1000, [&] {
      return memory->put_signal(other, 8, data, signal, &done);
    })) << time;
    ASSERT_TRUE(lacks_memory(1000, [&] { return memory->get(other, 0, destination, done); }))
        << time;
  }

  EXPECT_EQ(put(4000, nullptr), StartOutcome::started);
  EXPECT_EQ(done.completed.load() + done.failed.load(), 0);
}

}  // namespace
}  // namespace makespan::pgas
