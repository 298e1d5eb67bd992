// SPDX-License-Identifier: Apache-2.0
// Goal: the coordinator tells the trigger what phases, looks and moves take, of a whole run and of
// what is left after a loss, so that looks come where they are worth it. Method: that of
// coordinator_test.cpp, with a clock that the test turns.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "graph/object/coordinator_story.hpp"
#include "makespan/graph/object/detail/coordinator.hpp"
#include "makespan/graph/object/message/coordinator_messages.hpp"

namespace makespan::graph {
namespace {

WorldPlan plan_with_checkpoints() {
  WorldPlan plan = plan_of_three("random");
  plan.options.checkpoint.every = 10;
  plan.options.balance.trigger = {
      .when = BalanceWhen::automatic, .look_first_s = 1.0, .waste_max = 10.0};
  return plan;
}

// Three equal places until that phase, in which the last one is lost.
void lose_a_place(Story& story, std::int64_t phase) {
  story.post.now_ns = &story.now_ns;
  story.post.sent.push_back({0, {.phase = -1, .number = 0}});
  story.end_phase({0, 1, 2});
  while (story.last().phase < phase) {
    ASSERT_TRUE(story.asks(EnvelopeKind::begin));
    story.end_second({0, 1, 2}, {1.0, 1.0, 1.0});
  }
  story.tell(0, EnvelopeKind::lost, {}, {}, 2);
  ASSERT_TRUE(story.asks(EnvelopeKind::restart));
  for (int const place : {0, 1}) story.tell(place, EnvelopeKind::restored);
}

// What a look costs is worth it where many phases follow, and not for the few that are left.
TEST(Coordinator, knows_after_a_loss_how_many_phases_are_left) {
  Story story(plan_with_checkpoints(), 100);
  ASSERT_NO_FATAL_FAILURE(lose_a_place(story, 95));
  ASSERT_EQ(story.last().phase, 90);

  // A tenth of a phase could be saved in each: over 10 phases no more than the look costs.
  while (story.last().phase < 99) {
    ASSERT_TRUE(story.asks(EnvelopeKind::begin)) << story.last().phase;
    EXPECT_EQ(PhaseOrder::of(story.last().number).measured, Measured::nothing);
    story.end_second({0, 1}, {1.0, 0.8});
  }
}

TEST(Coordinator, looks_after_a_loss_where_many_phases_are_left) {
  Story story(plan_with_checkpoints(), 100);
  ASSERT_NO_FATAL_FAILURE(lose_a_place(story, 15));
  ASSERT_EQ(story.last().phase, 10);

  // The tenth of a phase, now over 90 of them.
  while (!story.is_measured()) {
    ASSERT_TRUE(story.asks(EnvelopeKind::begin)) << story.last().phase;
    ASSERT_LT(story.last().phase, 20) << "no look follows";
    story.end_second({0, 1}, {1.0, 0.8});
  }
}

// Six objects, of which four are at place 0: a second in which the others wait for half of it.
struct UnevenStory : Story {
  static constexpr double long_s = 6.0;  // more than may be wasted in a hundred such phases
  static constexpr int watched = 20;     // phases

  UnevenStory() : Story(plan_of_six(), 100) {
    post.now_ns = &now_ns;
    post.sent.push_back({0, {.phase = -1, .number = 0}});
    end_phase(all_places);
  }
  static WorldPlan plan_of_six() {
    WorldPlan plan = plan_of_three("makespan");
    plan.collections.front().count = plan.objects = 6;
    plan.options.checkpoint.every = 0;
    plan.options.balance.trigger = {.when = BalanceWhen::automatic};
    return plan;
  }

