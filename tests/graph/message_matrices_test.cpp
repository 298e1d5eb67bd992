// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/message_matrices.hpp"

#include <gtest/gtest.h>

#include "machine/hand_made_topology.hpp"

namespace makespan::graph {
namespace {

constexpr MessageClass same_l3{.nearness = Nearness::l3, .is_in_image = true};
constexpr MessageClass same_host{.nearness = Nearness::host, .is_in_image = true};

// Of two_packages(): cores and their CPUs.
std::vector<machine::CorePlace> const cores{{4, 0}, {6, 2}, {11, 1}, {13, 3}};

ClassCosts const known{
    {same_l3, {.latency_s = 1e-6, .send_s = 2e-7, .receive_s = 3e-7, .byte_s = 1e-10}},
    {same_host, {.latency_s = 4e-6, .send_s = 5e-7, .receive_s = 6e-7, .byte_s = 5e-10}}};

TEST(MessageMatrices, have_the_cost_of_each_pair) {
  auto const matrices = message_matrices(machine::two_packages(), cores, known);

  ASSERT_EQ(matrices.size(), 4);
  EXPECT_EQ(matrices[0].name, machine::message_latency_name);
  EXPECT_EQ(matrices[0].values, (std::vector{0.0, 1e-6, 4e-6, 4e-6,  //
                                             1e-6, 0.0, 4e-6, 4e-6,  //
                                             4e-6, 4e-6, 0.0, 1e-6,  //
                                             4e-6, 4e-6, 1e-6, 0.0}));
  EXPECT_EQ(matrices[3].name, machine::message_bandwidth_name);
  EXPECT_DOUBLE_EQ(matrices[3].at(0, 2), 2e9);
}

TEST(MessageMatrices, give_the_classes_back) {
  machine::Topology topology = machine::two_packages();
  topology.matrices = message_matrices(topology, cores, known);

  EXPECT_EQ(class_costs_of(topology), known);
}

TEST(MessageMatrices, know_no_class_that_was_measured_in_part) {
  machine::Topology topology = machine::two_packages();
  EXPECT_TRUE(class_costs_of(topology).empty());

  topology.matrices = message_matrices(topology, cores, {known.begin(), std::next(known.begin())});
  EXPECT_EQ(class_costs_of(topology).size(), 1);
  topology.matrices.pop_back();
  EXPECT_TRUE(class_costs_of(topology).empty());
}

}  // namespace
}  // namespace makespan::graph
