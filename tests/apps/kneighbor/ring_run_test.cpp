// SPDX-License-Identifier: Apache-2.0
// Goal: all messages come, whole, and all work is done, wherever objects are and however they move.
// Method: counts that are known, checksums, and the work of each object done once more by itself.
#include "makespan/apps/kneighbor/ring_run.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "makespan/apps/kneighbor/detail/message_words.hpp"
#include "makespan/apps/kneighbor/detail/talker.hpp"
#include "makespan/base/error.hpp"
#include "makespan/graph/object/object_world.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::kneighbor {
namespace {

class RingRun : public testing::TestWithParam<int> {
 protected:
  [[nodiscard]] Outcome run(Settings const& settings, graph::BalanceWhen when) {
    graph::WorldOptions options{.threads = GetParam()};
    options.balance.trigger.when = when;
    graph::ObjectWorld world(*runtime_, options);
    return run_all(world, settings);
  }
  void expect_all_came(Settings const& settings, Outcome const& outcome) {
    EXPECT_EQ(outcome.tally.messages, messages_of(settings));
    EXPECT_EQ(outcome.tally.bytes, messages_of(settings) * settings.bytes);
    EXPECT_EQ(outcome.tally.damaged, 0);
    for (int index = 0; index < settings.objects; ++index) {
      std::uint64_t const expected = turn(static_cast<std::uint64_t>(index),
                                          settings.rounds() * WorkTurns(settings).of(index));
      EXPECT_EQ(outcome.work[static_cast<std::size_t>(index)], expected);
    }
  }
  // One for all tests: beginning and ending a job takes longer than they do.
  static void SetUpTestSuite() {
    runtime_ = std::make_unique<pgas::Runtime>(pgas::RuntimeOptions{.threads = 2});
  }
  static void TearDownTestSuite() {
    runtime_->finish_all();
    runtime_.reset();
  }

  inline static std::unique_ptr<pgas::Runtime> runtime_;
};

TEST_P(RingRun, All_messages_come_back) {
  Settings const settings{
      .objects = 20, .neighbours = 3, .bytes = 256, .steps = 2, .iterations = 5};

  auto const outcome = run(settings, graph::BalanceWhen::never);

  EXPECT_EQ(outcome.tally.messages, 2 * 3 * 20 * 5 * 2);
  expect_all_came(settings, outcome);
}

TEST_P(RingRun, Without_echo_objects_may_run_ahead) {
  Settings const settings{.objects = 11,
                          .neighbours = 1,
                          .bytes = 64,
                          .steps = 2,
                          .iterations = 20,
                          .echo = Echo::off,
                          .law = WorkLaw::ramp};

  auto const outcome = run(settings, graph::BalanceWhen::never);

  EXPECT_EQ(outcome.tally.messages, 1 * 11 * 20 * 2);
  expect_all_came(settings, outcome);
}

TEST_P(RingRun, Moves_lose_nothing) {
  for (Echo const echo : {Echo::on, Echo::off}) {
    Settings const settings{.objects = 24,
                            .neighbours = 7,
                            .bytes = 1024,
                            .steps = 4,
                            .iterations = 3,
                            .echo = echo,
                            .law = WorkLaw::quadratic,
                            .work_turns = 1000,
                            .map = graph::InitialMap::round_robin};

    expect_all_came(settings, run(settings, graph::BalanceWhen::periodic));
  }
}

TEST_P(RingRun, Messages_may_be_empty_or_longer_than_a_fragment) {
  for (std::int64_t const bytes : {0, 1 << 18}) {
    Settings const settings{
        .objects = 5, .neighbours = 4, .bytes = bytes, .steps = 1, .iterations = 2};

    expect_all_came(settings, run(settings, graph::BalanceWhen::never));
  }
}

TEST_P(RingRun, Phases_are_reported_on_image_0) {
  Settings const settings{
      .objects = 8, .neighbours = 2, .bytes = 8, .steps = 6, .steps_per_phase = 2, .iterations = 2};

  auto const outcome = run(settings, graph::BalanceWhen::automatic);

  bool const is_first = runtime_->image() == ImageId{0};
  EXPECT_EQ(outcome.reports.size(), is_first ? 3U : 0U);
  EXPECT_EQ(outcome.total_s > 0.0, is_first);
}

TEST_P(RingRun, Invalid_settings_are_refused) {
  EXPECT_THROW(static_cast<void>(run({.objects = 0}, graph::BalanceWhen::never)), InputError);
}

INSTANTIATE_TEST_SUITE_P(Threads, RingRun, testing::Values(1, 2));

}  // namespace
}  // namespace makespan::kneighbor
