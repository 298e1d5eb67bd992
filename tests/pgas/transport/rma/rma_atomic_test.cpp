// SPDX-License-Identifier: Apache-2.0
// Goal: every atomic does what it says and brings the right old value; none is lost when several
// threads and images work on the word at the same time. Method: single operations against known
// words; then all images, with two threads each, count on words of image 0, and every old value
// must have been seen once.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "rma_test.hpp"

namespace makespan::pgas {
namespace {

constexpr std::uint64_t ones = ~std::uint64_t{0};

struct AtomicCase {
  AtomicOp op;
  std::uint64_t before;
  std::uint64_t operand;
  std::uint64_t compare;
  std::uint64_t after;
};

std::vector<AtomicCase> const cases{
    {AtomicOp::load, 0x1234567890abcdefU, 1, 0, 0x1234567890abcdefU},
    {AtomicOp::store, 7, 0xfedcba9876543210U, 0, 0xfedcba9876543210U},
    {AtomicOp::add, 40, 2, 0, 42},
    {AtomicOp::add, 5, ones, 0, 4},  // minus one
    {AtomicOp::add, ones, 1, 0, 0},
    {AtomicOp::bit_and, 0xff00ff00ff00ff00U, 0x0ff00ff00ff00ff0U, 0, 0x0f000f000f000f00U},
    {AtomicOp::bit_or, 0xf0f0000000000000U, 0x0f0f00000000000fU, 0, 0xffff00000000000fU},
    {AtomicOp::bit_xor, 0xffff0000ffff0000U, 0xff00ff00ff00ff00U, 0, 0x00ffff0000ffff00U},
    {AtomicOp::swap, 11, 12, 0, 12},
    {AtomicOp::compare_swap, 20, 21, 20, 21},
    {AtomicOp::compare_swap, 20, 21, 22, 20},
    {AtomicOp::compare_swap, ones, 1, ones, 1},
};

class RmaAtomicTest : public RmaTest {
 protected:
  // Runs each case on a word of `target` that only this image uses.
  void run_cases(ImageId target, std::uint8_t width) {
    std::uint64_t const mask = width == 4 ? 0xffffffffU : ones;
    std::uint64_t const offset = static_cast<std::uint64_t>(self().value()) * 64 + 12 - width % 8;
    for (AtomicCase const& each : cases) {
      AtomicRequest const prepare{.op = AtomicOp::store,
                                  .width = width,
                                  .offset = aligned(offset, width),
                                  .operand = each.before};
      AtomicRequest const request{.op = each.op,
                                  .width = width,
                                  .offset = aligned(offset, width),
                                  .operand = each.operand,
                                  .compare = each.compare};
      run_atomic(*memory, target, prepare);

      EXPECT_EQ(run_atomic(*memory, target, request), each.before & mask)
          << "operation " << static_cast<int>(each.op);
      EXPECT_EQ(load(target, request.offset, width), each.after & mask)
          << "operation " << static_cast<int>(each.op);
    }
  }

  [[nodiscard]] static std::uint64_t aligned(std::uint64_t offset, std::uint8_t width) {
    return offset / width * width;
  }
};

TEST_F(RmaAtomicTest, Atomic_brings_the_old_value_and_leaves_the_new_one) {
  open_all();
  for (int target = 0; target < images(); ++target) {
    run_cases(ImageId{target}, 8);
    run_cases(ImageId{target}, 4);
    meet_all();
  }
  close_all();
}

TEST_F(RmaAtomicTest, Narrow_atomic_leaves_its_neighbours_alone) {
  open_all();
  std::uint64_t const word = 4096;
  run_atomic(*memory, next(), {.op = AtomicOp::store, .offset = word, .operand = ones});

  run_atomic(*memory, next(), {.op = AtomicOp::add, .width = 4, .offset = word, .operand = 2});

  EXPECT_EQ(load(next(), word), 0xffffffff00000001U);
  close_all();
}

TEST_F(RmaAtomicTest, Atomic_without_completion_is_carried_out) {
  open_all();
  constexpr std::uint64_t times = 1000;
  for (std::uint64_t time = 0; time < times; ++time) {
    AtomicRequest const request{.op = time % 2 == 0 ? AtomicOp::add : AtomicOp::bit_xor,
                                .offset = 0,
                                .operand = time % 2 == 0 ? std::uint64_t{2} : std::uint64_t{1}};
    ASSERT_TRUE(wait_until(
        [&] { return memory->atomic(next(), request, nullptr) == StartOutcome::started; },
        [&] { memory->poll(); }));
  }
  flush(next());

  EXPECT_EQ(load(next(), 0) / 2, times / 2);
  EXPECT_EQ(load(next(), 0) % 2, 0U);
  close_all();
}

// All images and threads add to one word of image 0.
class RmaCounterTest : public RmaTest {
 protected:
  static constexpr int threads = 2;
  static constexpr std::uint64_t times = 100;

