// SPDX-License-Identifier: Apache-2.0
// Goal: the cores of this machine have message costs, each pair that of its class. What the numbers
// are is not looked at.
#include "makespan/graph/object/core_messages.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <stop_token>

#include "makespan/base/error.hpp"
#include "makespan/graph/message_matrices.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/machine/machine.hpp"

namespace makespan::graph {
namespace {

class CoreMessages : public testing::Test {
 protected:
  void SetUp() override {
    try {
      topology = machine::Machine::this_one().topology();
    } catch (NotConfigured const&) {
      GTEST_SKIP() << "a build without hwloc knows no cores";
    }
    cores = machine::plan_of(topology, machine::allowed_cores()).cores;
    if (cores.size() < 2) GTEST_SKIP() << "a machine of one core has no pair of them";
    cores.resize(2);
  }

  machine::Topology topology{};
  std::vector<machine::CorePlace> cores{};
  std::atomic<int> done{0};
};

TEST_F(CoreMessages, are_measured_of_each_class) {
  auto const matrices = core_messages(topology, cores, Seconds{0.1}, done);

  EXPECT_EQ(done, classes_between(topology, cores));
  ASSERT_EQ(matrices.size(), 4);
  for (machine::CostMatrix const& matrix : matrices) {
    EXPECT_EQ(matrix.at(0, 0), 0.0) << matrix.name;
    EXPECT_GT(matrix.at(0, 1), 0.0) << matrix.name;
    EXPECT_EQ(matrix.at(0, 1), matrix.at(1, 0)) << matrix.name;
  }
  topology.matrices = matrices;
  EXPECT_EQ(class_costs_of(topology).size(), 1);
}

TEST_F(CoreMessages, are_not_known_when_asked_to_stop) {
  std::stop_source stop;
  stop.request_stop();

  auto const matrices = core_messages(topology, cores, Seconds{10.0}, done, stop.get_token());

  EXPECT_EQ(done, 0);
  EXPECT_EQ(matrices[0].at(0, 1), 0.0);
}

}  // namespace
}  // namespace makespan::graph
