// SPDX-License-Identifier: Apache-2.0
// Goal: factors are remote over local latency, and "local" is what the tree says. Method: matrices
// by hand.
#include "makespan/machine/nuco.hpp"

#include <gtest/gtest.h>

#include <array>

#include "hand_made_topology.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::machine {
namespace {

TEST(Nuco, divides_each_row_by_its_local_latency) {
  constexpr std::array latencies{80.0, 120.0, 130.0, 100.0};
  constexpr std::array local{80.0, 100.0};

  EXPECT_EQ(nuco_factors(latencies, local), (std::vector{1.0, 1.5, 1.3, 1.0}));
}

TEST(Nuco, of_what_was_not_measured_is_0) {
  constexpr std::array latencies{0.0, 120.0, 130.0, 100.0};
  constexpr std::array local{60.0, 0.0};

  EXPECT_EQ(nuco_factors(latencies, local), (std::vector{0.0, 2.0, 0.0, 0.0}));
  EXPECT_EQ(nuco_factors(std::span<double const>{}, std::span<double const>{}),
            std::vector<double>{});
}

TEST(Nuco, least_of_a_row_passes_over_what_was_not_measured) {
  constexpr std::array latencies{0.0, 30.0, 20.0, 0.0, 0.0, 0.0};

  EXPECT_EQ(least_latencies(latencies, 2), (std::vector{20.0, 0.0}));
}

// The remote memory of the second row is faster than its own: the factor is below 1, since the tree
// says which is local.
TEST(Nuco, local_memory_is_what_hangs_on_the_place) {
  Topology const topology = two_packages();
  CostMatrix const latency{.name = "m",
                           .kind = CostKind::latency,
                           .from = {1, 8},
                           .to = {2, 9},
                           .values = {80, 160, 90, 100}};

  EXPECT_EQ(nuco_factors(topology, latency), (std::vector{1.0, 2.0, 0.9, 1.0}));
}

TEST(Nuco, between_cores_the_nearest_is_local) {
  Topology const topology = two_packages();
  CostMatrix const latency{.name = "c",
                           .kind = CostKind::latency,
                           .from = {4, 6, 11},
                           .to = {4, 6, 11},
                           .values = {0, 20, 60, 20, 0, 80, 60, 80, 0}};

  EXPECT_EQ(nuco_factors(topology, latency),
            (std::vector{0.0, 1.0, 3.0, 1.0, 0.0, 4.0, 1.0, 80.0 / 60.0, 0.0}));
}

TEST(Nuco, is_of_latencies_alone) {
  EXPECT_THROW(static_cast<void>(nuco_factors(two_packages(), {.kind = CostKind::bandwidth})),
               ContractViolated);
}

}  // namespace
}  // namespace makespan::machine
