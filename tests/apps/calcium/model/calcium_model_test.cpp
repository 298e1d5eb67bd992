// SPDX-License-Identifier: Apache-2.0
// Goal: a team's images make the same release unit of an order, and take new sources from then on.
// Method: digests of runs that differ in nothing but who computes; one that would differ if a
// setting were lost on the way.
#include "makespan/apps/calcium/model/calcium_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "makespan/base/error.hpp"

namespace makespan::calcium {
namespace {

CalciumModelSettings settings() {
  CalciumModelSettings settings;
  settings.unit.voxels = {.points = {40, 40, 44}, .spacing = 0.015, .wraps = {.y = true}};
  settings.unit.geometry.jsr_length = 0.3;
  settings.unit.geometry.jsr_width = 0.3;
  settings.unit.geometry.ryr_per_side = 3;
  settings.unit.time_step = 1e-4;
  settings.unit.species = walker_species();
  settings.unit.openings = {{ChannelKind::ryr, 4, 0, 1}, {ChannelKind::lcc, 2, 0.0005, 0.0008}};
  settings.unit.currents = {{.voxel = {1, 2, 3}, .current_pa = 0.5, .open_ms = 0, .close_ms = 1}};
  settings.unit.ryr_conductance = 5e-4;
  settings.unit.pumps = {.serca = true, .exchanger = true, .leaks = false};
  settings.outside = Outside::at_rest;
  return settings;
}

TEST(CalciumModel, is_the_same_made_of_an_order) {
  CalciumModelSettings const given = settings();
  CalciumModel const here(given);
  auto const made = calcium_kind().make(order_of(given).bytes);
  auto const& model = dynamic_cast<CalciumModel const&>(*made);
  using grid::FaceKind;
  EXPECT_THAT(model.problem().faces.kinds,
              testing::ElementsAre(FaceKind::value, FaceKind::value, FaceKind::periodic,
                                   FaceKind::periodic, FaceKind::value, FaceKind::value));
  EXPECT_EQ(model.problem().values.size(), static_cast<std::size_t>(field_count));
  EXPECT_EQ(model.problem().values[0][0], walker_species().ca_rest);
  auto const& unit = dynamic_cast<CalciumUnit const&>(model.stencil());
  auto const& own = dynamic_cast<CalciumUnit const&>(here.stencil());
  EXPECT_EQ(unit.sources().all().size(), own.sources().all().size());
  EXPECT_EQ(unit.sources().all().size(), 4U);
  EXPECT_TRUE(unit.factors().has_pumps);
  EXPECT_EQ(unit.factors().membrane.in, own.factors().membrane.in);
  EXPECT_EQ(unit.factors().membrane.pump, 0);
  EXPECT_EQ(unit.factors().membrane.leak, 0);
  EXPECT_EQ(unit.factors().pumpings[0].uptake.forth4, own.factors().pumpings[0].uptake.forth4);
  for (std::size_t at = 0; at < 4; ++at) {
    EXPECT_EQ(unit.sources().all()[at].voxel, own.sources().all()[at].voxel);
    EXPECT_EQ(unit.sources().all()[at].exchange, own.sources().all()[at].exchange);
    EXPECT_EQ(unit.sources().all()[at].amount, own.sources().all()[at].amount);
  }
}

TEST(CalciumModel, runs_in_a_team_and_heeds_new_sources) {
  grid::GridTeam team({0, 0}, {calcium_kind()});
  if (team.image() != 0) {
    team.serve();
    team.finish_all();
    return;
  }
  std::vector<std::vector<Digest>> digests;
  std::vector<std::vector<Digest>> digests_later;
  std::vector<std::vector<Digest>> digests_last;
  for (int const devices : {1, 2}) {
    team.open(order_of(settings()), {.devices = devices});
    team.start();
    team.run(6);
    digests.push_back(team.digests());
    team.heed(word_of({{.voxel = {20, 20, 9}, .amount = 0.25, .step_begin = 0, .step_end = 100}}));
    team.run(6);
    digests_later.push_back(team.digests());
    EXPECT_GT(team.gather(0, {{20, 20, 9}, {21, 21, 10}}).front(), 0.3);
    team.heed(word_of_network_sr(650));
    team.run(6);
    digests_last.push_back(team.digests());
  }
  EXPECT_THAT(digests, testing::Each(digests.front()));
  EXPECT_THAT(digests_later, testing::Each(digests_later.front()));
  EXPECT_NE(digests.front(), digests_later.front());
  EXPECT_THAT(digests_last, testing::Each(digests_last.front()));
  // The SR is refilled from what it was told.
  CalciumUnit unit(settings().unit);
  CalciumUnit emptied(settings().unit);
  emptied.set_network_sr(650);
  auto const jsr = static_cast<std::size_t>(Region::jsr);
  EXPECT_EQ(unit.factors().reactions[jsr].refill_to, 1000);
  EXPECT_EQ(emptied.factors().reactions[jsr].refill_to, 650);
  EXPECT_NE(emptied.factors().pumpings[0].uptake.all0, unit.factors().pumpings[0].uptake.all0);

  CalciumModelSettings unstable = settings();
  unstable.unit.time_step = 1;
  EXPECT_THROW(team.open(order_of(unstable), {}), InputError);
  team.finish_all();
}

}  // namespace
}  // namespace makespan::calcium
