// SPDX-License-Identifier: Apache-2.0
// Goal: a device counts its exchanges as its neighbours do, and its threads share what it has.
// What it does in a step grid_test.cpp compares with plain loops.
#include "makespan/grid/detail/device_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "cut/tiling.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/pgas/operation/future_operation.hpp"
#include "pgas/operation/fake_queue.hpp"
#include "weighted_sums.hpp"

namespace makespan::grid {
namespace {

TEST(Exchanges, are_one_for_the_present_and_one_for_each_sweep) {
  EXPECT_EQ(exchanges_of({.steps = 5}), 6);
  EXPECT_EQ(exchanges_of({.steps = 5, .has_halos = true}), 5);
  EXPECT_EQ(exchanges_of({.steps = 0, .has_halos = true}), 0);
  EXPECT_EQ(exchanges_of({.steps = 7, .has_halos = true, .steps_at_once = 3}), 3);
  EXPECT_EQ(exchanges_of({.steps = 6, .steps_at_once = 3}), 3);
}

class DeviceRunTest : public testing::Test {
 protected:
  // Three threads, on what cores there are.
  [[nodiscard]] DeviceRun device() const {
    auto const allowed = machine::allowed_cores();
    return {{.stencil = &stencil_, .cores = {allowed.front(), allowed.back(), allowed.front()}},
            sums_width};
  }

  WeightedSums stencil_{};
};

TEST_F(DeviceRunTest, Clears_all_of_a_slab_and_its_halo) {
  for (std::int64_t const planes : {1, 11, 12, 40}) {
    DeviceRun run = device();
    Box const box{{}, {5, 4, planes}};
    SlabFields fields({.box = box,
                       .halo_width = sums_width,
                       .roles = stencil_.shape().fields,
                       .values = {FaceValues{}, FaceValues{}}});
    Box const all = grown(box, sums_width);
    for (FieldView const& view : fields.now()) {
      for (std::int64_t z = all.begin.z; z < all.end.z; ++z) {
        for (std::int64_t y = all.begin.y; y < all.end.y; ++y) view.at(y, z)[0] = 1;
      }
    }
    run.clear(fields);
    for (FieldView const& view : fields.now()) {
      for (std::int64_t z = all.begin.z; z < all.end.z; ++z) {
        for (std::int64_t y = all.begin.y; y < all.end.y; ++y) {
          ASSERT_EQ(view.at(y, z)[0], 0) << planes << " planes";
        }
      }
    }
  }
}

TEST_F(DeviceRunTest, Shares_a_box_among_its_threads) {
  DeviceRun run = device();
  Box const box{{1, 2, 3}, {6, 9, 33}};
  std::mutex mutex;
  std::vector<Box> parts;
  run.for_each_part(box, [&](Box const& part) {
    std::scoped_lock const lock(mutex);
    parts.push_back(part);
  });

  EXPECT_EQ(parts.size(), 3U);
  EXPECT_TRUE(are_tiles_of(box, parts));
}

TEST_F(DeviceRunTest, Has_done_nothing_at_first) {
  DeviceRun run = device();

  EXPECT_EQ(run.take_load().planes, 0);
  EXPECT_EQ(run.clock().times().wait, Seconds{0.0});
  EXPECT_TRUE(run.slabs().empty());
}

TEST(HaloSendBuffer, lets_puts_that_it_leaves_keep_their_doubles) {
  pgas::fake::FakeQueue queue;
  auto const put = std::make_shared<pgas::VoidOperation>(ImageId{1}, "test");
  put->hold();
  std::span<double> doubles;
  {
    HaloSendBuffer buffer;
    doubles = buffer.take(1000);
    buffer.futures().emplace_back(queue, put, pgas::Awaited{.call = "test"});
    buffer.leave();
    EXPECT_TRUE(buffer.futures().empty());
    EXPECT_NE(buffer.take(1000).data(), doubles.data());
  }
  std::ranges::fill(doubles, 1.0);  // as the transport may read them
  EXPECT_EQ(queue.deferred(), 1U);
  put->complete({});
  queue.run_continuations();
  EXPECT_EQ(queue.deferred(), 0U);
}

}  // namespace
}  // namespace makespan::grid
