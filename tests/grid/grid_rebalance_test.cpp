// SPDX-License-Identifier: Apache-2.0
// Goal: planes go away from the image that is slow, to those that are not. Method: a stencil on the
// last image that sleeps, so that cores stay free for the others however few there are; on 1, 2 and
// 3 images.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "makespan/grid/grid.hpp"
#include "makespan/pgas/runtime.hpp"
#include "weighted_sums.hpp"

namespace makespan::grid {
namespace {

// Many times as long as its planes take otherwise.
class SleepingSums final : public WeightedSums {
 public:
  void sweep(Sweep const& sweep) const override {
    std::this_thread::sleep_for(std::chrono::milliseconds(3) * sweep.box.extent().z);
    WeightedSums::sweep(sweep);
  }
};

TEST(GridRebalance, takes_planes_from_the_image_that_is_slow) {
  pgas::Runtime runtime;
  WeightedSums const usual;
  SleepingSums const slow;
  bool const is_slow = runtime.image().value() == runtime.images() - 1;
  GridProblem const problem{.box = {{}, {13, 7, 40}}, .values = {FaceValues{}, FaceValues{}}};
  Stencil const* const mine = is_slow ? static_cast<Stencil const*>(&slow) : &usual;
  Grid grid(runtime, problem, {{.stencil = mine}},
            {.cut = ImageCut::stack, .rebalance = {.steps = 2, .options = {.gain_min = 0}}});
  grid.fill([](int, Point at) { return whole_number_at(at); });
  // So many are to come that any gain is worth it.
  grid.run_all(4, 1'000'000'000);

  DeviceStack const& stack = grid.stacks()[0];
  std::vector<std::int64_t> planes(static_cast<std::size_t>(runtime.images()));
  for (std::size_t at = 0; at < stack.planes.size(); ++at) {
    planes[static_cast<std::size_t>(stack.devices[at].image)] += stack.planes[at];
  }
  if (runtime.images() > 1) {
    EXPECT_GE(grid.report().rebalances, 1);
    EXPECT_GT(planes.front(), planes.back());
  } else {
    EXPECT_THAT(planes, testing::ElementsAre(40));
  }
  grid.close_all();
  runtime.finish_all();
}

}  // namespace
}  // namespace makespan::grid
