// SPDX-License-Identifier: Apache-2.0
// Where should the objects of a program go? 60 of them in a chain, each with neighbours to whom it
// sends a megabyte a phase, on three fast cores and a slow one. Asks a balancer that only looks
// at work, and the one that looks at messages, too.
#include <cstdio>
#include <utility>

#include <makespan/graph.hpp>

namespace graph = makespan::graph;

// Ten milliseconds of work each, on the first core now.
graph::Graph chain(int objects) {
  graph::GraphColumns columns;
  auto const send = [&](int from, int to) {
    columns.from.push_back(from);
    columns.to.push_back(to);
    columns.messages.push_back(10);
    columns.edge_bytes.push_back(1e6);
  };
  for (int object = 0; object < objects; ++object) {
    columns.work.push_back(10e-3);
    columns.bytes.push_back(4e6);
    columns.place.push_back(0);
    if (object == 0) continue;
    send(object - 1, object);
    send(object, object - 1);
  }
  return graph::Graph(std::move(columns));
}

int main() {
  using makespan::Speed;
  graph::Graph const objects = chain(60);
  graph::Places const cores({{}, {}, {}, {.speed = Speed{0.25}}}, {graph::Domain{}},
                            {.latency_s = {1e-6}, .bandwidth_bytes_s = {5e9}});
  double const bound = graph::lower_bound(objects, cores).value();
  std::printf("no mapping ends before %.1f ms\n", 1e3 * bound);
  for (char const* name : {"greedy", "makespan"}) {
    graph::Mapping const mapping = graph::make_balancer(name, {})->map(objects, cores);
    graph::MappingQuality const quality = graph::quality_of(objects, cores, mapping);
    std::printf("%-8s ends after %.1f ms, %.0f MB go from core to core\n", name,
                1e3 * quality.phase.value(), 1e-6 * quality.place_bytes);
  }
}
