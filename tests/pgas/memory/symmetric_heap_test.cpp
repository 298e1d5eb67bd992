// SPDX-License-Identifier: Apache-2.0
// Goal: allocations never overlap, are aligned, come from the lowest place that fits, and what is
// free grows together again. Method: by hand, then random calls against a model that knows of each
// line of 64 bytes whether it is taken.
#include "makespan/pgas/memory/symmetric_heap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "makespan/base/contracts.hpp"

namespace makespan::pgas {
namespace {

TEST(SymmetricHeap, takes_the_lowest_place_that_fits) {
  SymmetricHeap heap(1024);

  EXPECT_EQ(heap.allocate(100, "a"), 0U);
  EXPECT_EQ(heap.allocate(64, "b"), 128U);
  EXPECT_EQ(heap.allocate(1, "c"), 192U);
  heap.free(128);
  EXPECT_EQ(heap.allocate(65, "d"), 256U);
  EXPECT_EQ(heap.allocate(64, "e"), 128U);
}

TEST(SymmetricHeap, aligns_as_asked_and_uses_what_is_left_in_front) {
  SymmetricHeap heap(4096);

  EXPECT_EQ(heap.allocate(8, "a"), 0U);
  EXPECT_EQ(heap.allocate(8, "b", 1024), 1024U);
  EXPECT_EQ(heap.allocate(8, "c", 8), 64U);
  heap.free(1024);
  EXPECT_EQ(heap.bytes_free_largest(), 4096 - 128);
}

TEST(SymmetricHeap, has_nothing_for_what_does_not_fit) {
  SymmetricHeap heap(256);

  EXPECT_EQ(heap.allocate(257, "a"), std::nullopt);
  EXPECT_EQ(heap.allocate(8, "a", 512), std::nullopt);
  EXPECT_EQ(heap.allocate(256, "a"), 0U);
  EXPECT_EQ(heap.allocate(0, "b"), std::nullopt);
  EXPECT_EQ(heap.bytes_free_largest(), 0);
  heap.free(0);
  EXPECT_EQ(heap.bytes_free_largest(), 256);
  EXPECT_EQ(heap.allocate(std::numeric_limits<std::int64_t>::max(), "c"), std::nullopt);
}

TEST(SymmetricHeap, counts_nothing_as_an_allocation) {
  SymmetricHeap heap(256);

  EXPECT_EQ(heap.allocate(0, "a"), 0U);
  EXPECT_EQ(heap.allocate(0, "b"), 64U);
  heap.free(0);
  EXPECT_EQ(heap.live(), (std::vector<HeapAllocation>{{64, 0, "b"}}));
}

TEST(SymmetricHeap, names_what_is_live) {
  SymmetricHeap heap(1024);
  static_cast<void>(heap.allocate(100, "grid"));
  static_cast<void>(heap.allocate(10, "counter"));
  static_cast<void>(heap.allocate(20, "grid"));
  heap.free(0);

  EXPECT_EQ(heap.live(), (std::vector<HeapAllocation>{{128, 10, "counter"}, {192, 20, "grid"}}));
  EXPECT_EQ(heap.bytes_taken(), 128);
  EXPECT_EQ(heap.bytes_free(), 1024 - 128);
}

TEST(SymmetricHeap, finds_the_allocation_that_bytes_lie_in) {
  SymmetricHeap heap(1024);
  static_cast<void>(heap.allocate(64, "a"));
  static_cast<void>(heap.allocate(100, "b"));

  EXPECT_EQ(heap.find(64, 100)->name, "b");
  EXPECT_EQ(heap.find(163, 1)->name, "b");
  EXPECT_EQ(heap.find(163, 2), std::nullopt);
  EXPECT_EQ(heap.find(60, 8), std::nullopt);
  EXPECT_EQ(heap.find(500, 0), std::nullopt);
  EXPECT_EQ(SymmetricHeap(64).find(0, 1), std::nullopt);
}

TEST(SymmetricHeap, does_not_use_a_last_part_of_a_line) {
  SymmetricHeap heap(100);

  EXPECT_EQ(heap.bytes(), 100);
  EXPECT_EQ(heap.bytes_free(), 64);
  EXPECT_EQ(heap.allocate(65, "a"), std::nullopt);
  EXPECT_EQ(heap.allocate(64, "a"), 0U);
  EXPECT_EQ(SymmetricHeap(63).allocate(1, "a"), std::nullopt);
}

TEST(SymmetricHeap, refuses_invalid_calls) {
  SymmetricHeap heap(1024);
  static_cast<void>(heap.allocate(64, "a"));

  EXPECT_THROW(heap.free(64), ContractViolated);
  EXPECT_THROW(static_cast<void>(heap.allocate(-1, "b")), ContractViolated);
  EXPECT_THROW(static_cast<void>(heap.allocate(1, "b", 3)), ContractViolated);
  EXPECT_THROW(static_cast<void>(heap.allocate(1, "b", 0)), ContractViolated);
  heap.free(0);
  EXPECT_THROW(heap.free(0), ContractViolated);
}

// Knows of each line whether it is taken.
class LineModel {
 public:
  explicit LineModel(std::int64_t bytes) : is_taken_(static_cast<std::size_t>(bytes / 64)) {}

