// SPDX-License-Identifier: Apache-2.0
// Graphs of objects, places that they can be in, and balancers.
#include "bindings/graph.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bindings/balance_when.hpp"
#include "bindings/entries.hpp"
#include "bindings/given.hpp"
#include "bindings/pricing.hpp"
#include "bindings/python_thread.hpp"
#include "makespan/base/error.hpp"
#include "makespan/graph/balancer/balancer_registry.hpp"
#include "makespan/graph/balancer/within_memory.hpp"
#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/lower_bound.hpp"
#include "makespan/graph/model/mapping_quality.hpp"
#include "makespan/graph/model/phase_time.hpp"
#include "makespan/graph/model/places.hpp"
#include "makespan/graph/place_table.hpp"
#include "makespan/graph/places_of_machine.hpp"
#include "makespan/graph/times/memory_use.hpp"
#include "makespan/machine/machine.hpp"
#include "makespan/sim/phases/phase_simulation.hpp"

namespace bindings {

namespace nb = nanobind;
namespace graph = makespan::graph;
namespace machine = makespan::machine;
namespace sim = makespan::sim;

namespace {

template <class T>
using Column = nb::ndarray<T const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = Column<std::int32_t>;
using Amounts = Column<double>;
using Flags = Column<std::uint8_t>;
using Options = std::map<std::string, double>;

template <class T>
std::vector<T> copy_of(Column<T> const& column) {
  return {column.data(), column.data() + column.size()};
}

nb::list balancers() {
  return named(graph::balancers());
}

template <class Column>
Column graph_column(nb::dict const& columns, char const* name) {
  Column values;
  if (!columns.contains(name) || !nb::try_cast(columns[name], values, false)) {
    throw makespan::InputError("column '" + std::string(name) + "' of a graph",
                               "it is missing, or no contiguous array of its type",
                               "use makespan.graph, which converts");
  }
  return values;
}

void make_graph(graph::Graph* self, nb::dict const& given) {
  // Copies: the graph may outlive the arrays, and is made without the GIL, under which Python could
  // change them.
  graph::GraphColumns columns{.kinds = nb::cast<int>(given["kinds"]),
                              .work = copy_of(graph_column<Amounts>(given, "work")),
                              .bytes = copy_of(graph_column<Amounts>(given, "bytes")),
                              .place = copy_of(graph_column<Numbers>(given, "place")),
                              .is_fixed = copy_of(graph_column<Flags>(given, "fixed")),
                              .from = copy_of(graph_column<Numbers>(given, "from")),
                              .to = copy_of(graph_column<Numbers>(given, "to")),
                              .messages = copy_of(graph_column<Amounts>(given, "messages")),
                              .edge_bytes = copy_of(graph_column<Amounts>(given, "edge_bytes"))};
  // Of memory: all of them, or none.
  if (given.contains("footprint")) {
    columns.footprint = copy_of(graph_column<Amounts>(given, "footprint"));
    columns.working = copy_of(graph_column<Amounts>(given, "working"));
    columns.block = copy_of(graph_column<Numbers>(given, "block"));
    columns.block_bytes = copy_of(graph_column<Amounts>(given, "block_bytes"));
  }
  ReleasedGil const released;
  new (self) graph::Graph(std::move(columns));
}

void make_places(graph::Places* self, nb::dict const& given) {
  auto const kinds = graph_column<Numbers>(given, "kind");
  auto const speeds = graph_column<Amounts>(given, "speed");
  auto const domains = graph_column<Numbers>(given, "domain");
  auto const nodes = graph_column<Numbers>(given, "node");
  if (kinds.size() != speeds.size() || kinds.size() != domains.size()) {
    throw makespan::InputError("columns of places", "their lengths differ",
                               "give kind, speed and domain for each place");
  }
  std::vector<graph::Place> places;
  places.reserve(kinds.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    places.push_back({.kind = kinds(i), .speed = makespan::Speed{speeds(i)}, .domain = domains(i)});
  }
  std::vector<graph::Domain> all;
  all.reserve(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) all.push_back({.node = nodes(i)});
  new (self) graph::Places(
      std::move(places), std::move(all),
      {.latency_s = copy_of(graph_column<Amounts>(given, "latency_s")),
       .bandwidth_bytes_s = copy_of(graph_column<Amounts>(given, "bandwidth_bytes_s"))});
}

graph::Places with_memories(graph::Places const& places, nb::dict const& given) {
  return places.with_memories({.of = copy_of(graph_column<Numbers>(given, "of")),
                               .limit_bytes = copy_of(graph_column<Amounts>(given, "limit_bytes")),
                               .used_bytes = copy_of(graph_column<Amounts>(given, "used_bytes"))});
}

graph::PlaceTable table_of_machine(machine::Machine const& one, std::string const& grain,
                                   bool gpus) {
  return graph::places_of_machine(one.topology(),
                                  {.grain = graph::place_grain_named(grain),
                                   .gpus = gpus ? graph::GpuPlaces::each : graph::GpuPlaces::none});
}

graph::PlaceTable repeated_equally(graph::PlaceTable const& node, int nodes,
                                   std::optional<double> latency_s,
                                   std::optional<double> bandwidth) {
  return graph::repeated(
      node, graph::equal_nodes(nodes, latency_s.value_or(graph::network_latency_s_assumed),
                               bandwidth.value_or(graph::network_bandwidth_assumed)));
}

graph::PlaceTable repeated_on_hosts(graph::PlaceTable const& node,
                                    std::vector<std::string> const& hosts,
                                    std::vector<double> const& latencies,
                                    std::vector<double> const& bandwidths) {
  return graph::repeated(node, graph::node_costs_of(hosts, latencies, bandwidths));
}

graph::PlaceTable with_speeds(graph::PlaceTable table, std::vector<double> const& speeds) {
  if (speeds.size() != table.places.size()) {
    throw makespan::InputError(std::to_string(speeds.size()) + " speeds",
                               "there are " + std::to_string(table.places.size()) + " places",
                               "give one for each");
  }
  for (std::size_t i = 0; i < speeds.size(); ++i)
    table.places[i].speed = makespan::Speed{speeds[i]};
  return table;
}

// A column of the places of a table.
template <class Value>
nb::list by_place(graph::PlaceTable const& table, Value const& value) {
  nb::list values;
  for (graph::Place const& place : table.places) values.append(nb::cast(value(place)));
  return values;
}

// A mapping is data from outside here, where elsewhere it is our own.
std::span<std::int32_t const> checked(graph::Graph const& graph, graph::Places const& places,
                                      Numbers const& mapping) {
  graph::expect_fits(graph, places);
  std::span<std::int32_t const> const values{mapping.data(), mapping.size()};
  bool const fits =
      std::ssize(values) == graph.objects() && std::ranges::all_of(values, [&](std::int32_t place) {
        return place >= 0 && place < places.count();
      });
  if (!fits) {
    throw makespan::InputError("a mapping", "it does not fit the graph and its places",
                               "give a place, from 0, for each object");
  }
  return values;
}

nb::tuple balance(graph::Graph const& objects, graph::Places const& places, std::string const& name,
                  Options const& options) {
  graph::Mapping mapping;
  double seconds = 0.0;
  {
    ReleasedGil const released;
    makespan::OptionValues const given(options.begin(), options.end());
    std::unique_ptr<graph::Balancer> const balancer = graph::make_balancer(name, given);
    graph::expect_fits(objects, places);
    // The decision alone is timed: what is checked and made before is not the balancer's.
    auto const begin = std::chrono::steady_clock::now();
    mapping = graph::within_memory(objects, places, balancer->map(objects, places));
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  return nb::make_tuple(owned(std::move(mapping)), seconds);
}

nb::dict quality(graph::Graph const& objects, graph::Places const& places, Numbers const& mapping) {
  graph::MappingQuality const found =
      graph::quality_of(objects, places, checked(objects, places, mapping));
  nb::dict out;
  out["phase_s"] = found.phase.value();
  out["imbalance"] = found.imbalance;
  out["place_bytes"] = found.place_bytes;
  out["domain_bytes"] = found.domain_bytes;
  out["node_bytes"] = found.node_bytes;
  out["moves"] = found.moves;
  out["moved_bytes"] = found.moved_bytes;
  if (places.has_memory_limits()) {
    out["fullest_memory"] =
        graph::MemoryUse(objects, places, std::span(mapping.data(), mapping.size())).fullest();
  }
  return out;
}

nb::tuple phase_times(graph::Graph const& objects, graph::Places const& places,
                      Numbers const& mapping) {
  graph::PhaseTimes times = graph::phase_times(objects, places, checked(objects, places, mapping));
  return nb::make_tuple(owned(std::move(times.compute_s)), owned(std::move(times.receive_s)));
}

sim::PhasesJob phases_job(nb::dict const& given) {
  sim::PhasesJob job;
  Given const from(given);
  from.take("phases", job.phases);
  from.take("balancer", job.balancer);
  Options options;
  from.take("balancer_options", options);
  job.balancer_options = makespan::OptionValues(options.begin(), options.end());
  from.take_as<graph::BalanceWhen, std::string>("when", job.when, balance_when);
  from.take("every", job.every);
  from.take("growth", job.loads.growth);
  from.take("growing_share", job.loads.growing_share);
  from.take("noise", job.loads.noise);
  from.take("seed", job.loads.seed);
  from.take("look_s_per_object", job.look_s_per_object);
  if (given.contains("changes")) {
    for (nb::handle const change : given["changes"]) {
      auto const row = nb::cast<std::tuple<int, std::int64_t, double>>(change);
      job.changes.push_back(
          {.place = std::get<0>(row), .phase = std::get<1>(row), .factor = std::get<2>(row)});
    }
  }
  return job;
}

nb::dict simulate_phases(graph::Graph const& objects, graph::Places const& places,
                         nb::dict const& given) {
  sim::PhasesJob const job = phases_job(given);
  sim::PhasesResult result;
  {
    ReleasedGil const released;
    result = sim::simulate(objects, places, job);
  }
  nb::dict columns;
  auto const column = [&](char const* name, auto value) {
    nb::list values;
    for (sim::SimulatedPhase const& phase : result.phases) values.append(phase.*value);
    columns[name] = values;
  };
  column("time_s", &sim::SimulatedPhase::time_s);
  column("compute_s", &sim::SimulatedPhase::compute_s);
  column("look_s", &sim::SimulatedPhase::look_s);
  column("migrate_s", &sim::SimulatedPhase::migrate_s);
  column("moved", &sim::SimulatedPhase::moved);
  column("moved_bytes", &sim::SimulatedPhase::moved_bytes);
  nb::dict out;
  out["total_s"] = result.total_s();
  out["phases"] = columns;
  out["mapping"] = owned(std::move(result.mapping));
  return out;
}

void bind_tables(nb::module_& module) {
  using namespace nb::literals;
  using graph::PlaceTable;
  nb::class_<PlaceTable>(module, "PlaceTable",
                         "Places with their names, before speeds and nodes are settled.")
      .def_static("of_machine", &table_of_machine, "machine"_a, "grain"_a, "gpus"_a,
                  "One place for each core, NUMA node or package (numa); GPUs are of kind 1.")
      .def_static("equal", &graph::equal_places_table, "count"_a)
      .def("repeated", &repeated_equally, "nodes"_a, "latency_s"_a.none(),
           "bandwidth_bytes_s"_a.none(), "So many such nodes, equally far from each other.")
      .def("on_hosts", &repeated_on_hosts, "hosts"_a, "latencies"_a, "bandwidths"_a,
           "One such node for each host, from tables by image.")
      .def("with_speeds", &with_speeds, "speeds"_a)
      .def("to_places", &PlaceTable::to_places)
      .def_ro("labels", &PlaceTable::labels)
      .def_ro("domain_labels", &PlaceTable::domain_labels)
      .def_ro("latency_source", &PlaceTable::latency_source)
      .def_ro("bandwidth_source", &PlaceTable::bandwidth_source)
      .def_prop_ro("kinds",
                   [](PlaceTable const& table) {
                     return by_place(table, [](graph::Place const& place) { return place.kind; });
                   })
      .def_prop_ro("speeds",
                   [](PlaceTable const& table) {
                     return by_place(table,
                                     [](graph::Place const& place) { return place.speed.value(); });
                   })
      .def_prop_ro("domains",
                   [](PlaceTable const& table) {
                     return by_place(table, [](graph::Place const& place) { return place.domain; });
                   })
      .def_prop_ro("nodes", [](PlaceTable const& table) {
        return by_place(table, [&](graph::Place const& place) {
          return table.domains[static_cast<std::size_t>(place.domain)].node;
        });
      });
}

}  // namespace

void bind_graph(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<graph::Graph>(module, "Graph", "Objects and what they say to each other.")
      .def("__init__", &make_graph, "columns"_a,
           "From kinds, work (objects x kinds, row by row), bytes, place, fixed, from, to, "
           "messages, edge_bytes, and of memory footprint, working, block, block_bytes; raises "
           "ValueError.")
      .def_prop_ro("objects", &graph::Graph::objects);
  nb::class_<graph::Places>(module, "Places", "What runs objects, and what it costs to send.")
      .def("__init__", &make_places, "columns"_a,
           "From kind, speed, domain (by place), node (by domain), latency_s and "
           "bandwidth_bytes_s (domain x domain); raises ValueError.")
      .def("with_memories", &with_memories, "columns"_a,
           "The same with limits: of (by place: a memory), limit_bytes and used_bytes (by memory); "
           "raises ValueError.")
      .def_prop_ro("count", &graph::Places::count)
      .def_prop_ro("domains", &graph::Places::domains);
  bind_tables(module);
  module.def("balancers", &balancers,
             "Balancers, the default first: name, summary, options, is_built.");
  module.def("balance", &balance, "graph"_a, "places"_a, "balancer"_a, "options"_a,
             "Without the GIL: the mapping, and the seconds that the decision took.");
  module.def("mapping_quality", &quality, "graph"_a, "places"_a, "mapping"_a);
  module.def("phase_times", &phase_times, "graph"_a, "places"_a, "mapping"_a,
             "By place [s]: computing, and getting messages.");
  module.def(
      "simulate_phases", &simulate_phases, "graph"_a, "places"_a, "job"_a,
      "Phases in virtual time, balanced as `job` says; by phase: columns of what each took.");
  module.def(
      "phase_lower_bound",
      [](graph::Graph const& objects, graph::Places const& places) {
        graph::expect_fits(objects, places);
        ReleasedGil const released;
        return graph::lower_bound(objects, places).value();
      },
      "graph"_a, "places"_a, "What no mapping can be better than [s].");
}

}  // namespace bindings
