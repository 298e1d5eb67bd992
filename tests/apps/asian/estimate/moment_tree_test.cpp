// SPDX-License-Identifier: Apache-2.0
// Goal: sums are a function of the blocks alone, to the last bit. Method: the same blocks in many
// orders, on many trees; a plain sum beside them.
#include "makespan/apps/asian/estimate/moment_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include "makespan/apps/asian/kernel/moment_job.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::asian {
namespace {

// Moments whose sum depends on the order: of all sizes and both signs.
std::vector<double> moments_of(std::int64_t block) {
  std::mt19937_64 random{static_cast<std::uint64_t>(block)};
  std::vector<double> moments(3);
  for (double& moment : moments) {
    double const unit = static_cast<double>(static_cast<std::int64_t>(random())) * 0x1p-63;
    moment = std::ldexp(unit, static_cast<int>(random() % 40));
  }
  return moments;
}

std::vector<double> total_of(std::vector<std::int64_t> const& order) {
  MomentTree tree;
  for (std::int64_t const block : order) tree.add(block, moments_of(block));
  return tree.total();
}

std::vector<std::int64_t> blocks(std::int64_t count) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

TEST(MomentTree, gives_the_same_bits_in_any_order) {
  std::mt19937_64 random{1};
  for (std::int64_t count = 1; count <= 200; ++count) {
    std::vector<std::int64_t> order = blocks(count);
    auto const expected = total_of(order);
    std::reverse(order.begin(), order.end());
    EXPECT_EQ(total_of(order), expected) << count;
    for (int shuffle = 0; shuffle < 5; ++shuffle) {
      std::shuffle(order.begin(), order.end(), random);
      EXPECT_EQ(total_of(order), expected) << count << ", shuffle " << shuffle;
    }
  }
}

// As blocks of many threads come, or those of another program: none is beside another for long.
TEST(MomentTree, takes_many_blocks_without_neighbours) {
  constexpr std::int64_t count = 200'000;
  MomentTree tree;
  for (std::int64_t block = 0; block < count; ++block) tree.add(2 * block, std::array{1.0});
  EXPECT_EQ(std::ssize(tree.nodes()), count);
  for (std::int64_t block = 0; block < count; ++block) tree.add(2 * block + 1, std::array{1.0});
  EXPECT_EQ(tree.total().front(), 2.0 * count);
}

TEST(MomentTree, gives_the_same_bits_from_several_trees) {
  std::mt19937_64 random{2};
  for (std::int64_t count = 1; count <= 200; ++count) {
    std::vector<std::int64_t> order = blocks(count);
    auto const expected = total_of(order);
    std::shuffle(order.begin(), order.end(), random);
    MomentTree trees[4];
    for (std::int64_t const block : order) trees[random() % 4].add(block, moments_of(block));
    MomentTree all;
    for (MomentTree& tree : trees) {
      all.add_all(std::move(tree));
      EXPECT_TRUE(tree.empty());  // NOLINT(bugprone-use-after-move): empty by its contract
    }
    EXPECT_EQ(all.total(), expected) << count;
  }
}

TEST(MomentTree, sums_what_it_was_given) {
  for (std::int64_t const count : {1, 2, 3, 100, 199}) {
    std::vector<long double> expected(3);
    for (std::int64_t const block : blocks(count)) {
      auto const moments = moments_of(block);
      for (std::size_t i = 0; i < 3; ++i) expected[i] += moments[i];
    }
    auto const total = total_of(blocks(count));
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(total[i], static_cast<double>(expected[i]), 0x1p40 * 1e-14);
    }
  }
}

TEST(MomentTree, adds_neighbours_first) {
  // ((1 + 2^60) + (-2^60 + 1)) is 0 by rounding; from left to right it would be 1.
  MomentTree tree;
  double const big = 0x1p60;
  std::vector<double> const values{1, big, -big, 1};
  for (std::size_t i = 0; i < 4; ++i) {
    tree.add(static_cast<std::int64_t>(i), std::span{values}.subspan(i, 1));
  }

  EXPECT_EQ(tree.total(), std::vector{0.0});
}

TEST(MomentTree, goes_on_from_a_round_to_the_next) {
  // Rounds add to what is there: the total is that of one long run.
  MomentTree tree;
  for (std::int64_t const block : blocks(7)) tree.add(block, moments_of(block));
  EXPECT_EQ(tree.total(), total_of(blocks(7)));
  for (std::int64_t block = 12; block >= 7; --block) tree.add(block, moments_of(block));
  EXPECT_EQ(tree.total(), total_of(blocks(13)));
}

TEST(MomentTree, has_no_total_without_blocks) {
  MomentTree const tree;

  EXPECT_TRUE(tree.empty());
  EXPECT_THROW(static_cast<void>(tree.total()), ContractViolated);
}

TEST(MomentTree, refuses_moments_of_another_size) {
  MomentTree tree;
  tree.add(0, std::vector{1.0, 2.0});

  EXPECT_THROW(tree.add(1, std::vector{1.0}), ContractViolated);
}

TEST(AddUpStrands, adds_halves_together) {
  std::vector<double> strands(2 * strand_count);
  for (std::size_t i = 0; i < strand_count; ++i) {
    strands[i] = static_cast<double>(i);
    strands[strand_count + i] = std::ldexp(1.0, static_cast<int>(8 * i));
  }
  std::vector<double> moments(2);
  add_up_strands(strands, moments);

  EXPECT_EQ(moments[0], 120.0);
  // Strand i meets strand i + 8 first: a tree by hand.
  std::vector<double> sum(strands.begin() + strand_count, strands.end());
  for (std::size_t width = 8; width > 0; width /= 2) {
    for (std::size_t i = 0; i < width; ++i) sum[i] += sum[i + width];
  }
  EXPECT_EQ(moments[1], sum[0]);
}

}  // namespace
}  // namespace makespan::asian
