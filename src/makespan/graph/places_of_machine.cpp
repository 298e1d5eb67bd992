// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/places_of_machine.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/base/median.hpp"
#include "makespan/base/named_entry.hpp"

namespace makespan::graph {

namespace {

using machine::CostMatrix;
using machine::PlaceKind;
using machine::Topology;

constexpr std::string_view system_latency_name = "NUMALatency";  // hwloc's, by the firmware
constexpr double system_latency_local = 10.0;
constexpr int gpu_kind = 1;

struct NamedGrain {
  std::string_view name;
  PlaceGrain grain;
};
constexpr std::array grains{NamedGrain{"core", PlaceGrain::core},
                            NamedGrain{"numa", PlaceGrain::numa_node},
                            NamedGrain{"package", PlaceGrain::package}};

// By domain, the sender's first; 0 is not known.
using Table = std::vector<double>;

// Places and domains as places of the tree.
struct Layout {
  std::vector<int> places{};        // those that are no GPUs
  std::vector<int> place_domain{};  // of each of these: a number of `domains`
  std::vector<int> domains{};       // GPUs last
  std::size_t host_domains{};
  std::vector<int> domain_at{};  // by place of the tree, the nearest around; -1
};

machine::TopologyObject const& at(Topology const& topology, int place) {
  return topology.places[static_cast<std::size_t>(place)];
}

std::vector<int> cores_of(Topology const& topology) {
  std::vector<int> const cores = machine::places_of(topology, PlaceKind::core);
  return cores.empty() ? machine::places_of(topology, PlaceKind::pu) : cores;
}

// What the memory that is local to a place hangs on.
int memory_parent(Topology const& topology, int place) {
  std::vector<int> const nodes = machine::local_memory(topology, place);
  return nodes.empty() ? 0 : at(topology, nodes.front()).parent;
}

int domain_place(Topology const& topology, PlaceGrain grain, int place) {
  if (grain != PlaceGrain::package) return memory_parent(topology, place);
  std::vector<int> const nodes = machine::places_of(topology, PlaceKind::numa_node);
  bool const has_memory = std::ranges::any_of(
      nodes, [&](int node) { return machine::is_within(topology, node, place); });
  return has_memory ? place : memory_parent(topology, place);
}

std::vector<int> places_by_grain(Topology const& topology, PlaceGrain grain) {
  if (grain == PlaceGrain::core) return cores_of(topology);
  if (grain == PlaceGrain::package) return machine::places_of(topology, PlaceKind::package);
  std::vector<int> places;
  for (int const core : cores_of(topology)) {
    int const parent = memory_parent(topology, core);
    if (std::ranges::find(places, parent) == places.end()) places.push_back(parent);
  }
  return places;
}

std::size_t place_in(std::vector<int>& list, int place) {
  auto const known = std::ranges::find(list, place);
  auto const number = static_cast<std::size_t>(known - list.begin());
  if (known == list.end()) list.push_back(place);
  return number;
}

Layout layout_of(Topology const& topology, MachinePlaceOptions const& options) {
  Layout layout{.places = places_by_grain(topology, options.grain)};
  if (layout.places.empty()) {
    throw InputError("places of grain '" + std::string(name_of(options.grain)) + "'",
                     "the machine has none", "choose another grain: core, numa, package");
  }
  for (int const place : layout.places) {
    int const domain = options.grain == PlaceGrain::numa_node
                           ? place
                           : domain_place(topology, options.grain, place);
    layout.place_domain.push_back(static_cast<int>(place_in(layout.domains, domain)));
  }
  layout.host_domains = layout.domains.size();
  if (options.gpus == GpuPlaces::each) {
    std::ranges::copy(machine::places_of(topology, PlaceKind::gpu),
                      std::back_inserter(layout.domains));
  }
  for (int place = 0; place < std::ssize(topology.places); ++place) {
    auto const own = std::ranges::find(layout.domains, place);
    int const parent = at(topology, place).parent;
    int const around = parent < 0 ? -1 : layout.domain_at[static_cast<std::size_t>(parent)];
    layout.domain_at.push_back(
        own == layout.domains.end() ? around : static_cast<int>(own - layout.domains.begin()));
  }
  return layout;
}

// Calls `visit(domain of the row, domain of the column, row's place, value)` for all that is known.
template <class Visit>
void each_known(Topology const& topology, std::string_view name, Layout const& layout,
                Visit const& visit) {
  CostMatrix const* const matrix = machine::find_matrix(topology, name);
  if (matrix == nullptr) return;
  for (std::size_t row = 0; row < matrix->from.size(); ++row) {
    int const from = layout.domain_at[static_cast<std::size_t>(matrix->from[row])];
    for (std::size_t column = 0; column < matrix->to.size(); ++column) {
      int const to = layout.domain_at[static_cast<std::size_t>(matrix->to[column])];
      double const value = matrix->at(row, column);
      if (from >= 0 && to >= 0 && value > 0.0) {
        visit(static_cast<std::size_t>(from), static_cast<std::size_t>(to), matrix->from[row],
              value);
      }
    }
  }
}

// Values of pairs of domains, until there is one of each.
class Samples {
 public:
  explicit Samples(std::size_t domains) : domains_{domains}, cells_(domains * domains) {}

