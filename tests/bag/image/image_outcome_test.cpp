// SPDX-License-Identifier: Apache-2.0
// Goal: what came of an image's part arrives as it was sent. Method: there and back.
#include "makespan/bag/image/detail/image_outcome.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <stdexcept>

namespace makespan::bag {
namespace {

TEST(ImageOutcome, arrives_as_it_was_sent) {
  ImageOutcome sent;
  sent.report.busy = {Seconds{1.0}, Seconds{2.0}};
  sent.report.work = {Work{3.0}, Work{4.0}};
  sent.report.makespan = Seconds{5.0};
  sent.report.ideal = Seconds{6.0};
  sent.report.speed = Speed{1.5};
  sent.report.work_done = Work{7.0};
  sent.report.claims = 8;
  sent.report.steals = 9;
  sent.report.failed_devices = {1};
  sent.report.overdue = {{.thread = 1,
                          .task = TaskId{2},
                          .items = {3, 4},
                          .at_it = Seconds{5.0},
                          .predicted = Seconds{6.0},
                          .is_lost = true}};
  sent.report.complete = true;
  sent.failure = "text";
  sent.device_failure = "out of memory";
  trace::Clock::time_point const begin{std::chrono::seconds(10)};
  sent.spans = {{},
                {{.kind = trace::SpanKind::steal,
                  .begin = begin,
                  .end = begin + std::chrono::milliseconds(11),
                  .task = TaskId{12},
                  .items = 13}}};

  ImageOutcome const got = outcome_from(bytes_of(sent));

  EXPECT_EQ(got.report.busy, sent.report.busy);
  EXPECT_EQ(got.report.work, sent.report.work);
  EXPECT_EQ(got.report.makespan, sent.report.makespan);
  EXPECT_EQ(got.report.ideal, sent.report.ideal);
  EXPECT_EQ(got.report.speed, sent.report.speed);
  EXPECT_EQ(got.report.work_done, sent.report.work_done);
  EXPECT_EQ(got.report.claims, 8);
  EXPECT_EQ(got.report.steals, 9);
  EXPECT_EQ(got.report.failed_devices, sent.report.failed_devices);
  ASSERT_EQ(got.report.overdue.size(), 1U);
  OverduePiece const& overdue = got.report.overdue.front();
  EXPECT_EQ(overdue.thread, 1);
  EXPECT_EQ(overdue.task, TaskId{2});
  EXPECT_EQ(overdue.items, (ItemRange{3, 4}));
  EXPECT_EQ(overdue.at_it, Seconds{5.0});
  EXPECT_EQ(overdue.predicted, Seconds{6.0});
  EXPECT_TRUE(overdue.is_lost);
  EXPECT_TRUE(got.report.complete);
  EXPECT_EQ(got.failure, "text");
  EXPECT_EQ(got.device_failure, "out of memory");
  ASSERT_EQ(got.spans.size(), 2U);
  EXPECT_TRUE(got.spans[0].empty());
  ASSERT_EQ(got.spans[1].size(), 1U);
  trace::Span const& span = got.spans[1].front();
  EXPECT_EQ(span.kind, trace::SpanKind::steal);
  EXPECT_EQ(span.begin, begin);
  EXPECT_EQ(span.end - span.begin, std::chrono::milliseconds(11));
  EXPECT_EQ(span.task, TaskId{12});
  EXPECT_EQ(span.items, 13);
}

TEST(ImageOutcome, that_ends_too_early_is_refused) {
  ImageOutcome sent;
  sent.report.busy = {Seconds{1.0}};
  sent.failure = "text";
  sent.spans = {{}, {{.kind = trace::SpanKind::run}}};
  std::vector<std::byte> const whole = bytes_of(sent);

  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW(static_cast<void>(outcome_from(std::span(whole).first(length))), std::out_of_range)
        << length;
  }
}

// Before room is made for them, which there would not be.
TEST(ImageOutcome, of_more_than_there_are_bytes_is_refused) {
  std::vector<std::byte> const whole = bytes_of({});
  std::size_t const threads_at = whole.size() - sizeof(std::uint64_t);
  for (std::size_t const at : {std::size_t{0}, threads_at}) {
    for (std::uint64_t const count :
         {std::uint64_t{1} << 40U, std::uint64_t{1} << 61U, ~std::uint64_t{0}}) {
      std::vector<std::byte> bytes = whole;
      std::memcpy(bytes.data() + at, &count, sizeof count);
      EXPECT_THROW(static_cast<void>(outcome_from(bytes)), std::out_of_range) << at << ' ' << count;
    }
  }
}

}  // namespace
}  // namespace makespan::bag
