// SPDX-License-Identifier: Apache-2.0
// Goal: the report of a job has a column for every thread and a number for every device of all
// images, also where an image is lost. Method: outcomes made by hand.
#include "makespan/bag/image/detail/joined_outcomes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "makespan/bag/device_failed.hpp"

namespace makespan::bag {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// Images of two, one and two threads, one device each.
ImageRoster roster() {
  return {.first_worker = {0, 2, 3, 5},
          .first_device = {0, 1, 2, 3},
          .first_thread = {0, 2, 3, 5},
          .modes = {}};
}

ImageOutcome outcome(std::vector<Seconds> busy, std::vector<Work> work) {
  ImageOutcome one;
  for (Work const each : work) one.report.work_done += each;
  one.report.busy = std::move(busy);
  one.report.work = std::move(work);
  one.report.speed = one.report.work_done / Seconds{2.0};
  one.report.complete = true;
  one.report.claims = 3;
  one.report.steals = 1;
  return one;
}

TEST(JobReport, sums_what_images_did) {
  std::vector<std::optional<ImageOutcome>> const outcomes{
      outcome({Seconds{1.0}, Seconds{2.0}}, {Work{10.0}, Work{30.0}}),
      outcome({Seconds{3.0}}, {Work{20.0}}),
      outcome({Seconds{4.0}, Seconds{5.0}}, {Work{30.0}, Work{10.0}})};

  JobReport const job = join_outcomes(roster(), outcomes, {.makespan = Seconds{2.5}});

  EXPECT_EQ(job.together.busy,
            (std::vector{Seconds{1.0}, Seconds{2.0}, Seconds{3.0}, Seconds{4.0}, Seconds{5.0}}));
  EXPECT_EQ(job.together.work_done, Work{100.0});
  EXPECT_EQ(job.together.makespan, Seconds{2.5});
  // 100 over the speeds 20, 10 and 20 of the images.
  EXPECT_EQ(job.together.ideal, Seconds{2.0});
  EXPECT_EQ(job.together.claims, 9);
  EXPECT_EQ(job.together.steals, 3);
  EXPECT_TRUE(job.together.failed_devices.empty());
  EXPECT_TRUE(job.failures.empty());
}

TEST(JobReport, counts_the_speed_of_an_image_that_came_too_late) {
  auto late = outcome({Seconds{}}, {Work{}});
  late.report.speed = Speed{30.0};
  std::vector<std::optional<ImageOutcome>> const outcomes{
      outcome({Seconds{1.0}, Seconds{2.0}}, {Work{10.0}, Work{30.0}}), late,
      outcome({Seconds{4.0}, Seconds{5.0}}, {Work{50.0}, Work{10.0}})};

  JobReport const job = join_outcomes(roster(), outcomes, {.makespan = Seconds{2.5}});

  // 100 over the speeds 20, 30 and 30.
  EXPECT_EQ(job.together.ideal, Seconds{1.25});
}

TEST(JobReport, says_of_each_image_whether_the_bag_is_complete) {
  std::vector<std::optional<ImageOutcome>> outcomes{
      outcome({Seconds{1.0}, Seconds{2.0}}, {Work{10.0}, Work{30.0}}), std::nullopt,
      outcome({Seconds{}, Seconds{}}, {Work{}, Work{}})};

  for (bool const is_complete : {false, true}) {
    outcomes[2]->report.complete = !is_complete;
    JobReport const job =
        join_outcomes(roster(), outcomes, {.makespan = Seconds{2.5}, .complete = is_complete});
    EXPECT_EQ(job.together.complete, is_complete);
    EXPECT_EQ(job.by_image[0]->complete, is_complete);
    EXPECT_EQ(job.by_image[2]->complete, is_complete);
  }
}

TEST(JobReport, keeps_columns_of_the_lost) {
  std::vector<std::optional<ImageOutcome>> const outcomes{
      outcome({Seconds{1.0}, Seconds{2.0}}, {Work{10.0}, Work{30.0}}), std::nullopt,
      outcome({Seconds{4.0}, Seconds{5.0}}, {Work{30.0}, Work{10.0}})};

  JobReport const job = join_outcomes(roster(), outcomes, {.makespan = Seconds{2.5}});

  EXPECT_EQ(job.together.busy,
            (std::vector{Seconds{1.0}, Seconds{2.0}, Seconds{0.0}, Seconds{4.0}, Seconds{5.0}}));
  EXPECT_EQ(job.together.work[2], Work{0.0});
  EXPECT_EQ(job.together.failed_devices, std::vector{1});
  EXPECT_FALSE(job.by_image[1].has_value());
  EXPECT_TRUE(job.by_image[2].has_value());
}

// One whose part ended before its threads began.
TEST(JobReport, keeps_columns_of_images_that_tell_of_no_threads) {
  std::vector<std::optional<ImageOutcome>> const outcomes{
      outcome({Seconds{1.0}, Seconds{2.0}}, {Work{10.0}, Work{30.0}}), outcome({}, {}),
      outcome({Seconds{4.0}}, {Work{50.0}})};

  JobReport const job = join_outcomes(roster(), outcomes, {.makespan = Seconds{2.5}});

  EXPECT_EQ(job.together.busy,
            (std::vector{Seconds{1.0}, Seconds{2.0}, Seconds{}, Seconds{4.0}, Seconds{}}));
  EXPECT_EQ(job.together.work.size(), 5U);
}

TEST(JobReport, numbers_failed_devices_and_failures_through) {
  auto third = outcome({Seconds{}, Seconds{}}, {Work{}, Work{}});
  third.report.failed_devices = {0};
  third.failure = "trouble";
  third.report.overdue = {{.thread = 1, .task = TaskId{7}}};
  std::vector<std::optional<ImageOutcome>> const outcomes{
      outcome({Seconds{1.0}, Seconds{2.0}}, {Work{10.0}, Work{30.0}}),
      outcome({Seconds{3.0}}, {Work{20.0}}), third};

  JobReport const job = join_outcomes(roster(), outcomes, {.makespan = Seconds{2.5}});

  EXPECT_EQ(job.together.failed_devices, std::vector{2});
  ASSERT_EQ(job.together.overdue.size(), 1U);
  EXPECT_EQ(job.together.overdue.front().thread, 4);
  ASSERT_EQ(job.failures.size(), 1U);
  EXPECT_EQ(job.failures[0].first, 2);
  EXPECT_EQ(job.failures[0].second, "trouble");
}

TEST(JobReport, says_why_the_first_image_has_no_device_left) {
  auto second = outcome({Seconds{3.0}}, {Work{20.0}});
  second.device_failure = "cuda:0: out of memory";
  auto third = outcome({Seconds{}, Seconds{}}, {Work{}, Work{}});
  third.device_failure = "cuda:1: out of memory";
  std::vector<std::optional<ImageOutcome>> const outcomes{
      outcome({Seconds{1.0}, Seconds{2.0}}, {Work{10.0}, Work{30.0}}), second, third};

  JobReport job = join_outcomes(roster(), outcomes, {.makespan = Seconds{2.5}});

  EXPECT_THAT([&] { expect_success(job, false); },
              ThrowsMessage<DeviceFailed>(HasSubstr("on image 1: cuda:0: out of memory")));
  EXPECT_NO_THROW(expect_success(job, true));
  // Others have done its part.
  job.together.complete = true;
  EXPECT_NO_THROW(expect_success(job, false));
}

}  // namespace
}  // namespace makespan::bag
