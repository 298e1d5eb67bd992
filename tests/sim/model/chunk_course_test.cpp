// SPDX-License-Identifier: Apache-2.0
// Goal: at any time a course says what a worker that goes piece by piece would have finished, begun
// and not begun; and so it does after steals and changes of speed. Method: times by hand.
#include "makespan/sim/model/chunk_course.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace makespan::sim {
namespace {

using bag::ItemRange;

// 100 items of 2, in tasks of 50; four are a piece: a worker of speed 4 has one in 2 s.
struct CourseTest : testing::Test {
  bag::Bag bag{{{TaskId{0}, 50, Work{2.0}}, {TaskId{1}, 50, Work{2.0}}}};
  TrueCosts costs{bag};
  Pace pace{.speed = Speed{4.0}, .start = Seconds{1.0}, .piece = Seconds{2.0}};
  ChunkCourse course{costs, {10, 60}, pace, Seconds{100.0}};
};

TEST_F(CourseTest, begins_after_its_launch_and_ends_when_its_work_is_done) {
  EXPECT_EQ(course.end(), Seconds{126.0});
  EXPECT_EQ(course.reached(Seconds{100.5}), 10);
  EXPECT_EQ(course.reached(Seconds{101.4}), 10);
  EXPECT_EQ(course.reached(Seconds{101.5}), 11);
  EXPECT_EQ(course.reached(Seconds{113.6}), 35);
  EXPECT_EQ(course.reached(Seconds{500.0}), 60);
}

TEST_F(CourseTest, has_begun_the_piece_at_hand) {
  EXPECT_EQ(course.not_begun(Seconds{100.0}), (ItemRange{14, 60}));
  EXPECT_EQ(course.not_begun(Seconds{102.9}), (ItemRange{14, 60}));
  EXPECT_EQ(course.not_begun(Seconds{103.1}), (ItemRange{18, 60}));
  EXPECT_EQ(course.piece_end(Seconds{103.1}), Seconds{105.0});
  // Pieces end with their task: 46 to 50.
  EXPECT_EQ(course.not_begun(Seconds{120.9}), (ItemRange{50, 60}));
  EXPECT_EQ(course.not_begun(Seconds{126.0}), (ItemRange{60, 60}));
}

TEST_F(CourseTest, of_whole_tasks_has_begun_the_whole_task) {
  pace.mode = bag::Mode::mo;
  ChunkCourse const whole{costs, {0, 100}, pace, Seconds{}};

  EXPECT_EQ(whole.not_begun(Seconds{3.0}), (ItemRange{50, 100}));
  EXPECT_EQ(whole.not_begun(Seconds{30.0}), (ItemRange{100, 100}));
}

TEST_F(CourseTest, shows_others_what_it_is_at) {
  bag::WorkerView const view = course.view(Seconds{103.5}, Speed{4.0});

  EXPECT_EQ(view.not_begun, (ItemRange{18, 60}));
  EXPECT_EQ(view.begun, Work{8.0});
  EXPECT_NEAR(view.since.value(), 0.5, 1e-9);
  // 1.5 s of its piece, and 84 of work.
  EXPECT_NEAR(bag::time_left(view, bag.work_of(view.not_begun)).value(), 22.5, 1e-9);
}

TEST_F(CourseTest, gives_its_tail_away_once) {
  EXPECT_FALSE(course.take_tail(Seconds{103.5}, {17, 60}));  // begun
  EXPECT_FALSE(course.take_tail(Seconds{103.5}, {30, 59}));  // no tail
  EXPECT_TRUE(course.take_tail(Seconds{103.5}, {30, 60}));
  EXPECT_FALSE(course.take_tail(Seconds{103.5}, {30, 60}));
  EXPECT_EQ(course.items(), (ItemRange{10, 30}));
  EXPECT_EQ(course.end(), Seconds{111.0});
  course.take_all(Seconds{104.0});
  EXPECT_EQ(course.items(), (ItemRange{10, 18}));
  EXPECT_TRUE(course.not_begun(Seconds{104.0}).empty());
}

TEST_F(CourseTest, goes_on_at_another_speed) {
  course.change_speed(Seconds{104.0}, Speed{1.0});

  // 12 of 100 are done.
  EXPECT_EQ(course.end(), Seconds{192.0});
  EXPECT_EQ(course.reached(Seconds{104.0}), 16);
  EXPECT_EQ(course.reached(Seconds{106.0}), 17);
  // It has been at its piece for a second at the one speed and for three at the other: as slow as
  // it shows.
  bag::WorkerView const view = course.view(Seconds{107.0}, Speed{4.0});
  EXPECT_GT(view.since, Seconds{3.0});
  course.change_speed(Seconds{110.0}, Speed{4.0});
  EXPECT_NEAR(course.end().value(), 110.0 + 82.0 / 4.0, 1e-9);
}

TEST_F(CourseTest, stays_where_it_is_without_speed) {
  course.change_speed(Seconds{104.0}, Speed{});

  EXPECT_TRUE(std::isinf(course.end().value()));
  EXPECT_EQ(course.reached(Seconds{1e6}), 16);
  EXPECT_NEAR(course.view(Seconds{114.0}, Speed{4.0}).since.value(), 11.0, 1e-9);
}

}  // namespace
}  // namespace makespan::sim