  // work(thread, seen): puts each old value that the thread has seen into `seen`.
  template <class Work>
  void expect_each_value_once(Work const& work) {
    std::vector<std::vector<std::uint64_t>> seen(threads);
    {
      std::vector<std::jthread> team;
      for (int thread = 0; thread < threads; ++thread) {
        team.emplace_back([&, thread] { work(thread, seen[static_cast<std::size_t>(thread)]); });
      }
    }
    std::vector<std::uint64_t> all;
    for (auto const& part : seen) {
      // One thread's values grow: the counter never goes back.
      EXPECT_TRUE(std::ranges::is_sorted(part));
      all.insert(all.end(), part.begin(), part.end());
    }
    std::vector<std::uint64_t> everybodys;
    for (auto const& told : job.exchange_all(std::as_bytes(std::span(all)))) {
      std::size_t const before = everybodys.size();
      everybodys.resize(before + told.size() / sizeof(std::uint64_t));
      std::memcpy(everybodys.data() + before, told.data(), told.size());
    }
    std::ranges::sort(everybodys);
    ASSERT_EQ(everybodys.size(), times * threads * static_cast<std::size_t>(images()));
    for (std::uint64_t value = 0; value < everybodys.size(); ++value) {
      ASSERT_EQ(everybodys[value], value);
    }
    EXPECT_EQ(load(ImageId{0}, 0), everybodys.size());
  }
};

constexpr AtomicRequest increment{.op = AtomicOp::add, .offset = 0, .operand = 1};

TEST_F(RmaCounterTest, Threads_of_a_concurrent_memory_count_exactly) {
  open_all({}, LinkThreading::concurrent);

  expect_each_value_once([&](int /*thread*/, std::vector<std::uint64_t>& seen) {
    for (std::uint64_t time = 0; time < times; ++time) {
      seen.push_back(run_atomic(*memory, ImageId{0}, increment));
    }
  });
  close_all();
}

TEST_F(RmaCounterTest, Memories_of_several_channels_count_exactly) {
  open_all();
  auto second = open_memory_all(LinkThreading::serialized);

  expect_each_value_once([&](int thread, std::vector<std::uint64_t>& seen) {
    RemoteMemory& own = thread == 0 ? *memory : *second;
    for (std::uint64_t time = 0; time < times; ++time) {
      seen.push_back(run_atomic(own, ImageId{0}, increment));
    }
  });
  second.reset();
  close_all();
}

TEST_F(RmaCounterTest, Compare_swap_and_add_count_exactly_together) {
  open_all({}, LinkThreading::concurrent);

  expect_each_value_once([&](int thread, std::vector<std::uint64_t>& seen) {
    for (std::uint64_t time = 0; time < times; ++time) {
      if (thread == 0) {
        seen.push_back(run_atomic(*memory, ImageId{0}, increment));
        continue;
      }
      std::uint64_t expected = load(ImageId{0}, 0);
      for (;;) {
        std::uint64_t const old = run_atomic(*memory, ImageId{0},
                                             {.op = AtomicOp::compare_swap,
                                              .offset = 0,
                                              .operand = expected + 1,
                                              .compare = expected});
        if (old == expected || HasFailure()) break;
        expected = old;
      }
      seen.push_back(expected);
    }
  });
  close_all();
}

// Several operations under way at a time, of several threads, with and without answers.
TEST_F(RmaCounterTest, Operations_under_way_together_are_all_carried_out) {
  constexpr std::uint64_t batch = 16;
  open_all({.operations_max = 24}, LinkThreading::concurrent);
  std::atomic<int> stuck{0};

  auto const work = [&] {
    std::vector<Note> notes(batch);
    for (std::uint64_t at = 0; at < batch * 10; ++at) {
      Note& note = notes[at % batch];
      bool const is_begun = wait_until(
          [&] { return memory->atomic(ImageId{0}, increment, &note) == StartOutcome::started; },
          [&] { memory->poll(); });
      if (!is_begun) ++stuck;
    }
    if (!wait_until([&] { return memory->is_flushed(ImageId{0}); }, [&] { memory->poll(); })) {
      ++stuck;
    }
  };
  {
    std::jthread const first(work);
    std::jthread const second(work);
  }

  EXPECT_EQ(stuck.load(), 0);
  meet_all();
  EXPECT_EQ(load(ImageId{0}, 0), 2 * batch * 10 * static_cast<std::uint64_t>(images()));
  close_all();
}

}  // namespace
}  // namespace makespan::pgas
