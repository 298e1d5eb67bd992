// SPDX-License-Identifier: Apache-2.0
// Goal: the state of an image is of one moment at which all its places were idle, and whenever they
// are, one place says so. Method: single rules; then threads that pass each other tokens.
#include "makespan/graph/object/detail/idle_places.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <thread>
#include <vector>

namespace makespan::graph {
namespace {

IdleNote note_of(std::int64_t sent, std::int64_t processed, std::int64_t phase = 0) {
  return {.phase = phase, .state = {.counts = {.sent = sent, .processed = processed}}};
}

TEST(IdlePlaces, The_last_that_becomes_idle_has_the_state_of_all) {
  IdlePlaces places(3);
  EXPECT_FALSE(places.become_idle(1, note_of(1, 2)));
  EXPECT_FALSE(places.become_idle(0, note_of(3, 4)));

  auto const state = places.become_idle(2, {.state = {.counts = {.sent = 5, .kept = 1},
                                                      .busy_wall_s = 0.5,
                                                      .busy_cpu_s = 0.25,
                                                      .gathering_s = 0.125}});

  ASSERT_TRUE(state);
  EXPECT_TRUE(state->is_idle);
  ASSERT_EQ(state->places.size(), 3U);
  EXPECT_EQ(state->places[0].counts.sent, 3);
  EXPECT_EQ(state->places[1].counts.processed, 2);
  EXPECT_EQ(state->places[2].busy_wall_s, 0.5);
  EXPECT_EQ(state->places[2].busy_cpu_s, 0.25);
  EXPECT_EQ(state->places[2].gathering_s, 0.125);
  EXPECT_EQ(state->counts(), (MessageCounts{.sent = 9, .processed = 6, .kept = 1}));
}

TEST(IdlePlaces, A_place_that_is_busy_again_is_waited_for) {
  IdlePlaces places(2);
  static_cast<void>(places.become_idle(0, note_of(1, 0)));
  places.become_busy(0);
  EXPECT_FALSE(places.is_idle(0));

  EXPECT_FALSE(places.become_idle(1, note_of(0, 1)));
  EXPECT_FALSE(places.look().is_idle);
  auto const state = places.become_idle(0, note_of(2, 2));

  ASSERT_TRUE(state);
  EXPECT_EQ(state->places[0].counts.sent, 2) << "what it said last";
}

TEST(IdlePlaces, That_are_in_different_steps_are_not_idle_together) {
  IdlePlaces places(2);
  static_cast<void>(places.become_idle(0, {.phase = 3, .step = 1}));

  EXPECT_FALSE(places.become_idle(1, {.phase = 3, .step = 2}));
  EXPECT_FALSE(places.look().is_idle);
}

TEST(IdlePlaces, Versions_rise_with_each_change_and_with_no_other) {
  IdlePlaces places(1);
  auto const first = places.become_idle(0, note_of(0, 0));
  ASSERT_TRUE(first);
  EXPECT_EQ(places.look().version, first->version);
  EXPECT_TRUE(places.look().is_idle);

  places.become_busy(0);
  places.become_busy(0);
  std::int64_t const busy = places.look().version;
  EXPECT_EQ(busy, first->version + 1);
  EXPECT_FALSE(places.look().is_idle);
  EXPECT_TRUE(places.look().places.empty());
  auto const second = places.become_idle(0, note_of(0, 0));

  ASSERT_TRUE(second);
  EXPECT_EQ(second->version, busy + 1);
}

TEST(IdlePlaces, Places_in_different_phases_are_not_idle_together) {
  IdlePlaces places(2);
  static_cast<void>(places.become_idle(0, note_of(0, 0, 3)));
  EXPECT_FALSE(places.become_idle(1, note_of(0, 0, 4))) << "place 0 has yet to begin phase 4";
  EXPECT_FALSE(places.look().is_idle);
  places.become_busy(0);

  EXPECT_TRUE(places.become_idle(0, note_of(0, 0, 4)));

  places.become_busy(0);
  EXPECT_FALSE(places.become_idle(0, {.generation = 1, .phase = 4}));
}

// Each thread has a mailbox that is a number, and takes one token after the other. A token that is
// taken may breed another, for any thread.
class TokenThreads {
 public:
  TokenThreads(int threads, int tokens)
      : idle_(threads), boxes_(static_cast<std::size_t>(threads)) {
    for (auto& box : boxes_) box = tokens;
    std::vector<std::jthread> running;
    for (int thread = 0; thread < threads; ++thread) {
      running.emplace_back([this, thread, tokens] { run(thread, tokens); });
    }
  }
  [[nodiscard]] int ends() const { return ends_; }
  [[nodiscard]] int left() const {
    int sum = 0;
    for (auto const& box : boxes_) sum += box;
    return sum;
  }
  [[nodiscard]] int left_at_end() const { return left_at_end_; }

 private:
  void run(int thread, int tokens) {
    auto const at = static_cast<std::size_t>(thread);
    std::uint32_t random = 17U + static_cast<std::uint32_t>(thread);
    MessageCounts counts{.sent = tokens};
    while (ends_ == 0) {
      while (boxes_[at] > 0) {
        idle_.become_busy(thread);
        --boxes_[at];
        random = random * 1664525U + 1013904223U;
        // 127 of 128 are passed on.
        if ((random >> 10U) % 128U != 0) {
          ++counts.sent;
          ++boxes_[(random >> 20U) % boxes_.size()];
        }
        ++counts.processed;
      }
      if (idle_.is_idle(thread)) {
        std::this_thread::yield();
        continue;
      }
      auto const state = idle_.become_idle(thread, {.state = {.counts = counts}});
      if (!state || state->counts().open() != 0) continue;
      left_at_end_ = left();
      ++ends_;
    }
  }

  IdlePlaces idle_;
  std::vector<std::atomic<int>> boxes_;
  std::atomic<int> ends_{0};
  int left_at_end_{0};
};

TEST(IdlePlaces, One_of_many_threads_sees_the_end_and_none_before) {
  for (int const threads : {1, 2, 5}) {
    for (int round = 0; round < 20; ++round) {
      TokenThreads const world(threads, 50);
      ASSERT_EQ(world.ends(), 1);
      ASSERT_EQ(world.left_at_end(), 0) << "tokens were under way";
    }
  }
}

}  // namespace
}  // namespace makespan::graph
