// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/detail/group_leader.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/base/indexed_heap.hpp"
#include "makespan/graph/balancer/makespan_balancer.hpp"
#include "makespan/graph/model/phase_time.hpp"

namespace makespan::graph {

namespace {

int kinds_of(Places const& places) {
  return 1 + std::ranges::max(places.all(), {}, &Place::kind).kind;
}

}  // namespace

GroupLeader::GroupLeader(Places const& all, PlaceGroups const& groups, int group, double noise)
    : all_(all),
      groups_(groups),
      group_(group),
      noise_(noise),
      here_(all.subset(groups.members[static_cast<std::size_t>(group)])) {
  std::vector<int> const& members = groups.members[static_cast<std::size_t>(group)];
  for (std::size_t at = 0; at < members.size(); ++at) {
    member_of_[members[at]] = static_cast<std::int32_t>(at);
  }
}

void GroupLeader::add(KnownObjects const& objects) {
  for (KnownObject const& each : objects.objects) {
    MAKESPAN_EXPECT(member_of_.contains(each.place));
  }
  own_.append(objects);
}

double GroupLeader::work() const {
  double sum = 0.0;
  for (std::size_t at = 0; at < own_.objects.size(); ++at) sum += work_of(own_, at);
  return sum;
}

// On places of the kind where it is.
double GroupLeader::work_of(KnownObjects const& known, std::size_t at) const {
  auto const kind = static_cast<std::size_t>(all_[known.objects[at].place].kind);
  return known.work[at * known.kinds() + kind];
}

double GroupLeader::speed() const {
  return here_.speed_sum().value();
}

// Edges to objects of other groups are no part of it: what they cost is much the same at all places
// of this one.
GroupLeader::GroupGraph GroupLeader::graph_of(KnownObjects const& known,
                                              std::span<std::int32_t const> first) const {
  NumberMap<std::int32_t> vertex_of;
  GraphColumns columns{.kinds = std::max(static_cast<int>(known.kinds()), kinds_of(here_)),
                       .noise = noise_,
                       .work = known.work};
  for (std::size_t at = 0; at < known.objects.size(); ++at) {
    KnownObject const& each = known.objects[at];
    vertex_of[each.object] = static_cast<std::int32_t>(at);
    columns.bytes.push_back(each.bytes);
    columns.is_fixed.push_back(each.is_fixed);
    columns.place.push_back(first[at]);
  }
  for (KnownEdge const& edge : known.edges) {
    std::int32_t const* const from = vertex_of.find(edge.from);
    std::int32_t const* const to = vertex_of.find(edge.to);
    if (from == nullptr || to == nullptr) continue;
    columns.from.push_back(*from);
    columns.to.push_back(*to);
    columns.messages.push_back(edge.messages);
    columns.edge_bytes.push_back(edge.bytes);
  }
  return {.graph = Graph(std::move(columns)),
          .objects = known.objects,
          .vertex_of = std::move(vertex_of)};
}

GroupLeader::GroupGraph const& GroupLeader::own_graph() {
  if (!own_graph_) {
    std::vector<std::int32_t> first;
    first.reserve(own_.objects.size());
    for (KnownObject const& each : own_.objects) first.push_back(*member_of_.find(each.place));
    own_graph_ = graph_of(own_, first);
    is_given_.resize(own_.objects.size());
  }
  return *own_graph_;
}

// --- giving

// By vertex, what messages cost less if it goes to that group [s].
std::vector<double> GroupLeader::gains_of(GroupGraph const& own, int to) const {
  // Distances between groups are taken to be those between their leaders.
  int const here = all_[groups_.leader(group_)].domain;
  int const there = all_[groups_.leader(to)].domain;
  std::vector<double> gains(own.objects.size());
  // If one of two that talk goes, what they say crosses from group to group.
  for (int vertex = 0; vertex < own.graph.objects(); ++vertex) {
    for (Traffic const& out : own.graph.sent(vertex)) {
      double const cost_s = all_.message_s(here, there, out);
      gains[static_cast<std::size_t>(vertex)] -= cost_s;
      gains[static_cast<std::size_t>(out.other)] -= cost_s;
    }
  }
  for (KnownEdge const& edge : own_.edges) {
    std::int32_t const* const vertex = own.vertex_of.find(edge.from);
    if (vertex == nullptr) continue;
    // What it says to that group now would no longer cross.
    if (groups_.group_of[static_cast<std::size_t>(edge.to_place)] != to) continue;
    Traffic const traffic{
        .other = 0, .messages = static_cast<float>(edge.messages), .bytes = edge.bytes};
    gains[static_cast<std::size_t>(*vertex)] += all_.message_s(here, there, traffic);
  }
  return gains;
}

KnownObjects GroupLeader::give(int to, double work) {
  GroupGraph const& own = own_graph();
  std::vector<double> gains = gains_of(own, to);
  IndexedHeap next(own.objects.size());
  // For its work, that costs the least first; of objects that say nothing, the heaviest.
  constexpr double tie = 1e-9;
  auto const key_of = [&](std::size_t vertex) {
    double const mine = work_of(own_, vertex);
    return -gains[vertex] / mine - tie * mine;
  };
  for (std::size_t vertex = 0; vertex < own.objects.size(); ++vertex) {
    // An object without work evens out nothing, and its key would divide by 0.
    bool const can_go = is_given_[vertex] == 0 && own.objects[vertex].is_fixed == 0;
    if (can_go && work_of(own_, vertex) > 0.0) next.set(static_cast<int>(vertex), key_of(vertex));
  }
  int const here = all_[groups_.leader(group_)].domain;
  int const there = all_[groups_.leader(to)].domain;
  std::vector<std::uint8_t> goes(own.objects.size());
  while (!next.empty() && work > 0.0) {
    int const vertex = next.top();
    next.erase(vertex);
    double const mine = work_of(own_, static_cast<std::size_t>(vertex));
    // Or more would be missing here than is too much now.
    if (mine >= 2.0 * work) continue;
    work -= mine;
    goes[static_cast<std::size_t>(vertex)] = is_given_[static_cast<std::size_t>(vertex)] = 1;
    // What it says to its friends will go to the other group: they are nearer to that by as much.
    for (auto const& friends : {own.graph.sent(vertex), own.graph.received(vertex)}) {
      for (Traffic const& each : friends) {
        if (!next.contains(each.other)) continue;
        auto const at = static_cast<std::size_t>(each.other);
        gains[at] += 2.0 * all_.message_s(here, there, each);
        next.set(each.other, key_of(at));
      }
    }
  }
  return taken_out(goes);
}

KnownObjects GroupLeader::taken_out(std::vector<std::uint8_t> const& goes) const {
  KnownObjects given;
  for (std::size_t vertex = 0; vertex < goes.size(); ++vertex) {
    if (goes[vertex] != 0) given.append(own_, vertex);
  }
  for (KnownEdge const& edge : own_.edges) {
    std::int32_t const* const vertex = own_graph_->vertex_of.find(edge.from);
    if (vertex != nullptr && goes[static_cast<std::size_t>(*vertex)] != 0) {
      given.edges.push_back(edge);
    }
  }
  return given;
}

// --- deciding

// Where `makespan` begins with what has come: a graph has a place for each object.
// Of objects that come, by the group's numbers: each, the heaviest first, where least is to do.
std::vector<std::int32_t> GroupLeader::first_places() const {
  std::vector<double> times_s(static_cast<std::size_t>(here_.count()));
  for (std::size_t at = 0; at < own_.objects.size(); ++at) {
    KnownObject const& each = own_.objects[at];
    if (is_given_[at] != 0) continue;
    times_s[static_cast<std::size_t>(*member_of_.find(each.place))] +=
        work_of(own_, at) / all_[each.place].speed.value();
  }
  IndexedHeap early(times_s.size());
  for (std::size_t at = 0; at < times_s.size(); ++at) early.set(static_cast<int>(at), times_s[at]);
  std::vector<std::size_t> order(received_.objects.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{},
                           [&](std::size_t at) { return work_of(received_, at); });
  std::vector<std::int32_t> first(order.size());
  for (std::size_t const at : order) {
    int const member = early.top();
    first[at] = member;
    early.set(member, early.key(member) + work_of(received_, at) / here_[member].speed.value());
  }
  return first;
}

void GroupLeader::decide() {
  GroupGraph const& own = own_graph();
  now_s_ = phase_times(own.graph, here_, own.graph.now()).longest_s();
  bool const is_changed =
      !received_.objects.empty() || std::ranges::count(is_given_, 0) < std::ssize(is_given_);
  // The graph that giving went by is then the one to place.
  if (!is_changed) return place(own);
  KnownObjects known;
  std::vector<std::int32_t> first;
  for (std::size_t at = 0; at < own_.objects.size(); ++at) {
    if (is_given_[at] != 0) continue;
    known.append(own_, at);
    first.push_back(own.graph.now()[at]);
  }
  // Those of objects that were given away are among them: graph_of() passes over an edge of which
  // one end has no vertex.
  known.edges = std::move(own_.edges);
  std::vector<std::int32_t> const come = first_places();
  first.insert(first.end(), come.begin(), come.end());
  known.append(received_);
  place(graph_of(known, first));
}

void GroupLeader::place(GroupGraph const& all) {
  Mapping const mapping =
      here_.count() > 1 ? MakespanBalancer({}).map(all.graph, here_) : all.graph.now();
  new_s_ = phase_times(all.graph, here_, mapping).longest_s();
  std::vector<int> const& members = groups_.members[static_cast<std::size_t>(group_)];
  for (std::size_t at = 0; at < mapping.size(); ++at) {
    KnownObject each = all.objects[at];
    each.to = members[static_cast<std::size_t>(mapping[at])];
    if (each.to != each.place) moved_.push_back(each);
  }
}

}  // namespace makespan::graph
