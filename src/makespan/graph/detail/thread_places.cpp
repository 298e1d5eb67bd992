// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/detail/thread_places.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "makespan/base/error.hpp"
#include "makespan/base/fnv1a.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/base/joined.hpp"

namespace makespan::graph {

namespace {

using machine::PlaceKind;
using machine::Topology;

// Of one CPU.
std::array<std::int32_t, thread_levels> around(Topology const& topology, int pu) {
  std::array<std::int32_t, thread_levels> within{-1, -1, -1, -1, -1};
  auto const set = [&](ThreadLevel level, int place) {
    within[static_cast<std::size_t>(level)] = place;
  };
  for (int place = pu; place >= 0; place = machine::place_at(topology, place).parent) {
    machine::TopologyObject const& one = machine::place_at(topology, place);
    if (one.kind == PlaceKind::package) set(ThreadLevel::package, place);
    if (one.kind == PlaceKind::core) set(ThreadLevel::core, place);
    if (one.kind == PlaceKind::cache && one.type == "L3") set(ThreadLevel::l3, place);
    if (one.kind == PlaceKind::cache && one.type == "L2") set(ThreadLevel::l2, place);
  }
  // A NUMA node is none of the CPU's ancestors: it hangs on one of them, so the locality tells.
  std::vector<int> const memory = machine::local_memory(topology, pu);
  if (!memory.empty()) set(ThreadLevel::numa_node, memory.front());
  return within;
}

// The model of its processor, and its kind among the processor's cores.
std::string core_kind_of(Topology const& topology, int pu) {
  auto const package = machine::find_around(topology, pu, PlaceKind::package);
  std::string const model = package ? machine::place_at(topology, *package).name : "";
  return model + '\n' + std::to_string(machine::place_at(topology, pu).core_kind) + '\n';
}

// The way from a thread's host down to a level: threads with the same are in one group.
using Way = std::vector<std::int32_t>;

Way way_to(ThreadPlace const& thread, std::span<ThreadLevel const> levels) {
  Way way{thread.host};
  for (ThreadLevel const level : levels) {
    way.push_back(thread.within[static_cast<std::size_t>(level)]);
  }
  return way;
}

std::size_t groups_of(std::span<ThreadPlace const> threads, std::span<ThreadLevel const> levels) {
  std::set<Way> groups;
  for (ThreadPlace const& thread : threads) groups.insert(way_to(thread, levels));
  return groups.size();
}

std::vector<ThreadLevel> levels_that_part(std::span<ThreadPlace const> threads) {
  std::vector<ThreadLevel> levels;
  std::size_t groups = groups_of(threads, levels);
  for (std::size_t level = 0; level < thread_levels; ++level) {
    levels.push_back(static_cast<ThreadLevel>(level));
    std::size_t const now = groups_of(threads, levels);
    if (now == groups || now == threads.size())
      levels.pop_back();
    else
      groups = now;
  }
  return levels;
}

template <class Key>
int number_in(std::map<Key, int>& numbers, Key const& key) {
  return numbers.try_emplace(key, static_cast<int>(numbers.size())).first->second;
}

}  // namespace

std::string_view name_of(ThreadLevel level) {
  static constexpr std::array<std::string_view, thread_levels> names{"package", "NUMA node", "L3",
                                                                     "L2", "core"};
  return names[static_cast<std::size_t>(level)];
}

ThreadPlace thread_place_of(Topology const& topology, std::span<int const> cpus) {
  std::map<int, int> pu_of;  // by the system's number
  for (int const pu : machine::places_of(topology, PlaceKind::pu)) {
    pu_of.emplace(machine::place_at(topology, pu).os_index, pu);
  }
  ThreadPlace thread;
  std::set<std::string> kinds;
  bool is_first = true;
  for (int const cpu : cpus) {
    auto const known = pu_of.find(cpu);
    if (known == pu_of.end()) {
      throw InputError("a thread that may run on CPU " + std::to_string(cpu),
                       "the machine as described has no such CPU",
                       "describe this machine: makespan machine --measure -o FILE");
    }
    auto const within = around(topology, known->second);
    kinds.insert(core_kind_of(topology, known->second));
    for (std::size_t level = 0; level < thread_levels; ++level) {
      if (is_first)
        thread.within[level] = within[level];
      else if (thread.within[level] != within[level])
        thread.within[level] = -1;
    }
    is_first = false;
  }
  std::string all;
  for (std::string const& kind : kinds) all += kind;
  // A hash: images send each other ThreadPlaces as plain data, and only compare kinds.
  std::uint64_t const hash = fnv1a(std::as_bytes(std::span(all)));
  thread.core_kind = static_cast<std::uint32_t>(hash ^ (hash >> 32U));
  return thread;
}

void expect_of_images(std::span<ThreadPlace const> threads, int images) {
  auto const each = std::max<std::size_t>(1, threads.size() / static_cast<std::size_t>(images));
  for (std::size_t thread = 0; thread < threads.size(); ++thread) {
    auto const image = static_cast<std::int64_t>(thread / each);
    if (threads[thread].image == image) continue;
    throw BadMessage(ImageId{image}, joined("a thread of image ", threads[thread].image));
  }
}

std::vector<int> core_kinds_of(std::span<ThreadPlace const> threads) {
  std::map<std::uint32_t, int> numbers;
  std::vector<int> kinds;
  for (ThreadPlace const& thread : threads) kinds.push_back(number_in(numbers, thread.core_kind));
  return kinds;
}

ThreadDomains domains_of(std::span<ThreadPlace const> threads) {
  ThreadDomains all{.levels = levels_that_part(threads)};
  std::map<std::int32_t, int> nodes;
  std::vector<std::map<Way, int>> groups(all.levels.size());
  std::map<std::pair<Way, std::int32_t>, int> domains;
  for (ThreadPlace const& thread : threads) {
    // By image, too: a message between threads of one costs less than one between two.
    int const domain = number_in(domains, {way_to(thread, all.levels), thread.image});
    all.domain.push_back(domain);
    int const node = number_in(nodes, thread.host);
    if (domain < std::ssize(all.domains)) continue;
    Domain one{.node = node};
    for (std::size_t level = 0; level < all.levels.size(); ++level) {
      auto const shown = std::span(all.levels).first(level + 1);
      one.groups.push_back(number_in(groups[level], way_to(thread, shown)));
    }
    all.domains.push_back(std::move(one));
  }
  return all;
}

}  // namespace makespan::graph
