// SPDX-License-Identifier: Apache-2.0
// Goal: each node that is offered is taken once, by whichever thread of whichever image, also where
// the ring runs over. Method: numbered nodes, offered by each image's thread 0 and taken by all
// others; sums of numbers.
#include "makespan/apps/uts/detail/shared_nodes.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "makespan/pgas/atomics.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::uts {
namespace {

constexpr int ring_threads = 2;

class SharedNodesTest : public testing::Test {
 protected:
  void TearDown() override { runtime.finish_all(); }

  pgas::Runtime runtime{pgas::RuntimeOptions{.threads = ring_threads}};
};

Node numbered(std::int32_t number) {
  return {.depth = number};
}

TEST_F(SharedNodesTest, gives_half_and_has_room_again) {
  NodeRings const rings(runtime, ring_threads, 8);
  pgas::Endpoint& here = runtime.endpoint(0);
  SharedNodes own(here, rings);
  std::vector<Node> const six{numbered(1), numbered(2), numbered(3),
                              numbered(4), numbered(5), numbered(6)};

  ASSERT_TRUE(own.offer(six));
  EXPECT_FALSE(own.offer(six)) << "there is room for eight";
  EXPECT_EQ(own.available(here.address()), 6);
  std::vector<Node> taken;
  EXPECT_EQ(own.take(here.address(), 100, taken), 3);
  EXPECT_EQ(own.take(here.address(), 1, taken), 1);
  EXPECT_EQ(own.take(here.address(), 100, taken), 1);
  EXPECT_EQ(own.take(here.address(), 100, taken), 1);
  EXPECT_EQ(own.take(here.address(), 100, taken), 0);

  EXPECT_EQ(taken, six);
  ASSERT_TRUE(own.offer(six)) << "around the end of the ring";
  taken.clear();
  while (own.take(here.address(), 100, taken) > 0) {
  }
  EXPECT_EQ(taken, six);
  runtime.team().barrier_all();
  rings.free_all(runtime);
}

// Every image's thread 0 offers; all threads of all images take from all.
TEST_F(SharedNodesTest, gives_each_node_once) {
  constexpr std::int32_t nodes_each = 20'000;
  NodeRings const rings(runtime, ring_threads, 64);
  auto const left = runtime.allocate_all<std::int64_t>(1, "nodes left");
  runtime.local(left)[0] = std::int64_t{nodes_each} * runtime.images();
  runtime.team().barrier_all();
  std::atomic<std::int64_t> sum{0};

  auto const run = [&](int thread) {
    pgas::Endpoint& here = runtime.endpoint(thread);
    SharedNodes nodes(here, rings);
    std::int32_t next = thread == 0 ? 1 : nodes_each + 1;
    std::vector<Node> some;
    while (load(here, left.at(ImageId{0})) > 0) {
      if (next <= nodes_each) {
        some.clear();
        for (std::int32_t at = next; at < std::min(next + 7, nodes_each + 1); ++at) {
          some.push_back(numbered(at));
        }
        if (nodes.offer(some)) next += static_cast<std::int32_t>(some.size());
      }
      for (int image = 0; image < runtime.images(); ++image) {
        some.clear();
        int const taken =
            nodes.take({.image = ImageId{image}, .thread = 0}, 1 + image % 5 * 4, some);
        for (Node const& node : some) sum.fetch_add(node.depth);
        if (taken > 0) add(here, left.at(ImageId{0}), -taken);
      }
      here.progress();
    }
    here.flush_all();
  };
  {
    std::jthread const second([&] { run(1); });
    run(0);
  }

  std::int64_t const all =
      runtime.team().all_reduce_all(pgas::ReduceOp::sum, sum.load(std::memory_order_relaxed));
  EXPECT_EQ(all, std::int64_t{nodes_each} * (nodes_each + 1) / 2 * runtime.images());
  runtime.free_all(left);
  rings.free_all(runtime);
}

}  // namespace
}  // namespace makespan::uts
