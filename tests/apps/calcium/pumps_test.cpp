// SPDX-License-Identifier: Apache-2.0
// Goal: pumps go as fast as the models whose constants they have. Method: rates that another
// program computed from the same sources, in floating point of its own (docs/how-to/calcium.md
// tells how), thermodynamic equilibrium, and limits by trying.
#include "makespan/apps/calcium/pumps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "makespan/apps/calcium/species.hpp"
#include "makespan/base/error.hpp"

namespace makespan::calcium {
namespace {

constexpr Pumps both{.membrane_pump = true, .exchanger = true};

TEST(Pumps, serca_goes_as_fast_as_hakes) {
  struct Row {
    double ca, sr, per_s;
  };
  for (Row const& row : {Row{0.14, 1300, 19.020987091412298},
                         {0.1, 1000, 14.754819115375236},
                         {0.5, 1300, 266.4009783585228},
                         {10, 1300, 1193.5821977121752}}) {
    Uptake const uptake = uptake_of(hake_serca(), row.sr);
    EXPECT_NEAR(taken_by(uptake, row.ca) * 1e3 / row.per_s, 1, 1e-10) << row.ca;
  }
}

TEST(Pumps, serca_goes_as_fast_as_walkers) {
  struct Row {
    double ca, sr, per_s;
  };
  for (Row const& row : {Row{0.14, 1300, 5.1822454721507265},
                         {0.1, 1000, 3.6761962739233645},
                         {0.5, 1300, 117.95722748641262},
                         {10, 1300, 1252.3687154954675}}) {
    Uptake const uptake = uptake_of(walker_serca(), row.sr);
    EXPECT_NEAR(taken_by(uptake, row.ca) * 1e3 / row.per_s, 1, 1e-10) << row.ca;
  }
}

TEST(Pumps, serca_stands_still_in_its_equilibrium) {
  EXPECT_NEAR(taken_by(uptake_of(hake_serca(), 1300), 0.07618983581335644), 0, 1e-12);
  EXPECT_NEAR(taken_by(uptake_of(walker_serca(), 1000), 0.07693210447092397), 0, 1e-12);
  EXPECT_LT(taken_by(uptake_of(hake_serca(), 1300), 0.07), 0);
}

TEST(Pumps, the_membrane_is_that_of_smart_with_shannons_forms) {
  Membrane const membrane;
  MembraneFlux const pump = membrane_flux(membrane, {.membrane_pump = true}, 1800);
  MembraneFlux const exchanger = membrane_flux(membrane, {.exchanger = true}, 1800);

  // [µM µm/s]
  EXPECT_NEAR(flux_into(pump, 0.14) * 1e3, -0.9454158510805232, 1e-9);
  EXPECT_NEAR(flux_into(pump, 0.289) * 1e3, -4.97409326424870 / 2, 1e-9);
  EXPECT_NEAR(flux_into(exchanger, 0.14) * 1e3, -4.7697932774690015, 1e-9);
  EXPECT_NEAR(flux_into(exchanger, 10) * 1e3, -348.19811014017745, 1e-8);
}

TEST(Pumps, the_leak_at_rest_is_nearly_the_conductance_that_was_published) {
  // 0.7e-3 mS/µF of the driving voltage V - RT/(2F) ln(t_tubule_ca/c): S 285, 326, 333.
  MembraneFlux const flux = at_rest(membrane_flux({}, both, 1800), 0.14);

  EXPECT_NEAR(flux.leak * 1e3, -(-0.9454158510805232 - 4.7697932774690015), 1e-9);
  EXPECT_NEAR(flux.leak * 1e3 / 7.335176066192147, 0.78, 0.005);
  EXPECT_NEAR(flux_into(flux, 0.14), 0, 1e-17);
}

TEST(Pumps, leaks_make_a_state_of_rest) {
  for (Species const& species : {hake_species(), walker_species(), smith_species()}) {
    Uptake const uptake = at_rest(uptake_of(species.serca, species.network_sr_ca), species.ca_rest,
                                  species.network_sr_ca);
    double const leaked = uptake.leak * (uptake.leak_from - species.ca_rest);
    EXPECT_GT(leaked, 0);
    EXPECT_NEAR(taken_by(uptake, species.ca_rest), leaked, 1e-16);
    MembraneFlux const flux =
        at_rest(membrane_flux(species.membrane, both, species.t_tubule_ca), species.ca_rest);
    EXPECT_GT(flux.leak, 0);
  }
}

TEST(Pumps, nothing_is_taken_faster_than_is_said) {
  for (Serca const& serca : {hake_serca(), walker_serca()}) {
    Uptake const uptake = at_rest(uptake_of(serca, 1000), 0.14, 1000);
    double most = 0;
    for (double ca = 1e-3; ca < 1e4; ca *= 1.01) {
      most = std::max(most, taken_by(uptake, ca) / ca + uptake.leak);
    }
    EXPECT_LE(most, fastest(uptake));
    EXPECT_GT(most, 0.4 * fastest(uptake));
  }
  MembraneFlux const flux = membrane_flux({}, both, 1800);
  double most = 0;
  for (double ca = 1e-3; ca < 1e4; ca *= 1.01) most = std::max(most, -flux_into(flux, ca) / ca);
  EXPECT_LE(most, fastest(flux));
  EXPECT_GT(most, 0.4 * fastest(flux));
}

TEST(Pumps, numbers_out_of_range_are_refused) {
  double const nan = std::numeric_limits<double>::quiet_NaN();
  Serca serca = hake_serca();
  EXPECT_NO_THROW(check(serca));
  EXPECT_NO_THROW(check(walker_serca()));
  serca.all0 = 0;
  EXPECT_THROW(check(serca), InputError);
  serca = hake_serca();
  serca.forth2_sr = nan;
  EXPECT_THROW(check(serca), InputError);
  serca = hake_serca();
  serca.back_sr = -1;
  EXPECT_THROW(check(serca), InputError);
  EXPECT_NO_THROW(check(Membrane{}));
  EXPECT_THROW(check(Membrane{.voltage = nan}), InputError);
  EXPECT_THROW(check(Membrane{.pump_half = 0}), InputError);
  EXPECT_THROW(check(Membrane{.sodium_out = nan}), InputError);
  EXPECT_THROW(check(Membrane{.exchanger_max = -1}), InputError);
}

}  // namespace
}  // namespace makespan::calcium