  [[nodiscard]] std::optional<std::uint64_t> allocate(std::int64_t bytes, std::int64_t alignment) {
    std::size_t const lines = lines_of(bytes);
    auto const step = static_cast<std::size_t>(std::max<std::int64_t>(alignment, 64) / 64);
    for (std::size_t at = 0; at + lines <= is_taken_.size(); at += step) {
      auto const begin = is_taken_.begin() + static_cast<std::ptrdiff_t>(at);
      auto const end = begin + static_cast<std::ptrdiff_t>(lines);
      if (std::find(begin, end, true) != end) continue;
      std::fill(begin, end, true);
      return at * 64;
    }
    return std::nullopt;
  }

  void free(std::uint64_t offset, std::int64_t bytes) {
    auto const begin = is_taken_.begin() + static_cast<std::ptrdiff_t>(offset / 64);
    std::fill(begin, begin + static_cast<std::ptrdiff_t>(lines_of(bytes)), false);
  }

  [[nodiscard]] std::int64_t bytes_free() const {
    return 64 * std::ranges::count(is_taken_, false);
  }

  [[nodiscard]] std::int64_t bytes_free_largest() const {
    std::int64_t largest = 0;
    std::int64_t current = 0;
    for (bool const taken : is_taken_) {
      current = taken ? 0 : current + 64;
      largest = std::max(largest, current);
    }
    return largest;
  }

 private:
  [[nodiscard]] static std::size_t lines_of(std::int64_t bytes) {
    return static_cast<std::size_t>(std::max<std::int64_t>((bytes + 63) / 64, 1));
  }

  std::vector<bool> is_taken_;
};

class EverySeed : public testing::TestWithParam<unsigned> {};

INSTANTIATE_TEST_SUITE_P(SymmetricHeap, EverySeed, testing::Range(0U, 20U));

TEST_P(EverySeed, does_what_a_table_of_lines_does) {
  constexpr std::int64_t heap_bytes = 64 * 200;
  std::mt19937 random(GetParam());
  SymmetricHeap heap(heap_bytes);
  SymmetricHeap mirror(heap_bytes);  // as another image has it
  LineModel model(heap_bytes);
  std::vector<HeapAllocation> live;

  for (int step = 0; step < 2000; ++step) {
    if (live.empty() || random() % 5 < 3) {
      auto const bytes = static_cast<std::int64_t>(random() % 1500);
      std::int64_t const alignment = std::int64_t{1} << (random() % 11);
      std::string const name = "step " + std::to_string(step);
      std::optional<std::uint64_t> const offset = heap.allocate(bytes, name, alignment);

      ASSERT_EQ(offset, model.allocate(bytes, alignment));
      ASSERT_EQ(offset, mirror.allocate(bytes, name, alignment));
      if (offset) live.push_back({*offset, bytes, name});
    } else {
      auto const leaving = live.begin() + static_cast<std::ptrdiff_t>(random() % live.size());
      heap.free(leaving->offset);
      mirror.free(leaving->offset);
      model.free(leaving->offset, leaving->bytes);
      live.erase(leaving);
    }
    ASSERT_EQ(heap.bytes_free(), model.bytes_free());
    ASSERT_EQ(heap.bytes_taken() + heap.bytes_free(), heap_bytes);
    ASSERT_EQ(heap.bytes_free_largest(), model.bytes_free_largest());
  }
  std::ranges::sort(live, {}, &HeapAllocation::offset);
  EXPECT_EQ(heap.live(), live);

  for (HeapAllocation const& allocation : live) heap.free(allocation.offset);
  EXPECT_EQ(heap.bytes_free_largest(), heap_bytes);
}

}  // namespace
}  // namespace makespan::pgas
