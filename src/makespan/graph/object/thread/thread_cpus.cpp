// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/thread/thread_cpus.hpp"

#include <algorithm>
#include <cstddef>

#include "makespan/base/contracts.hpp"

namespace makespan::graph {

namespace {

using machine::PlaceKind;
using machine::Topology;

// Allowed CPUs in the order of the tree: the first of each core, then the others.
struct OrderedCpus {
  std::vector<int> cpus{};
  std::size_t cores{};
};

OrderedCpus ordered(Topology const& topology, std::span<int const> allowed) {
  OrderedCpus all;
  std::vector<int> siblings;
  int core_before = -1;
  for (int const pu : machine::places_of(topology, PlaceKind::pu)) {
    int const cpu = machine::place_at(topology, pu).os_index;
    if (std::ranges::find(allowed, cpu) == allowed.end()) continue;
    int const core = machine::find_around(topology, pu, PlaceKind::core).value_or(pu);
    // In the order of the tree the CPUs of a core follow each other.
    (core == core_before ? siblings : all.cpus).push_back(cpu);
    core_before = core;
  }
  if (all.cpus.empty()) all.cpus.assign(allowed.begin(), allowed.end());
  all.cores = all.cpus.size();
  all.cpus.insert(all.cpus.end(), siblings.begin(), siblings.end());
  return all;
}

}  // namespace

std::vector<int> thread_cpus(Topology const& topology, std::span<int const> allowed, int image,
                             int images, int threads) {
  MAKESPAN_EXPECT(image >= 0 && image < images);
  OrderedCpus const here = ordered(topology, allowed);
  auto const wanted = static_cast<std::size_t>(images) * static_cast<std::size_t>(threads);
  std::vector<int> cpus(static_cast<std::size_t>(threads), -1);
  if (wanted > here.cpus.size()) return cpus;
  std::size_t const among = wanted <= here.cores ? here.cores : here.cpus.size();
  for (std::size_t thread = 0; thread < cpus.size(); ++thread) {
    std::size_t const turn = static_cast<std::size_t>(image) * cpus.size() + thread;
    cpus[thread] = here.cpus[turn * among / wanted];
  }
  return cpus;
}

}  // namespace makespan::graph