  void add(std::size_t from, std::size_t to, double value) {
    cells_[from * domains_ + to].push_back(value);
  }
  [[nodiscard]] Table medians() const {
    Table table;
    for (std::vector<double> const& cell : cells_) table.push_back(median_or(cell, 0.0));
    return table;
  }

 private:
  std::size_t domains_;
  std::vector<std::vector<double>> cells_;
};

bool has_any(Table const& table) {
  return std::ranges::any_of(table, [](double value) { return value > 0.0; });
}

// What `known` lacks comes from `more`, scaled to agree in the median where both know something.
void fill(Table& known, Table const& more) {
  std::vector<double> ratios;
  for (std::size_t cell = 0; cell < known.size(); ++cell) {
    if (known[cell] > 0.0 && more[cell] > 0.0) ratios.push_back(known[cell] / more[cell]);
  }
  double const scale = median_or(ratios, 1.0);
  for (std::size_t cell = 0; cell < known.size(); ++cell) {
    if (!(known[cell] > 0.0)) known[cell] = more[cell] * scale;
  }
}

struct Source {
  std::string_view name;
  Table table;
};

// The sources in their order, whose last knows everything, and the name of the first that knows
// something.
Source combined(std::vector<Source> const& sources) {
  Source all{.name = {}, .table = Table(sources.front().table.size())};
  for (Source const& source : sources) {
    if (all.name.empty() && has_any(source.table)) all.name = source.name;
    fill(all.table, source.table);
  }
  return all;
}

Table assumed_table(std::size_t domains, double local, double factor) {
  Table table(domains * domains, local * factor);
  for (std::size_t domain = 0; domain < domains; ++domain) table[domain * (domains + 1)] = local;
  return table;
}

// A row is the receiver: it waits for what comes from the column's memory.
Table latencies(Topology const& topology, Layout const& layout, std::string_view name,
                double unit_s) {
  Samples samples(layout.host_domains);
  each_known(topology, name, layout, [&](std::size_t row, std::size_t column, int, double value) {
    if (row < layout.host_domains && column < layout.host_domains)
      samples.add(column, row, value * unit_s);
  });
  return samples.medians();
}

Table bandwidths(Topology const& topology, Layout const& layout) {
  Samples samples(layout.host_domains);
  each_known(topology, machine::memory_copy_name, layout,
             [&](std::size_t row, std::size_t column, int cores, double value) {
               auto const sharing = std::ranges::count_if(layout.places, [&](int place) {
                 return machine::is_within(topology, place, cores);
               });
               samples.add(column, row,
                           value / 2.0 / static_cast<double>(std::max<std::ptrdiff_t>(1, sharing)));
             });
  return samples.medians();
}

// Between each host domain and each GPU, shape (host domains, GPUs), all known.
Table links(Topology const& topology, Layout const& layout, std::string_view name,
            double otherwise) {
  std::size_t const gpus = layout.domains.size() - layout.host_domains;
  std::vector<std::vector<double>> known(layout.host_domains * gpus);
  std::vector<std::vector<double>> of_gpu(gpus);
  each_known(topology, name, layout, [&](std::size_t row, std::size_t column, int, double value) {
    if (row >= layout.host_domains || column < layout.host_domains) return;
    std::size_t const gpu = column - layout.host_domains;
    known[row * gpus + gpu].push_back(value);
    of_gpu[gpu].push_back(value);
  });
  Table table;
  for (std::size_t cell = 0; cell < known.size(); ++cell) {
    table.push_back(median_or(known[cell], median_or(of_gpu[cell % gpus], otherwise)));
  }
  return table;
}

// Host domains and GPUs in one table: `to_gpu` and `from_gpu` give what lies between a host domain
// and a GPU, `through` what lies between two GPUs by way of a host domain, of which `better` is
// taken. A GPU's own is that of its best link: its nearest neighbour.
struct Links {
  Table const& host;
  Table const& to_gpu;
  Table const& from_gpu;
  double (*through)(double first, double second);
  bool (*better)(double a, double b);
};

Table with_gpus(Layout const& layout, Links const& known) {
  std::size_t const hosts = layout.host_domains;
  std::size_t const all = layout.domains.size();
  std::size_t const gpus = all - hosts;
  Table table(all * all);
  for (std::size_t from = 0; from < all; ++from) {
    for (std::size_t to = 0; to < all; ++to) {
      double& cell = table[from * all + to];
      if (from < hosts && to < hosts) {
        cell = known.host[from * hosts + to];
      } else if (from < hosts) {
        cell = known.to_gpu[from * gpus + to - hosts];
      } else if (to < hosts) {
        cell = known.from_gpu[to * gpus + from - hosts];
      } else {
        for (std::size_t host = 0; host < hosts; ++host) {
          double const up = known.to_gpu[host * gpus + to - hosts];
          double const down = known.from_gpu[host * gpus + from - hosts];
          double const way = from == to ? up : known.through(down, up);
          if (host == 0 || known.better(way, cell)) cell = way;
        }
      }
    }
  }
  return table;
}

void set_costs(Topology const& topology, Layout const& layout, PlaceTable& table) {
  std::size_t const hosts = layout.host_domains;
  Source const latency = combined({
      {machine::core_latency_name, latencies(topology, layout, machine::core_latency_name, 1.0)},
      {machine::memory_latency_name,
       latencies(topology, layout, machine::memory_latency_name, 1.0)},
      {system_latency_name, latencies(topology, layout, system_latency_name,
                                      local_latency_s_assumed / system_latency_local)},
      {assumed, assumed_table(hosts, local_latency_s_assumed, remote_factor_assumed)},
  });
  Source const bandwidth = combined({
      {machine::memory_copy_name, bandwidths(topology, layout)},
      {assumed, assumed_table(hosts, local_bandwidth_assumed, 1.0 / remote_factor_assumed)},
  });
  table.latency_source = latency.name;
  table.bandwidth_source = bandwidth.name;
  Table const link_s = links(topology, layout, machine::gpu_latency_name, gpu_latency_s_assumed);
  Table const up = links(topology, layout, machine::gpu_upload_name, gpu_bandwidth_assumed);
  Table const down = links(topology, layout, machine::gpu_download_name, gpu_bandwidth_assumed);
  table.costs.latency_s = with_gpus(layout, {.host = latency.table,
                                             .to_gpu = link_s,
                                             .from_gpu = link_s,
                                             .through = [](double a, double b) { return a + b; },
                                             .better = [](double a, double b) { return a < b; }});
  table.costs.bandwidth_bytes_s =
      with_gpus(layout, {.host = bandwidth.table,
                         .to_gpu = up,
                         .from_gpu = down,
                         .through = [](double a, double b) { return std::min(a, b); },
                         .better = [](double a, double b) { return a > b; }});
}

// In proportion to their cores, the largest 1.
std::vector<double> speeds_of(Topology const& topology, Layout const& layout, PlaceGrain grain) {
  std::vector<double> cores(layout.places.size(), grain == PlaceGrain::core ? 1.0 : 0.0);
  if (grain != PlaceGrain::core) {
    for (int const core : cores_of(topology)) {
      auto const own =
          std::ranges::find_if(layout.places, [&, around = memory_parent(topology, core)](int one) {
            return grain == PlaceGrain::numa_node ? one == around
                                                  : machine::is_within(topology, core, one);
          });
      if (own != layout.places.end())
        ++cores[static_cast<std::size_t>(own - layout.places.begin())];
    }
  }
  double const most = *std::ranges::max_element(cores);
  // A package whose cores the tree does not show computes all the same.
  for (double& count : cores) count = most > 0.0 ? std::max(count, 1.0) / most : 1.0;
  return cores;
}

}  // namespace

std::string_view name_of(PlaceGrain grain) {
  return std::ranges::find(grains, grain, &NamedGrain::grain)->name;
}

PlaceGrain place_grain_named(std::string_view name) {
  return entry_named<NamedGrain>("grain of places", grains, name).grain;
}

PlaceTable places_of_machine(Topology const& topology, MachinePlaceOptions const& options) {
  Layout const layout = layout_of(topology, options);
  PlaceTable table{.domains = std::vector<Domain>(layout.domains.size())};
  std::vector<double> const speeds = speeds_of(topology, layout, options.grain);
  for (std::size_t i = 0; i < layout.places.size(); ++i) {
    table.places.push_back({.speed = Speed{speeds[i]}, .domain = layout.place_domain[i]});
    table.labels.push_back(machine::label_of(topology, layout.places[i]));
  }
  for (std::size_t domain = 0; domain < layout.domains.size(); ++domain) {
    std::string const label = machine::label_of(topology, layout.domains[domain]);
    table.domain_labels.push_back(label);
    if (domain < layout.host_domains) continue;
    table.places.push_back({.kind = gpu_kind, .domain = static_cast<int>(domain)});
    table.labels.push_back(label);
  }
  set_costs(topology, layout, table);
  return table;
}

}  // namespace makespan::graph