  // Phases until one is measured, which takes so long, and the look after it.
  void end_phases_until_look(double measured_s = 1.0) {
    end_phases_until_measured(watched);
    ASSERT_TRUE(is_measured());
    end_seconds(measured_s, all_places, uneven_s);
    ASSERT_TRUE(asks(EnvelopeKind::look));
  }
  void end_phases_until_measured(int most) {
    for (int phase = 0; phase < most && !is_measured(); ++phase) end_second(all_places, uneven_s);
  }
  void tell_objects(std::vector<std::vector<int>> const& by_place) {
    for (int const place : all_places) tell_loads(place, by_place[static_cast<std::size_t>(place)]);
    ASSERT_TRUE(asks(EnvelopeKind::begin));
  }
  // By place, where they are by the orders of all phases.
  std::vector<std::vector<int>> objects_by_place() const {
    std::vector<int> place_of{0, 0, 0, 0, 1, 2};
    for (StillMessenger::Sent const& each : post.sent) {
      if (each.envelope.kind != EnvelopeKind::begin) continue;
      for (Target const& target : each.envelope.targets) {
        place_of[static_cast<std::size_t>(target.object)] = target.place;
      }
    }
    std::vector<std::vector<int>> objects(all_places.size());
    for (std::size_t object = 0; object < place_of.size(); ++object) {
      objects[static_cast<std::size_t>(place_of[object])].push_back(static_cast<int>(object));
    }
    return objects;
  }
  // To two objects at each place.
  void move_objects() {
    end_phases_until_look();
    tell_objects({{0, 1, 2, 3}, {4}, {5}});
    ASSERT_TRUE(is_measured()) << "it is no trial";
  }

  std::vector<int> const all_places{0, 1, 2};
  std::vector<double> const uneven_s{1.0, 0.25, 0.25};
};

// Frames that are written down, say.
TEST(Coordinator, takes_nothing_that_the_program_does_after_a_phase_for_its_time) {
  UnevenStory story;
  double after_s = 0.0;
  story.program.after = [&](PhaseReport const&) {
    story.pass(after_s);
    return Next::go_on;
  };
  ASSERT_NO_FATAL_FAILURE(story.move_objects());

  after_s = 10.0;
  for (int phase = 0; phase < UnevenStory::watched; ++phase) {
    story.end_seconds(0.5, story.all_places, {0.5, 0.5, 0.5});
    ASSERT_TRUE(story.asks(EnvelopeKind::begin)) << phase;
  }
}

TEST(Coordinator, writes_down_what_measuring_for_a_look_costs) {
  for (bool const is_dear : {false, true}) {
    SCOPED_TRACE(is_dear);
    UnevenStory story;
    ASSERT_NO_FATAL_FAILURE(story.end_phases_until_look(is_dear ? 1.0 + UnevenStory::long_s : 1.0));
    // By loads there is nothing to gain, this time.
    ASSERT_NO_FATAL_FAILURE(story.tell_objects({{0, 1}, {2, 3}, {4, 5}}));
    ASSERT_FALSE(story.is_measured());

    story.end_phases_until_measured(UnevenStory::watched);

    EXPECT_EQ(story.is_measured(), !is_dear) << "the next look";
  }
}

TEST(Coordinator, writes_down_what_the_look_of_a_way_back_costs) {
  for (bool const is_dear : {false, true}) {
    SCOPED_TRACE(is_dear);
    UnevenStory story;
    PhaseReport last{};
    story.program.after = [&](PhaseReport const& report) {
      last = report;
      return Next::go_on;
    };
    ASSERT_NO_FATAL_FAILURE(story.move_objects());
    for (double const phase_s : {1.0, 1.2}) {
      story.end_seconds(phase_s, story.all_places, {0.5, 0.5, 0.5});
    }
    ASSERT_TRUE(story.asks(EnvelopeKind::look)) << "for the way back";
    story.pass(is_dear ? UnevenStory::long_s : 0.0);
    ASSERT_NO_FATAL_FAILURE(story.tell_objects(story.objects_by_place()));
    story.end_second(story.all_places, story.uneven_s);
    EXPECT_DOUBLE_EQ(last.decision_s, is_dear ? UnevenStory::long_s : 0.0);
    // Objects of 8 bytes.
    EXPECT_EQ(last.moved, 2);
    EXPECT_EQ(last.moved_bytes, 16.0);

    story.end_phases_until_measured(UnevenStory::watched);

    EXPECT_EQ(story.is_measured(), !is_dear) << "the next look";
  }
}

}  // namespace
}  // namespace makespan::graph
