// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/message_classes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <utility>

#include "makespan/base/median.hpp"
#include "makespan/graph/model/assumed_message_costs.hpp"

namespace makespan::graph {

namespace {

Nearness nearness_by(ThreadLevel level) {
  switch (level) {
    case ThreadLevel::package:
      return Nearness::package;
    case ThreadLevel::numa_node:
      return Nearness::numa_node;
    case ThreadLevel::l3:
      return Nearness::l3;
    case ThreadLevel::l2:
      return Nearness::l2;
    case ThreadLevel::core:
      return Nearness::core;
  }
  return Nearness::host;
}

MessageCost assumed_cost(MessageClass const& of) {
  constexpr AssumedMessageCosts costs;
  auto const cost = [](double message_s, double bytes_s) {
    return MessageCost{.latency_s = message_s, .receive_s = message_s, .byte_s = 1.0 / bytes_s};
  };
  if (of.nearness == Nearness::network) return cost(costs.network_message_s, costs.network_bytes_s);
  return of.is_in_image ? cost(costs.image_message_s, costs.image_bytes_s)
                        : cost(costs.node_message_s, costs.node_bytes_s);
}

std::optional<MessageCost> median_of_network(ClassCosts const& known) {
  std::vector<double> latencies;
  std::vector<double> sends;
  std::vector<double> receives;
  std::vector<double> bytes;
  for (auto const& [of, cost] : known) {
    if (of.nearness != Nearness::network || !cost.is_known()) continue;
    latencies.push_back(cost.latency_s);
    sends.push_back(cost.send_s);
    receives.push_back(cost.receive_s);
    bytes.push_back(cost.byte_s);
  }
  if (latencies.empty()) return std::nullopt;
  return MessageCost{.latency_s = median_or(std::move(latencies), 0.0),
                     .send_s = median_or(std::move(sends), 0.0),
                     .receive_s = median_or(std::move(receives), 0.0),
                     .byte_s = median_or(std::move(bytes), 0.0)};
}

std::optional<MessageCost> nearest_known(ClassCosts const& known, MessageClass const& of) {
  std::optional<MessageCost> nearest;
  int least = 0;
  for (auto const& [other, cost] : known) {
    if (other.nearness == Nearness::network || other.is_in_image != of.is_in_image) continue;
    if (!cost.is_known()) continue;
    int const steps = std::abs(static_cast<int>(other.nearness) - static_cast<int>(of.nearness));
    if (nearest && steps >= least) continue;
    nearest = cost;
    least = steps;
  }
  return nearest;
}

// Of a domain alone, two threads; the same one twice if there is no other.
ThreadPair two_of(ThreadDomains const& domains, int domain) {
  ThreadPair pair{.from = -1, .to = -1};
  for (int thread = 0; thread < std::ssize(domains.domain); ++thread) {
    if (domains.domain[static_cast<std::size_t>(thread)] != domain) continue;
    if (pair.from < 0)
      pair = {.from = thread, .to = thread};
    else
      return {.from = pair.from, .to = thread};
  }
  return pair;
}

}  // namespace

MessageClass class_of(ThreadPlace const& a, ThreadPlace const& b) {
  if (a.host != b.host) {
    return {.nearness = Nearness::network,
            .host = std::min(a.host, b.host),
            .other_host = std::max(a.host, b.host)};
  }
  MessageClass of{.nearness = Nearness::host, .is_in_image = a.image == b.image};
  // Levels begin with the widest, so the last that both are in is the nearest.
  for (std::size_t level = 0; level < thread_levels; ++level) {
    if (a.within[level] >= 0 && a.within[level] == b.within[level]) {
      of.nearness = nearness_by(static_cast<ThreadLevel>(level));
    }
  }
  return of;
}

std::string label_of(MessageClass const& of) {
  if (of.nearness == Nearness::network) {
    return "hosts " + std::to_string(of.host) + " and " + std::to_string(of.other_host);
  }
  std::string who = of.is_in_image ? "threads of an image" : "images of a host";
  if (of.nearness == Nearness::host) return who;
  // Levels are counted from the widest, nearness from the nearest.
  auto const level =
      static_cast<ThreadLevel>(static_cast<int>(Nearness::package) - static_cast<int>(of.nearness));
  return who + ", same " + std::string(name_of(level));
}

std::vector<ThreadPair> pairs_to_measure(std::span<ThreadPlace const> threads, int host_pairs_max) {
  std::map<MessageClass, ThreadPair> first;
  for (int from = 0; from < std::ssize(threads); ++from) {
    for (int to = from + 1; to < std::ssize(threads); ++to) {
      first.try_emplace(
          class_of(threads[static_cast<std::size_t>(from)], threads[static_cast<std::size_t>(to)]),
          ThreadPair{.from = from, .to = to});
    }
  }
  std::vector<ThreadPair> pairs;
  std::vector<ThreadPair> of_hosts;
  for (auto const& [of, pair] : first) {
    (of.nearness == Nearness::network ? of_hosts : pairs).push_back(pair);
  }
  auto const taken = std::min(of_hosts.size(), static_cast<std::size_t>(host_pairs_max));
  for (std::size_t turn = 0; turn < taken; ++turn) {
    pairs.push_back(of_hosts[turn * of_hosts.size() / taken]);
  }
  return pairs;
}

CostFound cost_of(ClassCosts const& known, MessageClass const& of) {
  auto const own = known.find(of);
  if (own != known.end() && own->second.is_known()) return {.cost = own->second, .is_own = true};
  auto const like =
      of.nearness == Nearness::network ? median_of_network(known) : nearest_known(known, of);
  if (like) return {.cost = *like};
  return {.cost = assumed_cost(of), .is_assumed = true};
}

DomainCosts costs_between(ThreadDomains const& domains, std::span<ThreadPlace const> threads,
                          ClassCosts const& known) {
  std::vector<ThreadPair> members;
  members.reserve(domains.domains.size());
  for (int domain = 0; domain < std::ssize(domains.domains); ++domain) {
    members.push_back(two_of(domains, domain));
  }
  DomainCosts costs;
  for (std::size_t from = 0; from < members.size(); ++from) {
    for (std::size_t to = 0; to < members.size(); ++to) {
      int const other = from == to ? members[to].to : members[to].from;
      MessageClass const of = class_of(threads[static_cast<std::size_t>(members[from].from)],
                                       threads[static_cast<std::size_t>(other)]);
      MessageCost const cost = cost_of(known, of).cost;
      costs.latency_s.push_back(cost.latency_s);
      costs.receive_s.push_back(cost.receive_s);
      costs.bandwidth_bytes_s.push_back(1.0 / cost.byte_s);
    }
  }
  return costs;
}

}  // namespace makespan::graph
