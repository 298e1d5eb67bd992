// SPDX-License-Identifier: Apache-2.0
// Goal: runs cover what naive loops cover, in their order, and are as long as can be. Method: cases
// by hand, then random boxes element by element.
#include "makespan/pgas/memory/strided.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "makespan/base/contracts.hpp"

namespace makespan::pgas {
namespace {

struct Stretch {
  std::int64_t source;
  std::int64_t target;
  std::int64_t bytes;

  friend bool operator==(Stretch const&, Stretch const&) = default;
};

std::vector<Stretch> runs_of(StridedBox const& box) {
  std::vector<Stretch> runs;
  for_each_run(box, [&](std::int64_t source, std::int64_t target, std::int64_t bytes) {
    runs.push_back({source, target, bytes});
  });
  return runs;
}

TEST(StridedBox, is_one_element_at_first) {
  EXPECT_EQ(runs_of({.element_bytes = 8}), (std::vector<Stretch>{{0, 0, 8}}));
  EXPECT_EQ(StridedBox{.element_bytes = 8}.bytes(), 8);
}

TEST(StridedBox, of_a_whole_matrix_is_one_run) {
  // 3 rows of 5 doubles.
  StridedBox const box{.element_bytes = 8, .dimensions = {{{3, 40, 40}, {5, 8, 8}}}};

  EXPECT_EQ(runs_of(box), (std::vector<Stretch>{{0, 0, 120}}));
}

TEST(StridedBox, of_a_part_of_a_matrix_is_a_run_for_each_row) {
  // 3 rows of 2 doubles out of rows of 5, packed.
  StridedBox const box{.element_bytes = 8, .dimensions = {{{3, 40, 16}, {2, 8, 8}}}};

  EXPECT_EQ(runs_of(box), (std::vector<Stretch>{{0, 0, 16}, {40, 16, 16}, {80, 32, 16}}));
}

TEST(StridedBox, of_a_transposed_matrix_goes_element_by_element) {
  StridedBox const box{.element_bytes = 8, .dimensions = {{{2, 16, 8}, {2, 8, 16}}}};

  EXPECT_EQ(runs_of(box), (std::vector<Stretch>{{0, 0, 8}, {8, 16, 8}, {16, 8, 8}, {24, 24, 8}}));
}

TEST(StridedBox, may_go_backwards) {
  StridedBox const box{.element_bytes = 4, .dimensions = {{{3, 4, -4}}}};

  EXPECT_EQ(runs_of(box), (std::vector<Stretch>{{0, 0, 4}, {4, -4, 4}, {8, -8, 4}}));
  EXPECT_EQ(source_extent(box), (StridedExtent{0, 12}));
  EXPECT_EQ(target_extent(box), (StridedExtent{-8, 4}));
}

TEST(StridedBox, is_empty_when_one_count_is_0) {
  StridedBox const box{.element_bytes = 4, .dimensions = {{{3, 100, 100}, {0, 10, 10}, {2, 4, 4}}}};

  EXPECT_EQ(runs_of(box), std::vector<Stretch>{});
  EXPECT_EQ(box.bytes(), 0);
  EXPECT_EQ(source_extent(box), StridedExtent{});
}

// Products of counts and strides that are no numbers of 64 bits would be 0, or anywhere.
TEST(StridedBox, that_no_memory_holds_reaches_as_far_as_can_be_told) {
  constexpr std::int64_t far = std::int64_t{1} << 32;
  constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();
  for (StridedBox const& box :
       {StridedBox{.element_bytes = 1, .dimensions = {{{far, 1, 1}, {far, far, far}}}},
        StridedBox{.element_bytes = 1, .dimensions = {{{far, far, far}}}},
        StridedBox{.element_bytes = 1, .dimensions = {{{far, -far, far}, {far, far, far}}}}}) {
    EXPECT_EQ(target_extent(box), (StridedExtent{0, all}));
  }
}

TEST(StridedBox, refuses_invalid_sizes) {
  EXPECT_THROW(static_cast<void>(merged({.element_bytes = 0})), ContractViolated);
  StridedBox const negative{.element_bytes = 1, .dimensions = {{{-1, 1, 1}}}};
  EXPECT_THROW(static_cast<void>(merged(negative)), ContractViolated);
}

TEST(Merged, joins_dimensions_that_continue_each_other_at_both_sides) {
  // Columns of a matrix that lie apart: rows and planes still follow on each other.
  StridedBox const apart{.element_bytes = 8,
                         .dimensions = {{{2, 120, 120}, {3, 40, 40}, {1, 0, 0}, {5, 8, 8}}}};
  StridedBox const columns{.element_bytes = 8,
                           .dimensions = {{{2, 240, 48}, {3, 80, 16}, {2, 40, 8}}}};
  StridedBox const only_source{.element_bytes = 8, .dimensions = {{{3, 40, 50}, {5, 8, 8}}}};

  EXPECT_EQ(merged(apart), (StridedBox{.element_bytes = 240}));
  EXPECT_EQ(merged(columns),
            (StridedBox{.element_bytes = 8, .dimensions = {{{}, {}, {}, {12, 40, 8}}}}));
  EXPECT_EQ(merged(only_source),
            (StridedBox{.element_bytes = 40, .dimensions = {{{}, {}, {}, {3, 40, 50}}}}));
}

// Where each byte goes, in order, as four plain loops say.
std::vector<std::pair<std::int64_t, std::int64_t>> bytes_by_loops(StridedBox const& box) {
  std::vector<std::pair<std::int64_t, std::int64_t>> bytes;
  auto const& d = box.dimensions;
  for (std::int64_t i = 0; i < d[0].count; ++i)
    for (std::int64_t j = 0; j < d[1].count; ++j)
      for (std::int64_t k = 0; k < d[2].count; ++k)
        for (std::int64_t l = 0; l < d[3].count; ++l)
          for (std::int64_t byte = 0; byte < box.element_bytes; ++byte)
            bytes.emplace_back(byte + i * d[0].source_stride + j * d[1].source_stride +
                                   k * d[2].source_stride + l * d[3].source_stride,
                               byte + i * d[0].target_stride + j * d[1].target_stride +
                                   k * d[2].target_stride + l * d[3].target_stride);
  return bytes;
}

std::vector<std::pair<std::int64_t, std::int64_t>> bytes_by_runs(StridedBox const& box) {
  std::vector<std::pair<std::int64_t, std::int64_t>> bytes;
  for (Stretch const& run : runs_of(box)) {
    for (std::int64_t byte = 0; byte < run.bytes; ++byte) {
      bytes.emplace_back(run.source + byte, run.target + byte);
    }
  }
  return bytes;
}

// Dense more often than not, so that there is something to merge.
StridedBox random_box(std::mt19937& random) {
  StridedBox box{.element_bytes = 1 + static_cast<std::int64_t>(random() % 3)};
  std::int64_t source = box.element_bytes;
  std::int64_t target = box.element_bytes;
  for (std::size_t at = StridedBox::dimensions_max; at-- > 0;) {
    StridedDimension& dimension = box.dimensions[at];
    dimension.count = random() % 10 == 0 ? 0 : 1 + static_cast<std::int64_t>(random() % 3);
    if (random() % 4 == 0) source += static_cast<std::int64_t>(random() % 3);
    if (random() % 4 == 0) target = -target;
    dimension.source_stride = source;
    dimension.target_stride = target;
    source *= dimension.count;
    target *= dimension.count;
  }
  return box;
}

TEST(StridedBox, covers_what_plain_loops_cover_in_their_order) {
  std::mt19937 random(4);
  std::size_t runs = 0;
  std::size_t elements = 0;
  for (int round = 0; round < 3000; ++round) {
    StridedBox const box = random_box(random);
    auto const bytes = bytes_by_loops(box);

    ASSERT_EQ(bytes_by_runs(box), bytes) << "round " << round;
    ASSERT_EQ(merged(merged(box)), merged(box)) << "round " << round;
    runs += runs_of(box).size();
    elements += static_cast<std::size_t>(box.elements());
    if (bytes.empty()) continue;
    auto const [low, high] =
        std::ranges::minmax(bytes, {}, [](auto const& byte) { return byte.second; });
    ASSERT_EQ(target_extent(box), (StridedExtent{low.second, high.second + 1}));
  }
  EXPECT_LT(3 * runs, 2 * elements);  // there was something to merge
}

}  // namespace
}  // namespace makespan::pgas
