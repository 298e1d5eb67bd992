// SPDX-License-Identifier: Apache-2.0
// Goal: what is at rest stays there, nothing is lost, and reaction comes to its equilibrium.
// Method: closed forms of a well-stirred voxel, sums over the grid, and steps of different lengths.
#include "makespan/apps/calcium/calcium_unit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "apps/calcium/unit_grid.hpp"
#include "makespan/base/error.hpp"

namespace makespan::calcium {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

CalciumSettings plain(grid::Point points, double spacing, double time_step) {
  return {.voxels = {.points = points, .spacing = spacing},
          .time_step = time_step,
          .geometry = {.layout = Layout::plain},
          .openings = {}};
}

// A cleft at 7.5 nm, in as small a grid as holds it.
CalciumSettings small_unit() {
  return {.voxels = {.points = {64, 48, 48}, .spacing = 0.0075}, .time_step = 3e-5};
}

// Free and bound, over all voxels and fields.
double sum_of(Values const& values) {
  double sum = 0;
  double carry = 0;
  for (double const value : values) {
    double const y = value - carry;
    double const t = sum + y;
    carry = (t - sum) - y;
    sum = t;
  }
  return sum;
}

// A voxel at rest, and so much calcium added; after a second.
Values well_stirred(double added) {
  CalciumUnit const unit{plain({1, 1, 1}, 1, 2.5e-3)};
  UnitGrid grid{unit, {1, 1, 1}};
  grid.start(unit);
  Values values = grid.values();
  values[0] += added;
  grid.set(values);
  grid.steps(unit, 400000);
  return grid.values();
}

TEST(CalciumUnit, a_voxel_comes_to_its_equilibrium) {
  // Free calcium by root finding in higher precision.
  std::pair<double, double> const table[] = {{1, 0.149997240029},
                                             {10, 0.251599947033},
                                             {50, 1.193895856537},
                                             {100, 6.343945557282},
                                             {200, 35.422547015901}};
  for (auto const& [added, ca] : table) {
    Values const values = well_stirred(added);
    EXPECT_NEAR(values[0], ca, 1e-9) << added;
    EXPECT_NEAR(sum_of(values) / (17.005644117679 + added), 1, 1e-13) << added;
  }
}

TEST(CalciumUnit, bound_calcium_comes_to_its_equilibrium_and_none_is_lost) {
  Values const start = [] {
    Values values(field_count);
    auto const rest = cytosol_at_rest({});
    std::copy(rest.begin(), rest.end(), values.begin());
    values[0] += 100;
    return values;
  }();

  Values const values = well_stirred(100);

  double const expected[] = {6.343945557282, 13.988756592, 11.410020576, 63.957198814,
                             21.305722578};
  for (std::size_t field = 0; field < 5; ++field) {
    EXPECT_NEAR(values[field], expected[field], 1e-9) << field;
  }
  EXPECT_NEAR(sum_of(values) / sum_of(start), 1, 1e-14);
}

TEST(CalciumUnit, buffers_take_ninety_nine_of_a_hundred_ions) {
  // 1 + κ = 101.2.
  EXPECT_NEAR(well_stirred(0.01)[0] - 0.14, 9.88e-5, 9.88e-7);
}

TEST(CalciumUnit, regions_start_at_rest) {
  CalciumUnit const unit{small_unit()};
  auto const rest = cytosol_at_rest({});

  EXPECT_EQ(unit.start_of(Region::cytosol), rest);
  EXPECT_EQ(unit.start_of(Region::cleft)[3], 0);
  EXPECT_EQ(unit.start_of(Region::near_cytosol)[4], rest[4]);
  EXPECT_EQ(unit.start_of(Region::jsr)[0], 1300);
  EXPECT_NEAR(unit.start_of(Region::jsr)[4], 4288, 0.5);
  EXPECT_EQ(unit.start_of(Region::jsr)[1], 0);
  EXPECT_EQ(unit.start_of(Region::t_tubule)[0], 1800);
  EXPECT_EQ(unit.start_of(Region::t_tubule)[4], 0);
}

TEST(CalciumUnit, all_slabs_start_alike) {
  CalciumUnit const unit{small_unit()};
  grid::Point const points{64, 48, 48};
  UnitGrid whole{unit, points};
  UnitGrid cut{
      unit, points, {}, {{{}, {64, 48, 7}}, {{0, 0, 7}, {33, 48, 48}}, {{33, 0, 7}, points}}};

  whole.start(unit);
  cut.start(unit);

  EXPECT_TRUE(same_bits(whole.values(), cut.values()));
  EXPECT_EQ(whole.at(Field::ca, {32, 24, 24}), 1800);
  EXPECT_EQ(whole.at(Field::ca, {32, 24, 43}), 1300);
  EXPECT_EQ(whole.at(Field::ca, {0, 0, 0}), 0.14);
}

TEST(CalciumUnit, what_is_at_rest_stays_at_rest) {
  CalciumSettings settings = small_unit();
  settings.openings = {};
  CalciumUnit const unit{settings};
  UnitGrid grid{unit, settings.voxels.points};
  grid.start(unit);
  Values const before = grid.values();

  grid.steps(unit, 200);

  Values const after = grid.values();
  for (std::size_t i = 0; i < after.size(); ++i) {
    ASSERT_NEAR(after[i], before[i], 1e-13 * before[i]) << i;
  }
}

TEST(CalciumUnit, a_field_of_one_value_does_not_diffuse) {
  // Without reaction, to the last bit.
  Buffer const none{};
  CalciumSettings settings = plain({9, 8, 7}, 0.005, 1.5e-5);
  settings.species = {.ca_rest = 0.1, .atp = none, .cmdn = none, .trpn = none, .fluo = none};
  CalciumUnit const unit{settings};
  UnitGrid grid{unit, {9, 8, 7}};
  grid.start(unit);
  Values const before = grid.values();

  grid.steps(unit, 1000);

  EXPECT_TRUE(same_bits(grid.values(), before));
}

TEST(CalciumUnit, what_ryrs_bring_is_what_the_sr_loses) {
  CalciumSettings settings = small_unit();
  settings.species.refill_rate = 0;
  settings.openings = {
      {ChannelKind::ryr, 24, 0, 10}, {ChannelKind::ryr, 0, 0, 10}, {ChannelKind::ryr, 6, 0, 10}};
  CalciumUnit const unit{settings};
  UnitGrid grid{unit, settings.voxels.points};
  grid.start(unit);
  double const before = sum_of(grid.values());
  int const steps = 400;

  grid.steps(unit, steps);

  EXPECT_NEAR(sum_of(grid.values()) / before, 1, 1e-13 * std::sqrt(steps));
  // They do bring something: the cleft is no longer at rest.
  IonChannel const ryr = ryr_channels(settings.geometry, settings.voxels)[24];
  EXPECT_GT(grid.at(Field::ca, ryr.voxel), 10);
  EXPECT_LT(grid.at(Field::ca, ryr.voxel + grid::Point{0, 0, 1}), 1290);
  EXPECT_EQ(grid.at(Field::ca, {32, 24, 24}), 1800);
}

TEST(CalciumUnit, nothing_is_lost_without_flux) {
  CalciumSettings settings = plain({33, 20, 18}, 0.05, 1.5e-3);
  settings.currents = {{.voxel = {3, 4, 5}, .current_pa = 2, .open_ms = 0.15, .close_ms = 0.45}};
  CalciumUnit const unit{settings};
  UnitGrid grid{unit, settings.voxels.points};
  grid.start(unit);
  double const before = sum_of(grid.values());
  int const steps = 500;

  grid.steps(unit, steps);

  double const voxel = 0.05 * 0.05 * 0.05;
  double const brought = 2 * amount_per_pa * 0.3 / voxel;
  EXPECT_NEAR((sum_of(grid.values()) - brought) / before, 1, 1e-13 * std::sqrt(steps));
}

TEST(CalciumUnit, an_empty_sr_is_refilled) {
  CalciumSettings settings = small_unit();
  settings.openings = {};
  CalciumUnit const unit{settings};
  UnitGrid grid{unit, settings.voxels.points};
  grid.start(unit);
  Values values = grid.values();
  VoxelMap const& map = unit.map();
  grid::Point const points = map.points();
  for (std::int64_t i = 0; i < points.x * points.y * points.z; ++i) {
    grid::Point const at{i % points.x, i / points.x % points.y, i / points.x / points.y};
    if (map.region(at) != Region::jsr) continue;
    values[index_of(points, 0, at)] = 0;
    values[index_of(points, 4, at)] = 0;
  }
  grid.set(values);

  grid.step(unit, 0);
  grid.step(unit, 1);

  // The first step brings 0.095 · Δt · 1300, none of which is bound before the reaction of it.
  double const first = 0.095 * 3e-5 * 1300;
  grid::Point const inside{32, 24, 42};
  ASSERT_EQ(map.region(inside), Region::jsr);
  double const total = grid.at(Field::ca, inside) + grid.at(Field::ca_fluo, inside);
  EXPECT_NEAR(total, 2 * first, 1e-5 * first);
}

Pumps all_pumps() {
  return {.serca = true, .membrane_pump = true, .exchanger = true};
}

TEST(CalciumUnit, what_is_at_rest_stays_at_rest_with_all_pumps) {
  CalciumSettings settings = small_unit();
  settings.openings = {};
  settings.pumps = all_pumps();
  CalciumUnit const unit{settings};
  UnitGrid grid{unit, settings.voxels.points};
  grid.start(unit);
  Values const before = grid.values();

  grid.steps(unit, 200);

  Values const after = grid.values();
  for (std::size_t i = 0; i < after.size(); ++i) {
    ASSERT_NEAR(after[i], before[i], 1e-13 * before[i]) << i;
  }
  // It is the leaks that keep it.
  settings.pumps.leaks = false;
  CalciumUnit const pumped{settings};
  UnitGrid other{pumped, settings.voxels.points};
  other.start(pumped);
  other.steps(pumped, 200);
  EXPECT_LT(other.at(Field::ca, {0, 0, 0}), 0.14 - 1e-6);
}

// A voxel at rest and 20 µM of calcium added, at once bound; free calcium after so many ms.
double stirred_after(double ms, Pumps const& pumps) {
  CalciumSettings settings = plain({1, 1, 1}, 1, 2.5e-3);
  settings.pumps = pumps;
  CalciumUnit const unit{settings};
  UnitGrid grid{unit, {1, 1, 1}};
  grid.start(unit);
  Values values = grid.values();
  values[0] += 20;
  grid.set(values);
  grid.steps(unit, std::llround(ms / settings.time_step));
  return grid.values()[0];
}

TEST(CalciumUnit, serca_brings_a_voxel_back_to_rest) {
  // Near rest the excess falls by e in 300.04 ms: the least λ of
  // λ (1 + Σ k_on free / (k_on c + k_off - λ)) = d taken / d c + leak, 0.37998/ms, by bisection.
  EXPECT_GT(stirred_after(2000, {}), 0.3);
  Pumps const serca{.serca = true};
  double const late = stirred_after(2000, serca) - 0.14;
  EXPECT_GT(late, 0);
  EXPECT_LT(late, 0.14 * 0.05);
  double const later = stirred_after(2100, serca) - 0.14;
  EXPECT_NEAR(100 / std::log(late / later), 300.04, 1);
}

TEST(CalciumUnit, what_pumps_take_is_what_is_missing) {
  // One step from values that differ from voxel to voxel, against the rates that are documented.
  CalciumSettings settings = small_unit();
  settings.openings = {};
  settings.species.refill_rate = 0;
  settings.pumps = all_pumps();
  CalciumUnit const unit{settings};
  grid::Point const points = settings.voxels.points;
  UnitGrid grid{unit, points};
  grid.start(unit);
  Values values = grid.values();
  VoxelMap const& map = unit.map();
  Uptake const uptake = uptake_in(settings);
  MembraneFlux const flux = flux_through(settings);
  double taken = 0;
  double expelled = 0;
  for (std::int64_t i = 0; i < points.x * points.y * points.z; ++i) {
    grid::Point const at{i % points.x, i / points.x % points.y, i / points.x / points.y};
    Region const region = map.region(at);
    if (region == Region::jsr || region == Region::t_tubule) continue;
    double& ca = values[index_of(points, 0, at)];
    ca = 1 + 0.01 * static_cast<double>(at.y);
    if (region == Region::cytosol) {
      taken += taken_by(uptake, ca) - uptake.leak * (uptake.leak_from - ca);
    }
    for (int const step : {-1, 1}) {
      bool const beside_y = map.region(at + grid::Point{0, step, 0}) == Region::t_tubule;
      bool const beside_z = map.region(at + grid::Point{0, 0, step}) == Region::t_tubule;
      expelled -= ((beside_y ? 1 : 0) + (beside_z ? 1 : 0)) * flux_into(flux, ca);
    }
  }
  grid.set(values);
  double const before = sum_of(values);

  grid.step(unit, 0);

  // Diffusion comes first, and moves some of it: a thousandth.
  double const per_face = settings.time_step / settings.voxels.spacing;
  double const expected = taken * settings.time_step + expelled * per_face;
  EXPECT_GT(taken * settings.time_step, 0.1);
  EXPECT_GT(expelled * per_face, 0.1);
  EXPECT_NEAR((before - sum_of(grid.values())) / expected, 1, 2e-3);
}

TEST(CalciumUnit, calcium_of_the_t_tubule_acts_by_the_exchanger) {
  auto const beside_tubule = [](double t_tubule_ca) {
    CalciumSettings settings = small_unit();
    settings.openings = {};
    settings.pumps.exchanger = true;
    settings.pumps.leaks = false;
    settings.species.t_tubule_ca = t_tubule_ca;
    CalciumUnit const unit{settings};
    UnitGrid grid{unit, settings.voxels.points};
    grid.start(unit);
    grid.steps(unit, 50);
    IonChannel const channel = lcc_channels(settings.geometry, settings.voxels)[0];
    return grid.at(Field::ca, channel.voxel);
  };
  EXPECT_LT(beside_tubule(1800), 0.14);
  EXPECT_LT(beside_tubule(900), beside_tubule(1800));
  EXPECT_GT(beside_tubule(9000), 0.14);
}

TEST(CalciumUnit, the_owner_may_change_the_sources_between_steps) {
  CalciumUnit unit{plain({3, 3, 3}, 0.05, 1e-3)};
  UnitGrid grid{unit, {3, 3, 3}};
  grid.start(unit);
  double const before = sum_of(grid.values());

  unit.set_sources({{.voxel = {1, 1, 1}, .amount = 5, .step_begin = 0, .step_end = 9}});
  grid.step(unit, 0);
  unit.set_sources({});
  grid.step(unit, 1);

  EXPECT_NEAR(sum_of(grid.values()) - before, 5, 1e-12);
  EXPECT_TRUE(unit.sources().all().empty());
}

TEST(CalciumUnit, is_of_first_order_in_time) {
  // The middle of a spark of 0.3 ms, against 1/32 of the longest step.
  auto const at_end = [](int pieces) {
    CalciumSettings settings = plain({12, 12, 12}, 0.1, 1e-3 / pieces);
    settings.currents = {{.voxel = {0, 0, 0}, .current_pa = 0.5, .close_ms = 1}};
    CalciumUnit const unit{settings};
    UnitGrid grid{unit, {12, 12, 12}};
    grid.start(unit);
    grid.steps(unit, 300 * pieces);
    return grid.at(Field::ca, {2, 1, 0});
  };
  double const exact = at_end(32);

  // Of an error e Δt, what is found is e (Δt - Δt/32).
  double const ratio = (at_end(1) - exact) / (at_end(2) - exact);

  EXPECT_NEAR(ratio * (0.5 - 1 / 32.) / (1 - 1 / 32.), 1, 0.05);
}

TEST(CalciumUnit, is_asked_for_what_is_not_there) {
  EXPECT_THAT([] { CalciumUnit(small_unit(), {.isa = "mmx"}); },
              ThrowsMessage<InputError>(HasSubstr("isa 'mmx'")));
  EXPECT_THAT([] { CalciumUnit(plain({1, 1, 1}, 0.005, 1)); },
              ThrowsMessage<InputError>(HasSubstr("time_step = 1 ms")));
}

TEST(CalciumUnit, says_what_it_reads) {
  CalciumUnit const unit{small_unit()};
  grid::StencilShape const shape = unit.shape();

  ASSERT_EQ(shape.fields.size(), 5U);
  EXPECT_EQ(shape.fields[3], grid::FieldRole::stays);
  EXPECT_EQ(shape.halo.width, 1);
  EXPECT_EQ(shape.halo.shape, grid::HaloShape::faces);
  EXPECT_FALSE(shape.reads_row_ends);
  EXPECT_EQ(shape.steps_max, 1);
}

}  // namespace
}  // namespace makespan::calcium
