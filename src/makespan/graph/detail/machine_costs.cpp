// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/detail/machine_costs.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "makespan/base/median.hpp"
#include "makespan/graph/model/assumed_message_costs.hpp"

namespace makespan::graph {

namespace {

using machine::CostMatrix;
using machine::Topology;

constexpr std::string_view system_latency_name = "NUMALatency";  // hwloc's, by the firmware
constexpr double system_latency_local = 10.0;

// By domain, the sender's first; 0 is not known.
using Table = std::vector<double>;

// Calls `visit(domain of the row, domain of the column, row's place, value)` for all that is known.
template <class Visit>
void each_known(Topology const& topology, std::string_view name, MachineLayout const& layout,
                Visit const& visit) {
  CostMatrix const* const matrix = machine::find_matrix(topology, name);
  if (matrix == nullptr) return;
  for (std::size_t row = 0; row < matrix->from.size(); ++row) {
    auto const& from = layout.domains_at[static_cast<std::size_t>(matrix->from[row])];
    for (std::size_t column = 0; column < matrix->to.size(); ++column) {
      double const value = matrix->at(row, column);
      if (!(value > 0.0)) continue;
      for (int const sender : from) {
        for (int const receiver : layout.domains_at[static_cast<std::size_t>(matrix->to[column])]) {
          visit(static_cast<std::size_t>(sender), static_cast<std::size_t>(receiver),
                matrix->from[row], value);
        }
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
Table latencies(Topology const& topology, MachineLayout const& layout, std::string_view name,
                double unit_s) {
  Samples samples(layout.host_domains);
  each_known(topology, name, layout, [&](std::size_t row, std::size_t column, int, double value) {
    if (row < layout.host_domains && column < layout.host_domains)
      samples.add(column, row, value * unit_s);
  });
  return samples.medians();
}

Table bandwidths(Topology const& topology, MachineLayout const& layout) {
  Samples samples(layout.host_domains);
  each_known(topology, machine::memory_copy_name, layout,
             [&](std::size_t row, std::size_t column, int cores, double value) {
               if (row >= layout.host_domains || column >= layout.host_domains) return;
               // All that share this bandwidth may copy at once.
               auto const sharing = std::ranges::count_if(layout.places, [&](int place) {
                 return machine::is_within(topology, place, cores);
               });
               samples.add(column, row,
                           value / 2.0 / static_cast<double>(std::max<std::ptrdiff_t>(1, sharing)));
             });
  return samples.medians();
}

// By domain, from messages: the sender's first, as rows are.
Table message_table(Topology const& topology, MachineLayout const& layout, std::string_view name) {
  Samples samples(layout.host_domains);
  each_known(topology, name, layout, [&](std::size_t row, std::size_t column, int, double value) {
    if (row < layout.host_domains && column < layout.host_domains) samples.add(row, column, value);
  });
  return samples.medians();
}

// Within each domain, and nothing else.
Table within_domains(std::size_t domains, double value) {
  Table table(domains * domains);
  for (std::size_t domain = 0; domain < domains; ++domain) table[domain * (domains + 1)] = value;
  return table;
}

// Between each host domain and each GPU, shape (host domains, GPUs), all known.
Table links(Topology const& topology, MachineLayout const& layout, std::string_view name,
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

Table with_gpus(MachineLayout const& layout, Links const& known) {
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

// What is known of latencies, from the nearest source to what is assumed.
std::vector<Source> latency_sources(Topology const& topology, MachineLayout const& layout) {
  return {
      {machine::core_latency_name, latencies(topology, layout, machine::core_latency_name, 1.0)},
      {machine::memory_latency_name,
       latencies(topology, layout, machine::memory_latency_name, 1.0)},
      {system_latency_name, latencies(topology, layout, system_latency_name,
                                      local_latency_s_assumed / system_latency_local)},
      {assumed, assumed_table(layout.host_domains, local_latency_s_assumed, remote_factor_assumed)},
  };
}

}  // namespace

void set_machine_costs(Topology const& topology, MachineLayout const& layout, PlaceTable& table) {
  std::size_t const hosts = layout.host_domains;
  std::vector<Source> sources = latency_sources(topology, layout);
  // A message within a domain takes its receiver what is assumed, where messages were not measured;
  // how many times more one from elsewhere takes, latencies say.
  std::vector<Source> receive_sources{
      {machine::message_receive_name,
       message_table(topology, layout, machine::message_receive_name)},
      {assumed, within_domains(hosts, AssumedMessageCosts{}.image_message_s)}};
  receive_sources.insert(receive_sources.end(), sources.begin(), sources.end());
  sources.insert(sources.begin(), {machine::message_latency_name,
                                   message_table(topology, layout, machine::message_latency_name)});
  Source const latency = combined(sources);
  Source const receive = combined(receive_sources);
  Source const bandwidth = combined({
      {machine::message_bandwidth_name,
       message_table(topology, layout, machine::message_bandwidth_name)},
      {machine::memory_copy_name, bandwidths(topology, layout)},
      {assumed, assumed_table(hosts, local_bandwidth_assumed, 1.0 / remote_factor_assumed)},
  });
  table.latency_source = latency.name;
  table.bandwidth_source = bandwidth.name;
  Table const link_s = links(topology, layout, machine::gpu_latency_name, gpu_latency_s_assumed);
  Table const up = links(topology, layout, machine::gpu_upload_name, gpu_bandwidth_assumed);
  Table const down = links(topology, layout, machine::gpu_download_name, gpu_bandwidth_assumed);
  auto const times = [&](Table const& host) {
    return with_gpus(layout, {.host = host,
                              .to_gpu = link_s,
                              .from_gpu = link_s,
                              .through = [](double a, double b) { return a + b; },
                              .better = [](double a, double b) { return a < b; }});
  };
  table.costs.latency_s = times(latency.table);
  table.costs.receive_s = times(receive.table);
  table.costs.bandwidth_bytes_s =
      with_gpus(layout, {.host = bandwidth.table,
                         .to_gpu = up,
                         .from_gpu = down,
                         .through = [](double a, double b) { return std::min(a, b); },
                         .better = [](double a, double b) { return a > b; }});
}

}  // namespace makespan::graph
