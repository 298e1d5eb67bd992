// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/model/places.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/number_text.hpp"

namespace makespan::graph {

namespace {

void expect_places(std::vector<Place> const& places, int domains) {
  if (places.empty()) {
    throw InputError("a machine", "it has no place that computes", "give it one at least");
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    Place const& place = places[i];
    if (!(place.speed.value() >= 1.0 / amount_max && place.speed.value() <= amount_max)) {
      throw InputError(numbered("place", i), "speed " + short_text(place.speed.value()),
                       "give a number above 0, 1e-30 to 1e30");
    }
    if (place.kind < 0) {
      throw InputError(numbered("place", i), "kind " + std::to_string(place.kind),
                       "kinds are numbered from 0");
    }
    if (place.domain < 0 || place.domain >= domains) {
      throw InputError(numbered("place", i), "there is no domain " + std::to_string(place.domain),
                       "domains are 0 to " + std::to_string(domains - 1));
    }
  }
}

// Balancers count nodes in arrays.
void expect_nodes(std::vector<Domain> const& domains) {
  int const count = static_cast<int>(domains.size());
  auto const wrong = std::ranges::find_if(
      domains, [count](Domain const& domain) { return domain.node < 0 || domain.node >= count; });
  if (wrong == domains.end()) return;
  throw InputError(numbered("domain", static_cast<std::size_t>(wrong - domains.begin())),
                   "there is no node " + std::to_string(wrong->node),
                   "nodes are numbered from 0, and there are no more than domains");
}

// Groups form a tree below their node.
void expect_groups(std::vector<Domain> const& domains) {
  std::size_t const levels = domains.front().groups.size();
  std::map<std::pair<std::size_t, int>, int> around;  // of (level, group)
  for (std::size_t i = 0; i < domains.size(); ++i) {
    if (domains[i].groups.size() != levels) {
      throw InputError(numbered("domain", i),
                       std::to_string(domains[i].groups.size()) + " groups, and domain 0 has " +
                           std::to_string(levels),
                       "give all domains as many");
    }
    int wider = domains[i].node;
    for (std::size_t level = 0; level < levels; ++level) {
      int const group = domains[i].groups[level];
      auto const known = around.try_emplace({level, group}, wider).first;
      if (known->second != wider) {
        throw InputError(numbered("domain", i),
                         "its group " + std::to_string(group) + " of level " +
                             std::to_string(level) + " is part of two wider ones",
                         "give each group a number of its own");
      }
      wider = group;
    }
  }
}

// By cell of the matrix; `accepts` says what is good.
template <class Accepts>
void expect_costs(std::string_view what, std::vector<double> const& costs, std::size_t domains,
                  Accepts const& accepts) {
  if (costs.size() != domains * domains) {
    throw InputError(std::string(what) + " of a machine",
                     "it has " + std::to_string(costs.size()) + " values for " +
                         std::to_string(domains) + " domains",
                     "give one for each pair");
  }
  auto const wrong = std::ranges::find_if_not(costs, accepts);
  if (wrong == costs.end()) return;
  auto const cell = static_cast<std::size_t>(wrong - costs.begin());
  throw InputError(std::string(what) + " from domain " + std::to_string(cell / domains) + " to " +
                       std::to_string(cell % domains),
                   "it is " + short_text(*wrong), "give a number above 0, 1e-30 to 1e30");
}

void expect_memories(PlaceMemories const& memories, std::size_t places) {
  auto const count = static_cast<int>(memories.limit_bytes.size());
  if (memories.of.size() != places) {
    throw InputError("memories of a machine",
                     "they are given for " + std::to_string(memories.of.size()) + " places of " +
                         std::to_string(places),
                     "give each place one");
  }
  if (!memories.used_bytes.empty() && memories.used_bytes.size() != memories.limit_bytes.size()) {
    throw InputError("memories of a machine",
                     std::to_string(count) + " limits, and " +
                         std::to_string(memories.used_bytes.size()) + " values of bytes in use",
                     "give one for each");
  }
  for (std::size_t place = 0; place < places; ++place) {
    if (memories.of[place] >= 0 && memories.of[place] < count) continue;
    throw InputError(numbered("place", place),
                     "there is no memory " + std::to_string(memories.of[place]),
                     "memories are 0 to " + std::to_string(count - 1));
  }
  for (std::size_t memory = 0; memory < memories.limit_bytes.size(); ++memory) {
    double const used = memories.used_bytes.empty() ? 0.0 : memories.used_bytes[memory];
    if (memories.limit_bytes[memory] >= 0.0 && used >= 0.0 && used <= amount_max) continue;
    throw InputError(numbered("memory", memory),
                     "limit " + short_text(memories.limit_bytes[memory]) + " and " +
                         short_text(used) + " bytes in use",
                     "give numbers from 0");
  }
}

}  // namespace

Places::Places(std::vector<Place> places, std::vector<Domain> domains, DomainCosts costs)
    : places_{std::move(places)} {
  expect_places(places_, static_cast<int>(domains.size()));
  expect_nodes(domains);
  expect_groups(domains);
  // 0, or far enough from it that every time which follows is a number (amount_max).
  auto const is_time = [](double value) {
    return value == 0.0 || (value >= 1.0 / amount_max && value <= amount_max);
  };
  expect_costs("latency", costs.latency_s, domains.size(), is_time);
  if (costs.receive_s.empty()) costs.receive_s = costs.latency_s;
  expect_costs("receiver's time", costs.receive_s, domains.size(), is_time);
  expect_costs("bandwidth", costs.bandwidth_bytes_s, domains.size(),
               [](double value) { return value >= 1.0 / amount_max; });
  Machine machine{.domains = std::move(domains),
                  .latency_s = std::move(costs.latency_s),
                  .receive_s = std::move(costs.receive_s),
                  .bandwidth_bytes_s = std::move(costs.bandwidth_bytes_s)};
  for (double const bandwidth : machine.bandwidth_bytes_s) {
    machine.seconds_per_byte.push_back(1.0 / bandwidth);
  }
  for (Domain const& domain : machine.domains) {
    machine.nodes = std::max(machine.nodes, domain.node + 1);
  }
  auto const shared = std::make_shared<Machine>(std::move(machine));
  machine_ = shared;
  shared->has_even_links = nodes_with_even_links();
  // Places by domain: counted, summed up, put where they belong, so that numbers rise in each.
  begin_.resize(machine_->domains.size() + 1);
  for (Place const& place : places_) {
    ++begin_[static_cast<std::size_t>(place.domain) + 1];
    speed_sum_ += place.speed;
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  members_.resize(places_.size());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (int place = 0; place < count(); ++place) {
    members_[next[static_cast<std::size_t>((*this)[place].domain)]++] = place;
  }
}

// Once for all moves that are asked about later. O(domains²), as the tables.
std::vector<bool> Places::nodes_with_even_links() const {
  std::vector<bool> are_even(static_cast<std::size_t>(nodes()), true);
  std::vector<int> first(are_even.size(), -1);  // domain of each node
  for (int domain = 0; domain < domains(); ++domain) {
    auto const at = static_cast<std::size_t>(node(domain));
    if (first[at] < 0) first[at] = domain;
    for (int other = 0; are_even[at] && other < domains(); ++other) {
      if (!is_linked(domain, other)) continue;
      are_even[at] = seconds_per_byte(domain, other) == seconds_per_byte(first[at], other) &&
                     seconds_per_byte(other, domain) == seconds_per_byte(other, first[at]);
    }
  }
  return are_even;
}

Places Places::with_speeds(std::span<double const> speeds) const {
  MAKESPAN_EXPECT(speeds.size() == places_.size());
  Places changed = *this;
  changed.speed_sum_ = Speed{};
  for (std::size_t place = 0; place < speeds.size(); ++place) {
    MAKESPAN_EXPECT(speeds[place] > 0.0);
    changed.places_[place].speed = Speed{speeds[place]};
    changed.speed_sum_ += changed.places_[place].speed;
  }
  return changed;
}

Places Places::with_memories(PlaceMemories memories) const {
  expect_memories(memories, places_.size());
  memories.used_bytes.resize(memories.limit_bytes.size());
  Places changed = *this;
  changed.memories_ = std::make_shared<PlaceMemories const>(std::move(memories));
  return changed;
}

Places Places::subset(std::span<int const> members) const {
  std::vector<int> domains;  // by new number, the old one
  std::vector<int> nodes;
  auto const number_in = [](std::vector<int>& all, int old) {
    auto const at = std::ranges::find(all, old) - all.begin();
    if (at == std::ssize(all)) all.push_back(old);
    return static_cast<int>(at);
  };
  std::vector<Place> some;
  for (int const member : members) {
    Place& place = some.emplace_back((*this)[member]);
    place.domain = number_in(domains, place.domain);
  }
  std::vector<Domain> kept;
  DomainCosts costs;
  for (int const from : domains) {
    Domain& domain = kept.emplace_back(machine_->domains[static_cast<std::size_t>(from)]);
    domain.node = number_in(nodes, domain.node);
    for (int const to : domains) {
      costs.latency_s.push_back(latency_s(from, to));
      costs.receive_s.push_back(receive_s(from, to));
      costs.bandwidth_bytes_s.push_back(bandwidth_bytes_s(from, to));
    }
  }
  return Places(std::move(some), std::move(kept), std::move(costs));
}

double Places::nuco_factor(int from, int to) const {
  double const local = latency_s(to, to);
  return local > 0.0 ? latency_s(from, to) / local : 1.0;
}

void expect_fits(Graph const& graph, Places const& places) {
  auto const wrong = std::ranges::find_if(
      graph.now(), [&](std::int32_t place) { return place < 0 || place >= places.count(); });
  if (wrong != graph.now().end()) {
    throw InputError(numbered("object", static_cast<std::size_t>(wrong - graph.now().begin())),
                     "there is no place " + std::to_string(*wrong),
                     "places are 0 to " + std::to_string(places.count() - 1));
  }
  auto const unknown = std::ranges::find_if(
      places.all(), [&](Place const& place) { return place.kind >= graph.kinds(); });
  if (unknown == places.all().end()) return;
  throw InputError(numbered("place", static_cast<std::size_t>(unknown - places.all().begin())),
                   "its kind is " + std::to_string(unknown->kind) +
                       ", and the work of objects is known for " + std::to_string(graph.kinds()),
                   "give each object a load for every kind of place");
}

}  // namespace makespan::graph
