// SPDX-License-Identifier: Apache-2.0
// Goal: launches of all threads that share a GPU have work space at the same time, and one that
// gets less than its share does with less. Method: memories that are numbers; no GPU.
#include "makespan/apps/asian/gpu/detail/scratch_blocks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace makespan::asian {
namespace {

constexpr std::size_t gigabyte = std::size_t{1} << 30;

TEST(ScratchBlocks, of_all_threads_have_room_at_once) {
  for (int const threads : {1, 2, 8}) {
    for (std::size_t const each : {std::size_t{10'000}, std::size_t{33'000'000}}) {
      std::size_t const blocks = scratch_blocks(48 * gigabyte, threads, each, 10'000'000);

      std::size_t const all = blocks * each * static_cast<std::size_t>(threads);
      EXPECT_LE(all, 24 * gigabyte) << threads;
      EXPECT_GT(all, 23 * gigabyte) << threads;
    }
  }
}

TEST(ScratchBlocks, are_no_more_than_wanted_and_one_at_least) {
  EXPECT_EQ(scratch_blocks(48 * gigabyte, 2, 1000, 7), 7U);
  EXPECT_EQ(scratch_blocks(48 * gigabyte, 8, 4 * gigabyte, 7), 1U);
}

TEST(ReservedBlocks, are_halved_until_there_is_room) {
  std::vector<std::size_t> asked;
  auto const with_room_for = [&](std::size_t most) {
    return [&asked, most](std::size_t blocks) {
      asked.push_back(blocks);
      if (blocks > most) throw cuda::CudaFailed("no memory");
    };
  };

  EXPECT_EQ(reserved_blocks(100, with_room_for(100)), 100U);
  EXPECT_EQ(reserved_blocks(100, with_room_for(13)), 12U);
  EXPECT_EQ(reserved_blocks(5, with_room_for(1)), 1U);
  EXPECT_THAT(asked, testing::ElementsAre(100, 100, 50, 25, 12, 5, 2, 1));
  EXPECT_THROW(static_cast<void>(reserved_blocks(5, with_room_for(0))), cuda::CudaFailed);
}

}  // namespace
}  // namespace makespan::asian
