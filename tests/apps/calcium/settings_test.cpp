// SPDX-License-Identifier: Apache-2.0
// Goal: a time step that is too long is refused, with the limit; openings become sources.
#include "makespan/apps/calcium/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "makespan/base/error.hpp"

namespace makespan::calcium {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

void expect_refused(CalciumSettings const& settings, std::string const& problem,
                    std::string const& why) {
  EXPECT_THAT([&] { check(settings); },
              ThrowsMessage<InputError>(AllOf(HasSubstr(problem), HasSubstr(why))));
}

CalciumSettings plain(double spacing, double time_step) {
  return {.voxels = {.points = {4, 4, 4}, .spacing = spacing},
          .time_step = time_step,
          .geometry = {.layout = Layout::plain},
          .openings = {}};
}

TEST(CalciumSettings, defaults_can_be_worked_with) {
  EXPECT_NO_THROW(check(CalciumSettings{}));
  // 5 ns at 3 nm.
  CalciumSettings const fine{.voxels = {.points = {200, 120, 120}, .spacing = 0.003},
                             .time_step = 5e-6};
  EXPECT_NO_THROW(check(fine));
}

TEST(CalciumSettings, diffusion_limits_the_time_step) {
  // h²/(6 D): 6.82 ns at 3 nm, 18.9 at 5.
  double const limit = 0.005 * 0.005 / (6 * 0.22);
  EXPECT_NO_THROW(check(plain(0.005, limit)));
  expect_refused(plain(0.005, 1.9e-5), "time_step = 1.9e-05 ms", "up to 1.89394e-05 ms");
  expect_refused(plain(0.003, 7e-6), "diffusion, h²/(6 D)", "up to 6.81818e-06 ms");
}

TEST(CalciumSettings, binding_limits_the_time_step) {
  // ATP at 1300 µM: 337.5/ms.
  EXPECT_NO_THROW(check(plain(1, 2.96e-3)));
  expect_refused(plain(1, 2.97e-3), "binding to buffers", "up to 0.00296296 ms");
}

TEST(CalciumSettings, open_channels_limit_the_time_step) {
  CalciumSettings settings;
  settings.time_step = 1.6e-5;
  EXPECT_NO_THROW(check(settings));
  // 6 D/h² is 52800/ms; a RyR adds 7.752e-4 / h³, 6201.6.
  settings.time_step = 1.7e-5;
  expect_refused(settings, "diffusion beside open channels", "up to 1.69487e-05");
  settings.openings[0].close_ms = 0;
  EXPECT_NO_THROW(check(settings));
}

TEST(CalciumSettings, pumps_limit_the_time_step) {
  // SERCA's rate over c is largest where all0 is all2 c²: 225 µM of a cycle's most, over 2 c.
  CalciumSettings settings = plain(1, 2.9e-3);
  settings.pumps.serca = true;
  EXPECT_NO_THROW(check(settings));
  settings.species.serca.total *= 1000;
  double const limit = 1 / fastest(uptake_in(settings));
  EXPECT_LT(limit, 2.9e-3);
  expect_refused(settings, "time_step = 0.0029 ms", "pumping is stable up to");
  settings.time_step = limit;
  EXPECT_NO_THROW(check(settings));

  settings = CalciumSettings{};
  settings.pumps.exchanger = true;
  EXPECT_NO_THROW(check(settings));
  settings.species.membrane.exchanger_max *= 1e5;
  expect_refused(settings, "time_step = 1.5e-05 ms", "pumping is stable up to");
}

TEST(CalciumSettings, pumps_without_their_place_are_refused) {
  CalciumSettings settings = plain(0.05, 1e-3);
  settings.pumps.exchanger = true;
  expect_refused(settings, "exchanger", "no T-tubule");
  settings.pumps = {.membrane_pump = true};
  expect_refused(settings, "membrane_pump", "no T-tubule");
}

TEST(CalciumSettings, a_rest_that_no_leak_balances_is_refused) {
  CalciumSettings settings;
  settings.pumps.serca = true;
  settings.species.ca_rest = 0.05;
  expect_refused(settings, "ca_rest = 0.05 µM beside a network SR of 1300 µM", "backwards");
  settings.pumps.leaks = false;
  EXPECT_NO_THROW(check(settings));
  settings.pumps = {.exchanger = true};
  expect_refused(settings, "ca_rest = 0.05 µM inside of this membrane", "exchanger brings more");
}

TEST(CalciumSettings, other_numbers_out_of_range_are_refused) {
  expect_refused(plain(0.005, 0), "time_step = 0 ms", "above 0");
  CalciumSettings settings;
  settings.openings = {{ChannelKind::ryr, 49, 0, 1}};
  expect_refused(settings, "RyR 49 opens", "there are 49");
  settings.openings = {{ChannelKind::lcc, -1, 0, 1}};
  expect_refused(settings, "LCC -1 opens", "there are 7");
  settings.openings = {{ChannelKind::lcc, 0, 2, 1}};
  expect_refused(settings, "LCC 0 is open from 2 to 1 ms", "go on");
  settings = plain(0.05, 1e-3);
  settings.openings = {{ChannelKind::ryr, 0, 0, 1}};
  expect_refused(settings, "RyR 0 opens", "there are 0");
  settings.openings = {};
  settings.currents = {{.voxel = {4, 0, 0}, .current_pa = 1, .close_ms = 1}};
  expect_refused(settings, "current at (4, 0, 0)", "outside of the grid");
  settings.currents = {{.current_pa = std::numeric_limits<double>::infinity(), .close_ms = 1}};
  expect_refused(settings, "of inf pA", "finite");
  settings.currents = {};
  CalciumSettings unit;
  unit.currents = {{.voxel = {200, 100, 100}, .current_pa = 1, .close_ms = 1}};
  expect_refused(unit, "the current at (200, 100, 100)", "in the T-tubule");
  settings.species.serca.total = -1;
  expect_refused(settings, "serca_total = -1", "112.5");
  settings.species = {};
  settings.species.membrane.voltage = 2000;
  expect_refused(settings, "membrane_voltage = 2000 mV", "between");
  settings.species = {};
  settings.ryr_conductance = -1;
  expect_refused(settings, "ryr_conductance = -1", "0.0007752");
}

TEST(CalciumSettings, currents_become_amounts) {
  // 1 pA is 5.1821 µM µm³/ms.
  EXPECT_NEAR(amount_per_pa, 5.1821348, 1e-7);
  CalciumSettings settings = plain(0.05, 1.5e-3);
  settings.currents = {{.voxel = {1, 2, 3}, .current_pa = 2, .open_ms = 0.3, .close_ms = 4.5}};

  auto const sources = sources_of(settings);

  ASSERT_EQ(sources.size(), 1U);
  EXPECT_EQ(sources[0].voxel, (grid::Point{1, 2, 3}));
  EXPECT_NEAR(sources[0].amount, 2 * amount_per_pa * 1.5e-3 / (0.05 * 0.05 * 0.05), 1e-12);
  EXPECT_EQ(sources[0].exchange, 0);
  EXPECT_EQ(sources[0].step_begin, 200);
  EXPECT_EQ(sources[0].step_end, 3000);
}

TEST(CalciumSettings, channel_is_not_open_twice_at_once) {
  CalciumSettings settings;
  settings.openings = {{ChannelKind::ryr, 0, 1, 2}, {ChannelKind::ryr, 0, 0, 1}};
  EXPECT_NO_THROW(check(settings));
  settings.openings[1].close_ms = 1.5;
  EXPECT_THAT([&] { check(settings); },
              ThrowsMessage<InputError>(HasSubstr("RyR 0 opens at 1 ms (it is open then, from 0")));
  settings.openings[1].channel = 1;
  EXPECT_NO_THROW(check(settings));
  settings.openings[1] = {ChannelKind::lcc, 0, 0, 1.5};
  EXPECT_NO_THROW(check(settings));
}

TEST(CalciumSettings, channel_is_open_for_a_step_at_least) {
  CalciumSettings settings;
  double const step = settings.time_step;
  settings.openings = {{ChannelKind::ryr, 0, 1.1 * step, 1.4 * step}};
  EXPECT_THAT([&] { check(settings); },
              ThrowsMessage<InputError>(HasSubstr("no step lies between")));
}

TEST(CalciumSettings, openings_become_sources_on_both_sides) {
  CalciumSettings settings;
  settings.openings = {{ChannelKind::ryr, 24, 0, 10}, {ChannelKind::lcc, 3, 1, 2}};

  auto const sources = sources_of(settings);

  ASSERT_EQ(sources.size(), 3U);
  double const per_voxel = settings.time_step / (0.005 * 0.005 * 0.005);
  EXPECT_NEAR(sources[0].exchange, 7.752e-4 * per_voxel, 1e-15);
  EXPECT_EQ(sources[1].exchange, sources[0].exchange);
  EXPECT_EQ(sources[0].step_end, 666667);
  EXPECT_EQ(region_at(settings.geometry, settings.voxels, sources[0].voxel), Region::cleft);
  EXPECT_EQ(region_at(settings.geometry, settings.voxels, sources[1].voxel), Region::jsr);
  EXPECT_NEAR(sources[2].amount, 0.1 * amount_per_pa * per_voxel, 1e-15);
  // 0.150 pA at 1 mM.
  EXPECT_NEAR(settings.ryr_conductance * 1000 / amount_per_pa, 0.150, 5e-4);
}

}  // namespace
}  // namespace makespan::calcium
