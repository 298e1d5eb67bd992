// SPDX-License-Identifier: Apache-2.0
// Graphs, machines and mappings as columns of any lengths and values, and what balancers make of
// those that are good.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "fuzz/fuzz_input.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/graph/balancer/balancer_registry.hpp"
#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/lower_bound.hpp"
#include "makespan/graph/model/mapping_quality.hpp"
#include "makespan/graph/model/phase_time.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::fuzz::graph_columns_target {
namespace {

// As long as it should be; now and then one longer.
template <class T>
std::vector<T> column(FuzzInput& input, int length) {
  return input.column<T>(length + (input.small(63) == 1 ? 1 : 0));
}

// Now and then any number, else one from 0 on below `count`.
std::vector<std::int32_t> indexes(FuzzInput& input, int length, int count) {
  std::vector<std::int32_t> values(static_cast<std::size_t>(length));
  for (std::int32_t& each : values) {
    bool const is_any = input.small(63) == 1;
    each = is_any ? input.value<std::int32_t>() : input.small(std::max(0, count - 1));
  }
  return values;
}

graph::Graph graph_from(FuzzInput& input, int places) {
  int const objects = input.small(12);
  int const edges = input.small(24);
  int const kinds = input.small(2);
  graph::GraphColumns columns{.kinds = kinds};
  columns.work = column<double>(input, objects * kinds);
  if (input.flag()) columns.bytes = column<double>(input, objects);
  columns.place = indexes(input, objects, places);
  if (input.flag()) columns.is_fixed = column<std::uint8_t>(input, objects);
  columns.from = indexes(input, edges, objects);
  columns.to = indexes(input, edges, objects);
  columns.messages = column<double>(input, edges);
  columns.edge_bytes = column<double>(input, edges);
  return graph::Graph(std::move(columns));
}

graph::Places places_from(FuzzInput& input, int count) {
  int const domains = input.small(3);
  std::vector<graph::Place> places(static_cast<std::size_t>(count));
  for (graph::Place& each : places) {
    each = {.kind = input.small(1),
            .speed = Speed{input.value<double>()},
            .domain = indexes(input, 1, domains).front()};
  }
  std::vector<graph::Domain> all(static_cast<std::size_t>(domains));
  for (graph::Domain& each : all) each.node = indexes(input, 1, domains).front();
  return graph::Places(std::move(places), std::move(all),
                       {.latency_s = column<double>(input, domains * domains),
                        .bandwidth_bytes_s = column<double>(input, domains * domains)});
}

// METIS and Scotch are libraries of others, and take what is far from sense as long as they like.
bool is_ours(std::string_view name) {
  return name != "metis" && name != "scotch";
}

void balance(std::span<std::byte const> bytes) {
  FuzzInput input(bytes);
  auto const known = graph::balancers();
  auto const& entry =
      known[static_cast<std::size_t>(input.small(static_cast<int>(known.size()) - 1))];
  int const count = input.small(6);
  graph::Places const places = places_from(input, count);
  graph::Graph const objects = graph_from(input, count);
  graph::expect_fits(objects, places);
  if (!is_ours(entry.name)) return;
  OptionValues options;
  for (OptionHelp const& option : entry.options) {
    if (input.flag()) options[std::string(option.name)] = input.value<double>();
  }
  graph::Mapping const mapping = graph::make_balancer(entry.name, options)->map(objects, places);
  MAKESPAN_ENSURE(std::ssize(mapping) == objects.objects());
  for (std::int32_t const place : mapping) MAKESPAN_ENSURE(place >= 0 && place < places.count());
  static_cast<void>(graph::quality_of(objects, places, mapping));
  static_cast<void>(graph::phase_times(objects, places, mapping));
  static_cast<void>(graph::lower_bound(objects, places));
}

Bytes seed(int balancer) {
  FuzzOutput output;
  output.small(balancer).small(3).small(2);
  for (int place = 0; place < 3; ++place)
    output.small(0).value(1.0 + place).small(0).small(place % 2);
  for (int domain = 0; domain < 2; ++domain) output.small(0).small(domain);
  output.small(0).column(std::vector<double>(4, 1e-6)).small(0).column(std::vector<double>(4, 1e9));
  output.small(4).small(3).small(1);
  output.small(0).column(std::vector<double>{1, 2, 3, 4}).small(1);
  output.small(0).column(std::vector<double>(4, 100.0));
  for (int object = 0; object < 4; ++object) output.small(0).small(object % 3);
  output.small(0);
  for (int edge = 0; edge < 3; ++edge) output.small(0).small(edge);
  for (int edge = 0; edge < 3; ++edge) output.small(0).small(edge + 1);
  output.small(0).column(std::vector<double>(3, 1.0)).small(0).column(std::vector<double>(3, 1e3));
  return output.bytes();
}

std::vector<Bytes> seeds() {
  std::vector<Bytes> all;
  for (int balancer = 0; balancer < std::ssize(graph::balancers()); ++balancer) {
    all.push_back(seed(balancer));
  }
  return all;
}

FuzzTarget const target("graph_columns", &balance, &seeds);

}  // namespace
}  // namespace makespan::fuzz::graph_columns_target
