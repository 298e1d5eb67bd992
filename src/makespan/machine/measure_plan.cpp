// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/measure_plan.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>

namespace makespan::machine {

namespace {

constexpr std::int64_t mib = std::int64_t{1} << 20;
// A cycle of four times the last-level cache misses it, whatever is kept in it. STREAM's rules ask
// for as much of each of its three arrays.
constexpr std::int64_t caches_per_cycle = 4;
constexpr std::int64_t cycle_bytes_min = 64 * mib;
constexpr std::int64_t cycle_bytes_max = 512 * mib;
constexpr std::int64_t caches_per_cycle_least = 2;
constexpr std::int64_t cycle_bytes_least = mib;
// With arrays four times as much is taken: an eighth of a small node, a third if need be (a part of
// a large processor that is rented has all of its cache, and little memory).
constexpr std::int64_t parts_of_node = 32;
constexpr std::int64_t parts_of_node_least = 12;

// Those that the process may use, with the first CPU of each.
std::vector<CorePlace> usable_cores(Topology const& topology, std::span<int const> cpus) {
  std::vector<CorePlace> cores;
  for (int const pu : places_of(topology, PlaceKind::pu)) {
    int const cpu = place_at(topology, pu).os_index;
    if (std::ranges::find(cpus, cpu) == cpus.end()) continue;
    // A tree without cores has PUs in their stead.
    int const core = find_around(topology, pu, PlaceKind::core).value_or(pu);
    // In the order of the tree the PUs of a core follow each other.
    if (cores.empty() || cores.back().place != core) cores.push_back({.place = core, .cpu = cpu});
  }
  return cores;
}

// Around each core: its outermost cache that others share, what its memory hangs on, its package.
int shared_cache(Topology const& topology, int core) {
  int outermost = core;
  for (int place = core; place >= 0; place = place_at(topology, place).parent) {
    if (place_at(topology, place).kind == PlaceKind::cache) outermost = place;
  }
  return outermost;
}

int memory_domain(Topology const& topology, int core) {
  std::vector<int> const nodes = local_memory(topology, core);
  return nodes.empty() ? 0 : place_at(topology, nodes.front()).parent;
}

int package(Topology const& topology, int core) {
  return find_around(topology, core, PlaceKind::package).value_or(0);
}

struct CoreDomain {
  int (*of)(Topology const&, int);
  std::string_view text;
};

constexpr std::array domains{CoreDomain{&shared_cache, "two cores of each last-level cache"},
                             CoreDomain{&memory_domain, "two cores of each NUMA node"},
                             CoreDomain{&package, "two cores of each package"}};

std::vector<CorePlace> two_of_each(Topology const& topology, std::vector<CorePlace> const& cores,
                                   CoreDomain const& domain) {
  std::map<int, int> taken;
  std::vector<CorePlace> chosen;
  for (CorePlace const& core : cores) {
    // Two of each: a pair within the domain, and pairs with all others.
    if (taken[domain.of(topology, core.place)]++ < 2) chosen.push_back(core);
  }
  return chosen;
}

void choose_cores(Topology const& topology, std::vector<CorePlace> cores, MeasurePlan& plan) {
  std::size_t const all = cores.size();
  // The smallest domains first, as long as that leaves few enough.
  for (CoreDomain const& domain : domains) {
    if (std::ssize(cores) <= cores_max) break;
    auto chosen = two_of_each(topology, cores, domain);
    bool const has_few = std::ssize(chosen) <= cores_max;
    // Packages are taken though they leave too many: of these some are taken evenly, below.
    if (!has_few && &domain != &domains.back()) continue;
    cores = std::move(chosen);
    plan.sampling = domain.text;
  }
  std::vector<CorePlace> even;
  for (int i = 0; i < cores_max && std::ssize(cores) > cores_max; ++i) {
    // Over all of them, since neighbours in the tree are near to each other.
    even.push_back(cores[static_cast<std::size_t>(i) * cores.size() / cores_max]);
  }
  plan.cores = even.empty() ? std::move(cores) : std::move(even);
  if (!plan.sampling.empty()) {
    plan.sampling = std::to_string(plan.cores.size()) + " of " + std::to_string(all) +
                    " cores: " + plan.sampling;
  }
}

std::vector<CoreSet> core_sets(Topology const& topology, std::vector<CorePlace> const& cores) {
  std::vector<CoreSet> sets;
  for (CorePlace const& core : cores) {
    int const place = memory_domain(topology, core.place);
    auto found = std::ranges::find(sets, place, &CoreSet::place);
    if (found == sets.end()) found = sets.insert(sets.end(), {.place = place, .cpus = {}});
    found->cpus.push_back(core.cpu);
  }
  return sets;
}

// Of each memory: far beyond every cache, or at least beyond it; 0 where there is no room for that.
std::vector<std::size_t> cycle_bytes(Topology const& topology, std::vector<int> const& memories) {
  std::int64_t cache = 0;
  for (int const one : places_of(topology, PlaceKind::cache)) {
    cache = std::max(cache, place_at(topology, one).bytes);
  }
  std::int64_t const wanted =
      std::clamp(caches_per_cycle * cache, cycle_bytes_min, cycle_bytes_max);
  std::int64_t const least = std::max(caches_per_cycle_least * cache, cycle_bytes_least);
  std::vector<std::size_t> bytes;
  for (int const node : memories) {
    std::int64_t const all = place_at(topology, node).bytes;  // 0 where it is not known
    std::int64_t const taken =
        all > 0 ? std::max(std::min(wanted, all / parts_of_node), least) : wanted;
    bool const has_room = all == 0 || taken <= all / parts_of_node_least;
    bytes.push_back(has_room ? static_cast<std::size_t>(taken) : 0);
  }
  return bytes;
}

std::vector<GpuPlace> gpus(Topology const& topology) {
  std::vector<GpuPlace> found;
  for (int const gpu : places_of(topology, PlaceKind::gpu)) {
    std::string const& bus = place_at(topology, gpu).bus;
    if (!bus.empty()) found.push_back({.place = gpu, .bus = bus});
  }
  return found;
}

}  // namespace

MeasurePlan plan_of(Topology const& topology, std::span<int const> cpus) {
  std::vector<CorePlace> const cores = usable_cores(topology, cpus);
  MeasurePlan plan{};
  plan.memories = places_of(topology, PlaceKind::numa_node);
  plan.cycle_bytes = cycle_bytes(topology, plan.memories);
  // Of all cores: streams are by all that are near to a memory; only pairs of cores are sampled.
  plan.core_sets = core_sets(topology, cores);
  plan.gpus = gpus(topology);
  choose_cores(topology, cores, plan);
  return plan;
}

}  // namespace makespan::machine
