// SPDX-License-Identifier: Apache-2.0
// Goal: a phase ends when all is done, never before, and always. Method: single rules. Whole
// phases: tests/graph/object/quiescence_worlds_test.cpp.
#include "makespan/graph/protocol/quiescence.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace makespan::graph {
namespace {

// Of one place.
ImageState idle(std::int64_t version, MessageCounts const& counts) {
  return {.version = version, .is_idle = true, .places = {{.counts = counts}}};
}
ImageState busy(std::int64_t version) {
  return {.version = version};
}

TEST(Quiescence, A_single_image_is_not_asked) {
  Quiescence quiescence(1);

  EXPECT_EQ(quiescence.report(0, idle(1, {.sent = 3, .processed = 2})).quiet, Quiet::no);
  EXPECT_EQ(quiescence.report(0, idle(3, {.sent = 3, .processed = 3})).quiet, Quiet::yes);
}

TEST(Quiescence, A_message_under_way_is_no_end) {
  Quiescence quiescence(2);

  EXPECT_FALSE(quiescence.report(0, idle(1, {.sent = 1})).question);
  EXPECT_FALSE(quiescence.report(1, idle(1, {})).question);
  EXPECT_TRUE(quiescence.report(1, idle(3, {.processed = 1})).question);
}

TEST(Quiescence, A_report_that_was_overtaken_says_nothing) {
  Quiescence quiescence(2);
  static_cast<void>(quiescence.report(0, idle(3, {.sent = 2})));

  EXPECT_FALSE(quiescence.report(0, idle(1, {})).question);

  EXPECT_FALSE(quiescence.report(1, idle(1, {})).question) << "two messages are under way";
}

TEST(Quiescence, An_image_that_has_worked_since_its_report_spoils_the_answers) {
  Quiescence quiescence(2);
  static_cast<void>(quiescence.report(0, idle(1, {.sent = 1, .processed = 1})));
  auto const question = quiescence.report(1, idle(1, {.sent = 1, .processed = 1})).question;
  ASSERT_TRUE(question);

  EXPECT_EQ(quiescence.answer(0, *question, busy(2)).quiet, Quiet::no);
  Verdict const last = quiescence.answer(1, *question, busy(2));
  EXPECT_EQ(last.quiet, Quiet::no);
  EXPECT_FALSE(last.question) << "both were busy and will report";
  static_cast<void>(quiescence.report(0, idle(3, {.sent = 1, .processed = 2})));
  EXPECT_TRUE(quiescence.report(1, idle(3, {.sent = 2, .processed = 1})).question);
}

TEST(Quiescence, An_image_that_was_busy_and_is_idle_again_with_the_same_counts_is_asked_again) {
  Quiescence quiescence(2);
  static_cast<void>(quiescence.report(0, idle(1, {})));
  auto const first = quiescence.report(1, idle(1, {})).question;
  ASSERT_TRUE(first);
  static_cast<void>(quiescence.answer(0, *first, idle(1, {})));

  Verdict const second = quiescence.answer(1, *first, idle(3, {}));

  EXPECT_EQ(second.quiet, Quiet::no);
  ASSERT_TRUE(second.question);
  static_cast<void>(quiescence.answer(0, *second.question, idle(1, {})));
  EXPECT_EQ(quiescence.answer(1, *second.question, idle(3, {})).quiet, Quiet::yes);
}

TEST(Quiescence, A_report_that_came_before_its_spoilt_answer_is_not_forgotten) {
  Quiescence quiescence(2);
  static_cast<void>(quiescence.report(0, idle(1, {.sent = 1})));
  auto const first = quiescence.report(1, idle(1, {.processed = 1})).question;
  ASSERT_TRUE(first);
  // 1 sends to 0. Each is asked while it is busy, and reports before its answer is there.
  static_cast<void>(quiescence.report(0, idle(3, {.sent = 1, .processed = 1})));
  static_cast<void>(quiescence.report(1, idle(3, {.sent = 1, .processed = 1})));
  EXPECT_EQ(quiescence.answer(0, *first, busy(2)).quiet, Quiet::no);

  Verdict const last = quiescence.answer(1, *first, busy(2));

  ASSERT_TRUE(last.question) << "no image will report any more: ask again at once";
  static_cast<void>(quiescence.answer(0, *last.question, idle(3, {.sent = 1, .processed = 1})));
  EXPECT_EQ(quiescence.answer(1, *last.question, idle(3, {.sent = 1, .processed = 1})).quiet,
            Quiet::yes);
}

TEST(Quiescence, Only_messages_that_no_place_can_take_are_left) {
  MessageCounts const counts{.sent = 2, .processed = 1, .kept = 1};
  Quiescence one(1);
  EXPECT_EQ(one.report(0, idle(1, counts)).quiet, Quiet::starved);

  Quiescence two(2);
  static_cast<void>(two.report(0, idle(1, counts)));
  auto const question = two.report(1, idle(1, {})).question;
  ASSERT_TRUE(question);
  static_cast<void>(two.answer(0, *question, idle(1, counts)));
  EXPECT_EQ(two.answer(1, *question, idle(1, {})).quiet, Quiet::starved);
}

TEST(Quiescence, The_lost_are_not_waited_for) {
  Quiescence quiescence(3);
  quiescence.leave_out(1);
  static_cast<void>(quiescence.report(0, idle(1, {})));

  auto const question = quiescence.report(2, idle(1, {})).question;

  ASSERT_TRUE(question);
  static_cast<void>(quiescence.answer(0, *question, idle(1, {})));
  EXPECT_EQ(quiescence.answer(2, *question, idle(1, {})).quiet, Quiet::yes);
}

}  // namespace
}  // namespace makespan::graph
