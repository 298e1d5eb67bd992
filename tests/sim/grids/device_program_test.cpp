// SPDX-License-Identifier: Apache-2.0
// Goal: a step has the order of a real one, and a device's speed changes when it should. Method: by
// hand.
#include "makespan/sim/grids/detail/device_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace makespan::sim {
namespace {

using testing::ElementsAre;

std::vector<DeviceOp> ops_of(std::vector<DeviceTask> const& tasks) {
  std::vector<DeviceOp> ops;
  for (DeviceTask const& task : tasks) ops.push_back(task.op);
  return ops;
}

TEST(DeviceProgram, with_overlap_sends_before_it_does_the_rest) {
  std::array const slabs{4, 7};

  EXPECT_THAT(ops_of(step_program(slabs, grid::Schedule::overlap)),
              ElementsAre(DeviceOp::sweep_boundary, DeviceOp::send, DeviceOp::sweep_boundary,
                          DeviceOp::send, DeviceOp::sweep_interior, DeviceOp::sweep_interior,
                          DeviceOp::wait, DeviceOp::unpack, DeviceOp::finish_sweeps, DeviceOp::wait,
                          DeviceOp::unpack, DeviceOp::finish_sweeps, DeviceOp::finish_puts));
  EXPECT_EQ(step_program(slabs, grid::Schedule::overlap)[2].slab, 7);
}

TEST(DeviceProgram, without_overlap_does_all_and_then_sends) {
  std::array const slabs{0};

  EXPECT_THAT(ops_of(step_program(slabs, grid::Schedule::none)),
              ElementsAre(DeviceOp::sweep_all, DeviceOp::send, DeviceOp::wait, DeviceOp::unpack,
                          DeviceOp::finish_sweeps, DeviceOp::finish_puts));
  EXPECT_THAT(ops_of(exchange_program(slabs)),
              ElementsAre(DeviceOp::send, DeviceOp::wait, DeviceOp::unpack, DeviceOp::finish_sweeps,
                          DeviceOp::finish_puts));
}

TEST(SpeedCourse, takes_each_part_at_the_speed_of_its_time) {
  SpeedCourse course(Speed{10.0});
  course.change(Seconds{2.0}, 0.5);
  course.change(Seconds{4.0}, 2.0);

  EXPECT_EQ(course.end_of(10.0, Seconds{}), Seconds{1.0});
  EXPECT_EQ(course.end_of(20.0, Seconds{1.0}), Seconds{4.0});
  EXPECT_EQ(course.end_of(50.0, Seconds{1.0}), Seconds{5.5});
  EXPECT_EQ(course.end_of(20.0, Seconds{7.0}), Seconds{8.0});
  EXPECT_EQ(course.at(Seconds{3.0}), Speed{5.0});
}

}  // namespace
}  // namespace makespan::sim
