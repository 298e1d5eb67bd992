// SPDX-License-Identifier: Apache-2.0
// Goal: blocks are used again, by size, and none is lost or given twice. Method: by hand, and two
// threads of which one takes and the other gives back.
#include "makespan/graph/object/message/block_cache.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <thread>
#include <vector>

namespace makespan::graph {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool keeps_blocks = false;
#else
constexpr bool keeps_blocks = true;
#endif

TEST(BlockCache, gives_a_block_of_the_size_again) {
  BlockCache cache;
  void* const block = cache.take(100);
  cache.give(block, 100);

  EXPECT_EQ(cache.kept(128), keeps_blocks ? 1U : 0U);
  EXPECT_EQ(cache.kept(129), 0U) << "of another size";
  void* const again = cache.take(65);
  EXPECT_EQ(again == block, keeps_blocks);
  EXPECT_EQ(cache.kept(128), 0U);
  cache.give(again, 65);
}

TEST(BlockCache, keeps_no_large_blocks_and_not_too_many) {
  BlockCache cache;
  cache.give(cache.take(513), 513);
  EXPECT_EQ(cache.kept(513), 0U);

  std::vector<void*> blocks;
  std::set<void*> different;
  constexpr std::size_t most = BlockCache::blocks_kept_max(512);
  EXPECT_EQ(512 * most, BlockCache::kept_bytes_max);
  for (std::size_t at = 0; at < most + 10; ++at) {
    blocks.push_back(cache.take(512));
    different.insert(blocks.back());
  }
  EXPECT_EQ(different.size(), blocks.size());
  for (void* const block : blocks) cache.give(block, 512);
  EXPECT_EQ(cache.kept(512), keeps_blocks ? most : 0U);
}

TEST(BlockCache, takes_back_what_another_thread_has_taken) {
  std::vector<std::shared_ptr<int>> values;
  std::jthread([&] {
    for (int at = 0; at < 1000; ++at) {
      values.push_back(std::allocate_shared<int>(CachedAllocator<int>(), at));
    }
  }).join();

  for (int at = 0; at < 1000; ++at) EXPECT_EQ(*values[static_cast<std::size_t>(at)], at);
  std::size_t const before = BlockCache::of_this_thread().kept(64);
  values.clear();

  EXPECT_EQ(BlockCache::of_this_thread().kept(64), before + (keeps_blocks ? 1000U : 0U));
}

}  // namespace
}  // namespace makespan::graph
