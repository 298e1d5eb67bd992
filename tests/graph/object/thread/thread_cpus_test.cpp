// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/thread/thread_cpus.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <vector>

#include "machine/hand_made_topology.hpp"

namespace makespan::graph {
namespace {

using machine::PlaceKind;

// A package of `cores` cores with two PUs each; the second of core c is CPU cores + c.
machine::Topology two_threads_a_core(int cores) {
  machine::Topology topology;
  topology.places.push_back({.kind = PlaceKind::machine});
  for (int core = 0; core < cores; ++core) {
    topology.places.push_back({.kind = PlaceKind::core, .parent = 0});
    auto const at = static_cast<int>(topology.places.size()) - 1;
    topology.places.push_back({.kind = PlaceKind::pu, .parent = at, .os_index = core});
    topology.places.push_back({.kind = PlaceKind::pu, .parent = at, .os_index = cores + core});
  }
  return topology;
}

std::vector<int> all_cpus(int count) {
  std::vector<int> cpus(static_cast<std::size_t>(count));
  std::iota(cpus.begin(), cpus.end(), 0);
  return cpus;
}

TEST(ThreadCpus, are_beside_each_other_in_the_tree) {
  // CPUs 0 and 2 are the cores of package 0.
  EXPECT_EQ(thread_cpus(machine::two_packages(), all_cpus(4), 0, 2, 2), (std::vector{0, 2}));
  EXPECT_EQ(thread_cpus(machine::two_packages(), all_cpus(4), 1, 2, 2), (std::vector{1, 3}));
}

TEST(ThreadCpus, are_spread_evenly_over_the_cores) {
  EXPECT_EQ(thread_cpus(machine::two_packages(), all_cpus(4), 0, 1, 2), (std::vector{0, 1}));
  EXPECT_EQ(thread_cpus(two_threads_a_core(8), all_cpus(16), 1, 2, 2), (std::vector{4, 6}));
}

TEST(ThreadCpus, share_cores_only_where_there_are_not_enough) {
  EXPECT_EQ(thread_cpus(two_threads_a_core(4), all_cpus(8), 0, 1, 4), (std::vector{0, 1, 2, 3}));
  EXPECT_EQ(thread_cpus(two_threads_a_core(2), all_cpus(4), 0, 1, 4), (std::vector{0, 1, 2, 3}));
}

TEST(ThreadCpus, are_none_where_threads_take_turns) {
  EXPECT_EQ(thread_cpus(two_threads_a_core(2), all_cpus(4), 0, 1, 5),
            (std::vector{-1, -1, -1, -1, -1}));
}

TEST(ThreadCpus, are_among_those_allowed) {
  EXPECT_EQ(thread_cpus(two_threads_a_core(8), std::array{3, 5}, 0, 1, 2), (std::vector{3, 5}));
  EXPECT_EQ(thread_cpus({}, std::array{3, 5}, 0, 1, 2), (std::vector{3, 5}));
}

}  // namespace
}  // namespace makespan::graph
