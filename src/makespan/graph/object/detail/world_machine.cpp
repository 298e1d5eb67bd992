// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/detail/world_machine.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "makespan/base/cache_folder.hpp"
#include "makespan/base/configuration.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/fnv1a.hpp"
#include "makespan/graph/message_matrices.hpp"
#include "makespan/graph/object/detail/message_cost_cache.hpp"
#include "makespan/graph/object/detail/message_meter.hpp"
#include "makespan/graph/object/thread/thread_cpus.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/machine/machine.hpp"
#include "makespan/pgas/fabric.hpp"

namespace makespan::graph {

namespace {

// Pairs of hosts that are measured at most: each takes some 10 ms, and more where a link is slow.
constexpr int host_pairs_max = 48;

// By image: the first image of a host gives its number to all of them.
std::vector<int> hosts_of(pgas::Runtime& runtime) {
  pgas::Job& job = runtime.endpoint(0).fabric().job();
  std::vector<std::string> seen;
  std::vector<int> hosts;
  for (int image = 0; image < runtime.images(); ++image) {
    std::string const& name = job.host(ImageId{image});
    auto const known = std::ranges::find(seen, name);
    hosts.push_back(static_cast<int>(known - seen.begin()));
    if (known == seen.end()) seen.push_back(name);
  }
  return hosts;
}

std::string chosen(MachineUse const& use) {
  if (!use.from.empty()) return use.from;
  char const* const variable = std::getenv("MAKESPAN_MACHINE");
  return variable != nullptr && *variable != '\0' ? variable : "auto";
}

std::uint64_t hash_of(std::string const& text) {
  return fnv1a(std::as_bytes(std::span(text)));
}

template <class T>
void expect_same_all(pgas::Runtime& runtime, T mine, std::string const& what) {
  pgas::Team& team = runtime.team();
  if (team.all_reduce_all(pgas::ReduceOp::max, mine) ==
      team.all_reduce_all(pgas::ReduceOp::min, mine)) {
    return;
  }
  throw InputError(what, "images of the job have been given others", "give all images the same");
}

// Of this host; without places where the build has no hwloc. It is the same as long as the process
// lives, and takes some 10 ms to look up.
machine::Topology const& topology_here() {
  static machine::Topology const here = [] {
    try {
      return machine::Machine::this_one().topology();
    } catch (NotConfigured const&) {
      return machine::Topology{};
    }
  }();
  return here;
}

// Throws on all images what one has thrown.
machine::Topology topology_all(pgas::Runtime& runtime, std::string const& from) {
  if (from == "auto") return topology_here();
  machine::Topology topology;
  std::optional<InputError> error;
  try {
    topology = machine::Machine::from_file(from).topology();
  } catch (InputError const& thrown) {
    error.emplace(thrown);
  }
  // All come here, also those that have failed: the others would wait for them.
  int const failed = runtime.team().all_reduce_all(pgas::ReduceOp::max, error.has_value() ? 1 : 0);
  if (error) throw InputError(*error);
  if (failed != 0) {
    throw InputError("machine " + from, "another image cannot read it",
                     "put it where all hosts can");
  }
  return topology;
}

// Images of a host that may use the same CPUs share them; a launcher may have given each its own.
struct HostShare {
  int image;
  int images;
};
HostShare share_of_host_all(pgas::Runtime& runtime, std::vector<int> const& hosts,
                            std::vector<int> const& allowed) {
  std::uint64_t const mine = fnv1a(std::as_bytes(std::span(allowed)));
  auto const all = runtime.team().all_gather_all(std::span<std::uint64_t const>(&mine, 1));
  HostShare share{};
  auto const here = static_cast<std::size_t>(runtime.image().value());
  for (std::size_t image = 0; image < all.size(); ++image) {
    if (hosts[image] != hosts[here] || all[image] != mine) continue;
    if (image < here) ++share.image;
    ++share.images;
  }
  return share;
}

std::vector<ThreadPlace> thread_places_all(pgas::Runtime& runtime,
                                           machine::Topology const& topology,
                                           std::vector<int> const& hosts,
                                           std::vector<int> const& cpus,
                                           std::vector<int> const& allowed) {
  std::vector<ThreadPlace> here;
  std::optional<InputError> error;
  auto const image = static_cast<std::size_t>(runtime.image().value());
  for (int const cpu : cpus) {
    ThreadPlace thread;
    try {
      if (!topology.places.empty()) {
        // One that is not tied may be wherever the process may.
        thread = thread_place_of(topology, cpu < 0 ? allowed : std::vector{cpu});
      }
    } catch (InputError const& thrown) {
      error.emplace(thrown);
    }
    thread.host = hosts[image];
    thread.image = static_cast<std::int32_t>(image);
    here.push_back(thread);
  }
  // As in topology_all(), those that have failed take part.
  int const failed = runtime.team().all_reduce_all(pgas::ReduceOp::max, error.has_value() ? 1 : 0);
  if (error) throw InputError(*error);
  if (failed != 0) {
    throw InputError("a machine from a file", "it is not that of another image's host",
                     "use auto, or start images on hosts alike");
  }
  auto all = runtime.team().all_gather_all(std::span<ThreadPlace const>(here));
  expect_of_images(all, runtime.images());
  return all;
}

// What measured costs depend on.
std::uint64_t cache_key(pgas::Runtime& runtime, std::vector<int> const& hosts,
                        std::vector<int> const& cpus_of_all, std::span<ThreadPlace const> threads,
                        std::span<ThreadPair const> pairs) {
  pgas::Job& job = runtime.endpoint(0).fabric().job();
  pgas::RuntimeDescription const runs = runtime.describe();
  Configuration const& build = configuration();
  std::string text;
  for (std::string_view const word :
       {build.version, build.git_commit, build.compiler, build.build_type}) {
    text += std::string(word) + '\n';
  }
  text += runs.transport + '\n' + runs.design + '\n' + runs.progress + '\n' + runs.stealing + '\n';
  for (int image = 0; image < runtime.images(); ++image) {
    text += job.host(ImageId{image}) + ' ' + std::to_string(hosts[static_cast<std::size_t>(image)]);
  }
  for (int const cpu : cpus_of_all) text += ' ' + std::to_string(cpu);
  for (ThreadPlace const& thread : threads) {
    for (std::int32_t const place : thread.within) text += ' ' + std::to_string(place);
  }
  // A machine's file may know some of the classes: others are measured then.
  for (auto const& [from, to] : pairs) {
    text += ' ' + std::to_string(from) + '-' + std::to_string(to);
  }
  return hash_of(text);
}

struct CostsFound {
  std::vector<MessageCost> costs{};  // by pair
  bool is_kept{};
};

// Kept by image 0, or measured now.
CostsFound measured_all(pgas::Runtime& runtime, std::vector<int> const& cpus,
                        std::vector<ThreadPair> const& pairs, std::uint64_t key, Seconds budget) {
  if (pairs.empty()) return {};
  MessageCostCache const cache(cache_folder(), key);
  // All measure, or none: measuring is collective, and caches of two hosts may differ.
  bool const is_first = runtime.image() == ImageId{0};
  std::optional<std::vector<MessageCost>> const kept =
      is_first ? cache.read(pairs.size()) : std::nullopt;
  CostsFound measured;
  measured.is_kept = runtime.team().broadcast_all(kept ? 1 : 0, 0) != 0;
  if (measured.is_kept) {
    // Image 0 has read them; the others have room for what comes.
    measured.costs = kept.value_or(std::vector<MessageCost>(pairs.size()));
    runtime.team().broadcast_all(std::span(measured.costs), 0);
    return measured;
  }
  measured.costs = metered_all(runtime, cpus, pairs, budget);
  bool const is_whole = std::ranges::all_of(measured.costs, &MessageCost::is_known);
  // What lacks some, as where time ran out, is not kept: the next run measures again.
  if (is_first && is_whole) cache.write(measured.costs);
  return measured;
}

MachineFacts::Source source_of(CostFound const& found, MessageClass const& of,
                               std::set<MessageClass> const& in_file, bool is_kept) {
  using enum MachineFacts::Source;
  if (found.is_assumed) return assumed;
  if (!found.is_own) return nearest;
  if (in_file.contains(of)) return file;
  return is_kept ? kept : measured;
}

// Nothing is measured, and no thread is tied.
WorldMachine assumed_machine(std::vector<int> const& hosts, int threads) {
  WorldMachine machine{.layout = assumed_layout(threads, hosts),
                       .cpus = std::vector<int>(static_cast<std::size_t>(threads), -1)};
  machine.facts = {.from = "none",
                   .domain = machine.layout.domain,
                   .cpu = std::vector<int>(machine.layout.domain.size(), -1)};
  std::vector<ThreadPlace> places;
  for (std::size_t image = 0; image < hosts.size(); ++image) {
    ThreadPlace const place{.host = hosts[image], .image = static_cast<std::int32_t>(image)};
    places.insert(places.end(), static_cast<std::size_t>(threads), place);
  }
  // One pair of hosts for all: what is assumed of them is the same.
  for (ThreadPair const& pair : pairs_to_measure(places, 1)) {
    MessageClass const of = class_of(places[static_cast<std::size_t>(pair.from)],
                                     places[static_cast<std::size_t>(pair.to)]);
    machine.facts.classes.push_back(
        {.label = of.nearness == Nearness::network ? "hosts" : label_of(of),
         .cost = cost_of({}, of).cost,
         .source = MachineFacts::Source::assumed});
  }
  return machine;
}

}  // namespace

WorldMachine world_machine_all(pgas::Runtime& runtime, int threads, MachineUse const& use) {
  std::string const from = chosen(use);
  expect_same_all(runtime, hash_of(from), "machine " + from);
  std::vector<int> const hosts = hosts_of(runtime);
  if (from == "none") return assumed_machine(hosts, threads);

  machine::Topology const topology = topology_all(runtime, from);
  std::vector<int> const allowed = machine::allowed_cores();
  HostShare const share = share_of_host_all(runtime, hosts, allowed);
  WorldMachine machine{
      .cpus = thread_cpus(topology_here(), allowed, share.image, share.images, threads)};
  std::vector<ThreadPlace> const places =
      thread_places_all(runtime, topology, hosts, machine.cpus, allowed);
  machine.facts = {.from = from,
                   .cpu = runtime.team().all_gather_all(std::span<int const>(machine.cpus))};

  ClassCosts known = class_costs_of(topology);
  std::set<MessageClass> in_file;
  for (auto const& [of, cost] : known) in_file.insert(of);
  auto const class_of_pair = [&](ThreadPair const& pair) {
    return class_of(places[static_cast<std::size_t>(pair.from)],
                    places[static_cast<std::size_t>(pair.to)]);
  };
  std::vector<ThreadPair> const all = pairs_to_measure(places, host_pairs_max);
  std::vector<ThreadPair> lacking;
  std::ranges::copy_if(all, std::back_inserter(lacking), [&](ThreadPair const& pair) {
    return !in_file.contains(class_of_pair(pair));
  });
  CostsFound const measured =
      measured_all(runtime, machine.cpus, lacking,
                   cache_key(runtime, hosts, machine.facts.cpu, places, lacking), use.budget);
  for (std::size_t at = 0; at < lacking.size(); ++at) {
    known[class_of_pair(lacking[at])] = measured.costs[at];
  }

  ThreadDomains const domains = domains_of(places);
  machine.layout = {.domain = domains.domain,
                    .kind = core_kinds_of(places),
                    .domains = domains.domains,
                    .costs = costs_between(domains, places, known)};
  for (ThreadPlace const& place : places) machine.layout.memory.push_back(place.image);
  machine.facts.domain = domains.domain;
  for (ThreadLevel const level : domains.levels) {
    machine.facts.levels.emplace_back(name_of(level));
  }
  for (ThreadPair const& pair : all) {
    MessageClass const of = class_of_pair(pair);
    CostFound const found = cost_of(known, of);
    machine.facts.classes.push_back({.label = label_of(of),
                                     .cost = found.cost,
                                     .source = source_of(found, of, in_file, measured.is_kept)});
  }
  return machine;
}

}  // namespace makespan::graph
