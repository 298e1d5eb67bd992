// SPDX-License-Identifier: Apache-2.0
// Goal: an answer reaches the operation that asked, once; answers that come late are dropped; the
// table never holds more than its capacity.
#include "makespan/pgas/channel/pending_table.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/base/image_errors.hpp"
#include "recorded_completion.hpp"

namespace makespan::pgas {
namespace {

using fake::RecordedCompletion;

constexpr ImageId pending_target{1};

std::array<std::byte, 3> const bytes{std::byte{1}, std::byte{2}, std::byte{3}};

TEST(PendingTableTest, Answer_reaches_its_waiter_once) {
  PendingTable table(5, 2);
  RecordedCompletion waiter;

  auto const token = table.track(waiter, pending_target);
  ASSERT_TRUE(token);
  EXPECT_TRUE(token->is_tracked());
  EXPECT_EQ(token->channel, 5);
  EXPECT_EQ(table.waiting(), 1);
  table.complete(*token, bytes);
  table.complete(*token, bytes);
  table.refuse(*token, "late");

  EXPECT_EQ(waiter.completed, 1);
  EXPECT_EQ(waiter.calls(), 1);
  EXPECT_EQ(waiter.answer, std::vector<std::byte>(bytes.begin(), bytes.end()));
  EXPECT_EQ(table.waiting(), 0);
}

TEST(PendingTableTest, Answer_lands_where_it_was_wanted) {
  PendingTable table(0, 1);
  RecordedCompletion waiter;
  std::array<std::byte, 3> destination{};

  auto const token = table.track(waiter, pending_target, destination);
  table.complete(*token, bytes);

  EXPECT_EQ(destination, bytes);
  EXPECT_TRUE(waiter.answer.empty());
  EXPECT_EQ(waiter.completed, 1);
}

TEST(PendingTableTest, Answer_of_another_length_is_a_mistake) {
  PendingTable table(0, 1);
  RecordedCompletion waiter;
  std::array<std::byte, 2> destination{};

  auto const token = table.track(waiter, pending_target, destination);

  EXPECT_THROW(table.complete(*token, bytes), BadMessage);
  // Its thread may be another, which would wait on.
  EXPECT_EQ(waiter.refused, 1);
  EXPECT_NE(waiter.refusal.find("an answer of 3 bytes"), std::string::npos) << waiter.refusal;
}

// A waiter of a word has room for no more.
TEST(PendingTableTest, Answer_that_is_longer_than_it_may_be_is_a_mistake) {
  PendingTable table(0, 1);
  RecordedCompletion waiter;

  auto const token = table.track(waiter, pending_target, {}, 2);

  EXPECT_THROW(table.complete(*token, bytes), BadMessage);
  EXPECT_EQ(waiter.refused, 1);
  table.complete(*table.track(waiter, pending_target, {}, 3), bytes);
  EXPECT_EQ(waiter.completed, 1);
}

TEST(PendingTableTest, Refusal_brings_its_text) {
  PendingTable table(0, 1);
  RecordedCompletion waiter;

  table.refuse(*table.track(waiter, pending_target), "no");

  EXPECT_EQ(waiter.refusal, "no");
  EXPECT_EQ(waiter.calls(), 1);
}

TEST(PendingTableTest, Late_answer_does_not_meet_the_next_turn) {
  PendingTable table(0, 1);
  RecordedCompletion first;
  RecordedCompletion second;
  std::array<std::byte, 3> destination{};

  auto const old = table.track(first, pending_target, destination);
  table.forget(first);
  auto const next = table.track(second, pending_target);
  table.complete(*old, bytes);
  table.refuse(*old, "late");

  EXPECT_EQ(next->slot, old->slot);
  EXPECT_NE(next->turn, old->turn);
  EXPECT_EQ(first.calls(), 0);
  EXPECT_EQ(second.calls(), 0);
  EXPECT_EQ(destination, (std::array<std::byte, 3>{}));  // unchanged: its owner has taken it back
  EXPECT_EQ(table.waiting(), 1);
}

TEST(PendingTableTest, Tokens_of_many_turns_differ) {
  PendingTable table(0, 3);
  RecordedCompletion waiter;
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;

  for (int turn = 0; turn < 100; ++turn) {
    auto const token = table.track(waiter, pending_target);
    ASSERT_TRUE(token && token->is_tracked());
    EXPECT_TRUE(seen.emplace(token->slot, token->turn).second);
    EXPECT_TRUE(table.untrack(*token));
  }

  EXPECT_EQ(waiter.calls(), 0);
  EXPECT_EQ(table.waiting(), 0);
}

TEST(PendingTableTest, Capacity_is_kept) {
  PendingTable table(0, 3);
  RecordedCompletion waiter;

  std::vector<WireToken> tokens;
  while (auto const token = table.track(waiter, pending_target)) tokens.push_back(*token);

  EXPECT_EQ(tokens.size(), 3U);
  EXPECT_EQ(table.waiting(), 3);
  table.complete(tokens[1], {});
  EXPECT_TRUE(table.track(waiter, pending_target));
  EXPECT_FALSE(table.track(waiter, pending_target));
}

TEST(PendingTableTest, Loss_of_an_image_fails_those_that_wait_for_it) {
  PendingTable table(0, 4);
  RecordedCompletion lost;
  RecordedCompletion well;

  auto const late = table.track(lost, pending_target);
  static_cast<void>(table.track(lost, pending_target));
  auto const token = table.track(well, ImageId{2});

  EXPECT_EQ(table.fail_all(pending_target), 2);
  EXPECT_EQ(table.fail_all(pending_target), 0);
  table.complete(*late, bytes);
  table.complete(*token, bytes);
  EXPECT_EQ(lost.failed, 2);
  EXPECT_EQ(lost.calls(), 2);
  EXPECT_EQ(lost.lost, pending_target);
  EXPECT_EQ(well.completed, 1);
  EXPECT_EQ(well.failed, 0);
}

// As where the others have given this image up, or its runtime ends.
TEST(PendingTableTest, Rest_fails_by_the_loss_of_this_image) {
  PendingTable table(0, 4);
  RecordedCompletion first;
  RecordedCompletion second;
  auto const late = table.track(first, pending_target);
  static_cast<void>(table.track(second, ImageId{2}));

  EXPECT_EQ(table.fail_rest(ImageId{0}), 2);
  EXPECT_EQ(table.fail_rest(ImageId{0}), 0);

  for (RecordedCompletion const* const each : {&first, &second}) {
    EXPECT_EQ(each->failed, 1);
    EXPECT_EQ(each->lost, ImageId{0});
  }
  EXPECT_EQ(table.waiting(), 0);
  EXPECT_FALSE(table.untrack(*late));
  table.complete(*late, bytes);
  EXPECT_EQ(first.calls(), 1);
}

TEST(PendingTableTest, Forgetting_drops_all_pieces_of_one_waiter) {
  PendingTable table(0, 4);
  RecordedCompletion left;
  RecordedCompletion stays;

  auto const a = table.track(left, pending_target);
  auto const b = table.track(stays, pending_target);
  auto const c = table.track(left, ImageId{2});
  table.forget(left);

  EXPECT_EQ(table.waiting(), 1);
  for (auto const& token : {a, b, c}) table.complete(*token, bytes);
  EXPECT_EQ(left.calls(), 0);
  EXPECT_EQ(stays.completed, 1);
}

TEST(PendingTableTest, Token_of_another_table_is_a_mistake) {
  PendingTable table(0, 1);

  EXPECT_THROW(table.complete({.slot = 0, .turn = 1, .channel = 1}, {}), ContractViolated);
  EXPECT_THROW(table.complete({.slot = 1, .turn = 1, .channel = 0}, {}), ContractViolated);
}

}  // namespace
}  // namespace makespan::pgas
