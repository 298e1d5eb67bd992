// SPDX-License-Identifier: Apache-2.0
// Goal: amounts at rest are those that others have published; numbers that cannot be are refused.
#include "makespan/apps/calcium/species.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "makespan/base/error.hpp"

namespace makespan::calcium {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

void expect_refused(Species const& species, std::string const& problem, std::string const& advice) {
  EXPECT_THAT([&] { check(species); },
              ThrowsMessage<InputError>(AllOf(HasSubstr(problem), HasSubstr(advice))));
}

TEST(Species, what_is_bound_at_rest_is_what_smart_starts_from) {
  // RangamaniLabUCSD/smart, its example of a calcium release unit: as many digits as it prints.
  auto const rest = cytosol_at_rest(hake_species());

  EXPECT_EQ(rest[0], 0.14);
  EXPECT_NEAR(rest[1], 0.318, 5e-4);
  EXPECT_NEAR(rest[2], 0.471, 5e-4);
  EXPECT_NEAR(rest[3], 13.2, 6e-2);
  EXPECT_NEAR(bound_at_rest(hake_species().csqn, 1300), 4280, 10);
}

TEST(Species, what_is_bound_at_rest_follows_from_the_constants) {
  auto const rest = cytosol_at_rest(hake_species());

  EXPECT_NEAR(rest[1], 0.318277, 5e-7);
  EXPECT_NEAR(rest[2], 0.470588, 5e-7);
  EXPECT_NEAR(rest[3], 13.254198, 5e-7);
  EXPECT_NEAR(rest[4], 2.822581, 5e-7);
  EXPECT_NEAR(rest[0] + rest[1] + rest[2] + rest[3] + rest[4], 17.005644117679, 5e-13);
  EXPECT_EQ(bound_at_rest({.total = 10}, 1), 0);
}

TEST(Species, buffering_power_at_rest) {
  // 1 + κ, with κ of each buffer T K / (K + c)².
  Species const species;
  double power = 1;
  for (Buffer const& buffer : {species.atp, species.cmdn, species.trpn, species.fluo}) {
    double const k = buffer.k_off / buffer.k_on;
    power += buffer.total * k / ((k + 0.14) * (k + 0.14));
  }

  EXPECT_NEAR(power, 101.1992184, 5e-8);
}

TEST(Species, other_sets_can_be_worked_with) {
  for (Species const& species : {hake_species(), walker_species(), smith_species()}) {
    EXPECT_NO_THROW(check(species));
  }
  EXPECT_EQ(walker_species().csqn.total, 30000);
  EXPECT_EQ(smith_species().atp.total, 0);
}

TEST(Species, numbers_out_of_range_are_refused) {
  expect_refused({.ca_diffusion = -1}, "ca_diffusion = -1", "0.22");
  expect_refused({.ca_rest = std::numeric_limits<double>::quiet_NaN()}, "ca_rest = nan", "0.14");
  expect_refused({.atp = {.total = -2}}, "atp.total = -2", "µM");
  expect_refused({.cmdn = {.total = 1, .k_on = 1}}, "cmdn.k_off = 0", "above 0");
  expect_refused({.trpn = {.total = 1, .diffusion = 0.1}}, "trpn.diffusion = 0.1", "give 0");
  expect_refused({.csqn = {.diffusion = std::numeric_limits<double>::infinity()}},
                 "csqn.diffusion = inf", "µm²/ms");
  expect_refused({.refill_rate = -0.1}, "refill_rate = -0.1", "0.095");
}

}  // namespace
}  // namespace makespan::calcium
