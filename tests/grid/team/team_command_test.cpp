// SPDX-License-Identifier: Apache-2.0
// Goal: a command arrives as it was given, and one that this build does not know is refused.
// Method: there and back, cut, and with one byte made wrong.
#include "makespan/grid/team/detail/team_command.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "makespan/base/error.hpp"

namespace makespan::grid {
namespace {

TeamCommand some_command() {
  return {.verb = Verb::gather,
          .order = {.kind = "diffusion", .bytes = std::vector<std::byte>(5)},
          .options = {.devices = 3,
                      .gpus = 11,
                      .schedule = Schedule::none,
                      .blocks = 5,
                      .block_order = BlockOrder::near_first,
                      .route = Route::relayed,
                      .cut = ImageCut::boxes,
                      .layers = {.share = HostShare::all,
                                 .thickness = 2,
                                 .thickness_y = 3,
                                 .thickness_x = 4,
                                 .is_free = true},
                      .speeds = {1.5, 2},
                      .plane_weights = {3, 4},
                      .point_times = {0.5, 0.25},
                      .steps_at_once = 12,
                      .rebalance_steps = 13,
                      .first_look = 6,
                      .phases_kept = 7},
          .field = 2,
          .box = {{1, 2, 3}, {4, 5, 6}},
          .number = 8,
          .later = 10,
          .word = std::vector<std::byte>(9)};
}

TEST(TeamCommand, arrives_as_it_was_given) {
  TeamCommand const sent = some_command();

  TeamCommand const got = command_from(bytes_of(sent));

  EXPECT_EQ(got.verb, sent.verb);
  EXPECT_EQ(got.order.kind, "diffusion");
  EXPECT_EQ(got.order.bytes, sent.order.bytes);
  EXPECT_EQ(got.options.devices, 3);
  EXPECT_EQ(got.options.gpus, 11);
  EXPECT_EQ(got.options.schedule, Schedule::none);
  EXPECT_EQ(got.options.route, Route::relayed);
  EXPECT_EQ(got.options.cut, ImageCut::boxes);
  EXPECT_EQ(got.options.blocks, 5);
  EXPECT_EQ(got.options.block_order, BlockOrder::near_first);
  EXPECT_EQ(got.options.layers.share, HostShare::all);
  EXPECT_EQ(got.options.layers.thickness, 2);
  EXPECT_EQ(got.options.layers.thickness_y, 3);
  EXPECT_EQ(got.options.layers.thickness_x, 4);
  EXPECT_TRUE(got.options.layers.is_free);
  EXPECT_EQ(got.options.speeds, sent.options.speeds);
  EXPECT_EQ(got.options.plane_weights, sent.options.plane_weights);
  EXPECT_EQ(got.options.point_times, sent.options.point_times);
  EXPECT_EQ(got.options.steps_at_once, 12);
  EXPECT_EQ(got.options.rebalance_steps, 13);
  EXPECT_EQ(got.options.first_look, 6);
  EXPECT_EQ(got.options.phases_kept, 7);
  EXPECT_EQ(got.later, 10);
  EXPECT_EQ(got.field, 2);
  EXPECT_EQ(got.box, sent.box);
  EXPECT_EQ(got.number, 8);
  EXPECT_EQ(got.word, sent.word);
}

TEST(TeamCommand, that_ends_too_early_is_refused) {
  std::vector<std::byte> const whole = bytes_of(some_command());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_THROW(static_cast<void>(command_from(std::span(whole).first(length))), std::out_of_range)
        << length;
  }
}

TEST(TeamCommand, with_an_enumerator_that_there_is_not_is_refused) {
  for (TeamCommand const& command :
       {TeamCommand{.verb = static_cast<Verb>(12)},
        TeamCommand{.options = {.schedule = static_cast<Schedule>(3)}},
        TeamCommand{.options = {.route = static_cast<Route>(2)}},
        TeamCommand{.options = {.block_order = static_cast<BlockOrder>(2)}},
        TeamCommand{.options = {.layers = {static_cast<HostShare>(4)}}},
        TeamCommand{.options = {.cut = static_cast<ImageCut>(200)}}}) {
    EXPECT_THROW(static_cast<void>(command_from(bytes_of(command))), InputError);
  }
}

}  // namespace
}  // namespace makespan::grid
