// SPDX-License-Identifier: Apache-2.0
// Goal: phases are written down on image 0, and the program does what it did. Method: a world of
// counters.
#include "makespan/graph/object/phase_log.hpp"

#include <gtest/gtest.h>

#include "world_fixture.hpp"

namespace makespan::graph {
namespace {

class PhaseLogTest : public WorldFixture {
 protected:
  PhaseLogTest() : WorldFixture({.threads = 2}) {}

  PhaseLog log_{};
};

TEST_F(PhaseLogTest, Phases_are_written_down_on_image_0) {
  run(log_.watching({.phases = 3}));

  if (image() != 0) {
    EXPECT_TRUE(log_.reports().empty());
    EXPECT_EQ(log_.total_s(), 0.0);
    return;
  }
  ASSERT_EQ(log_.reports().size(), 3U);
  double phases_s = 0.0;
  for (std::size_t phase = 0; phase < 3; ++phase) {
    EXPECT_EQ(log_.reports()[phase].phase, static_cast<std::int64_t>(phase));
    phases_s += log_.reports()[phase].time_s;
  }
  EXPECT_GE(log_.total_s(), phases_s);
}

TEST_F(PhaseLogTest, The_program_is_called_as_it_was) {
  run(log_.watching(
      {.begin =
           [&](ObjectPlace& here, std::int64_t phase) {
             if (here.place() == 0) here.send<&Counter::add>(counters_, 0, phase + 1);
           },
       .after =
           [](PhaseReport const& report) { return report.phase == 1 ? Next::stop : Next::go_on; },
       .phases = 100}));

  EXPECT_EQ(sum(), 3);
  EXPECT_EQ(log_.reports().size(), image() == 0 ? 2U : 0U);
}

}  // namespace
}  // namespace makespan::graph
