// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/metis.hpp"

#include <algorithm>
#include <array>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/graph/partition/communication_graph.hpp"
#include "makespan/graph/partition/metis_library.hpp"
#include "makespan/graph/partition/partitioner_input.hpp"
#include "makespan/graph/partition/work_shares.hpp"

namespace makespan::graph {

namespace {

constexpr std::array<OptionHelp, 2> metis_help{{
    {"imbalance", OptionKind::real, 0.02, 0.001, 1.0, "by which part a place may get too much"},
    {"seed", OptionKind::whole, 1.0, 0.0, 2147483647.0, "another seed, another mapping"},
}};

constexpr std::int32_t nowhere = -1;

// The vertex of each object: those that may move in order, then one for what is fixed at each
// place that has such.
struct Vertices {
  std::vector<std::int32_t> of_object;
  std::vector<std::int32_t> of_place;  // `nowhere`: nothing is fixed there
  std::int32_t count{0};
};

Vertices vertices_of(Graph const& graph, Places const& places) {
  Vertices vertices{.of_object = Mapping(graph.now().size(), nowhere),
                    .of_place = Mapping(static_cast<std::size_t>(places.count()), nowhere)};
  for (int object = 0; object < graph.objects(); ++object) {
    if (graph.may_move(object)) {
      vertices.of_object[static_cast<std::size_t>(object)] = vertices.count++;
    }
  }
  for (int object = 0; object < graph.objects(); ++object) {
    if (graph.may_move(object)) continue;
    auto const at = static_cast<std::size_t>(object);
    std::int32_t& vertex = vertices.of_place[static_cast<std::size_t>(graph.now()[at])];
    if (vertex == nowhere) vertex = vertices.count++;
    vertices.of_object[at] = vertex;
  }
  return vertices;
}

// The graph with the fixed objects of a place as one.
// METIS has no fixed vertices (docs/decisions/0057).
GraphColumns merged(Graph const& graph, Vertices const& vertices) {
  GraphColumns columns;
  columns.kinds = graph.kinds();
  auto const kinds = static_cast<std::size_t>(graph.kinds());
  columns.work.resize(static_cast<std::size_t>(vertices.count) * kinds);
  columns.place.resize(static_cast<std::size_t>(vertices.count));
  for (int object = 0; object < graph.objects(); ++object) {
    std::int32_t const vertex = vertices.of_object[static_cast<std::size_t>(object)];
    for (int kind = 0; kind < graph.kinds(); ++kind) {
      columns.work[static_cast<std::size_t>(vertex) * kinds + static_cast<std::size_t>(kind)] +=
          graph.work(object, kind).value();
    }
    for (Traffic const& out : graph.sent(object)) {
      columns.from.push_back(vertex);
      columns.to.push_back(vertices.of_object[static_cast<std::size_t>(out.other)]);
      columns.messages.push_back(static_cast<double>(out.messages));
      columns.edge_bytes.push_back(out.bytes);
    }
  }
  return columns;
}

// What a part says to what is fixed at a place.
struct Pull {
  double cost_s;
  std::int32_t part;
  std::int32_t place;
};

// The strongest first.
std::vector<Pull> pulls_of(CommunicationGraph const& communication, Vertices const& vertices,
                           std::vector<std::int32_t> const& part) {
  std::vector<Pull> pulls;
  std::vector<double> by_part(vertices.of_place.size());
  for (std::size_t place = 0; place < vertices.of_place.size(); ++place) {
    std::int32_t const fixed = vertices.of_place[place];
    if (fixed == nowhere) continue;
    std::ranges::fill(by_part, 0.0);
    for (CommunicationEdge const& talk : communication.of(fixed)) {
      by_part[static_cast<std::size_t>(part[static_cast<std::size_t>(talk.other)])] += talk.cost_s;
    }
    for (std::size_t at = 0; at < by_part.size(); ++at) {
      if (by_part[at] <= 0.0) continue;
      pulls.push_back({.cost_s = by_part[at],
                       .part = static_cast<std::int32_t>(at),
                       .place = static_cast<std::int32_t>(place)});
    }
  }
  std::ranges::stable_sort(pulls, std::greater<>(), &Pull::cost_s);
  return pulls;
}

// The place of each part, of the same share as the one that it was made for. Those that nothing
// pulls stay with their own number, or take what is left in order.
std::vector<std::int32_t> places_of_parts(std::vector<Pull> const& pulls,
                                          std::vector<double> const& share) {
  std::vector<std::int32_t> place_of(share.size(), nowhere);
  std::vector<char> is_taken(share.size());
  auto const take = [&](std::size_t part, std::size_t place) {
    // A part was made for one share of the work, and fits only where the share is the same.
    if (place_of[part] != nowhere || is_taken[place] != 0 || share[part] != share[place]) return;
    place_of[part] = static_cast<std::int32_t>(place);
    is_taken[place] = 1;
  };
  for (Pull const& pull : pulls) {
    take(static_cast<std::size_t>(pull.part), static_cast<std::size_t>(pull.place));
  }
  for (std::size_t part = 0; part < share.size(); ++part) take(part, part);
  for (std::size_t part = 0; part < share.size(); ++part) {
    // As many places of a share are free as parts of it are left, so there is one.
    for (std::size_t place = 0; place_of[part] == nowhere; ++place) {
      MAKESPAN_EXPECT(place < share.size());
      take(part, place);
    }
  }
  return place_of;
}

}  // namespace

bool MetisBalancer::is_built() {
  return has_metis();
}

std::span<OptionHelp const> MetisBalancer::option_help() {
  return metis_help;
}

MetisBalancer::MetisBalancer(OptionValues const& given)
    : MetisBalancer(CheckedOptions(name, metis_help, given)) {
  if (!is_built()) not_configured("METIS");
}

MetisBalancer::MetisBalancer(CheckedOptions const& options)
    : imbalance_(options.real("imbalance")),
      seed_(static_cast<std::uint64_t>(options.whole("seed"))) {
}

Mapping MetisBalancer::map(Graph const& graph, Places const& places) const {
  if (graph.objects() == 0 || places.count() == 1) return graph.now();
  Vertices const vertices = vertices_of(graph, places);
  Graph const whole(merged(graph, vertices));
  WorkShares const shares = work_shares(whole, places);
  CommunicationGraph const communication(whole, places);
  std::vector<std::int32_t> const part =
      metis_parts({.graph = partitioner_input(communication, shares.weight),
                   .shares = shares.share,
                   .imbalance = imbalance_,
                   .seed = static_cast<std::int32_t>(seed_)});
  std::vector<std::int32_t> const place_of =
      places_of_parts(pulls_of(communication, vertices, part), shares.share);
  Mapping mapping = graph.now();
  for (std::size_t object = 0; object < mapping.size(); ++object) {
    if (!graph.may_move(static_cast<int>(object))) continue;
    auto const vertex = static_cast<std::size_t>(vertices.of_object[object]);
    mapping[object] = place_of[static_cast<std::size_t>(part[vertex])];
  }
  return mapping;
}

}  // namespace makespan::graph
