// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/message_matrices.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "makespan/base/median.hpp"

namespace makespan::graph {

namespace {

using machine::CorePlace;
using machine::CostMatrix;
using machine::Topology;

struct Column {
  std::string_view name;
  machine::CostKind kind;
  double MessageCost::* cost;
};
constexpr std::array columns{
    Column{machine::message_latency_name, machine::CostKind::latency, &MessageCost::latency_s},
    Column{machine::message_send_name, machine::CostKind::latency, &MessageCost::send_s},
    Column{machine::message_receive_name, machine::CostKind::latency, &MessageCost::receive_s},
    Column{machine::message_bandwidth_name, machine::CostKind::bandwidth, &MessageCost::byte_s}};

// Of a byte there is the inverse in a matrix.
double turned(Column const& column, double value) {
  return column.kind == machine::CostKind::bandwidth && value > 0.0 ? 1.0 / value : value;
}

}  // namespace

std::vector<ThreadPlace> threads_on(Topology const& topology, std::span<CorePlace const> cores) {
  std::vector<ThreadPlace> threads;
  for (CorePlace const& core : cores) {
    threads.push_back(thread_place_of(topology, std::array{core.cpu}));
  }
  return threads;
}

std::vector<CostMatrix> message_matrices(Topology const& topology, std::span<CorePlace const> cores,
                                         ClassCosts const& known) {
  std::vector<ThreadPlace> const threads = threads_on(topology, cores);
  std::vector<CostMatrix> matrices;
  for (Column const& column : columns) {
    CostMatrix matrix{.name = std::string(column.name), .kind = column.kind};
    for (CorePlace const& core : cores) matrix.from.push_back(core.place);
    matrix.to = matrix.from;
    for (std::size_t from = 0; from < threads.size(); ++from) {
      for (std::size_t to = 0; to < threads.size(); ++to) {
        auto const found = known.find(class_of(threads[from], threads[to]));
        bool const is_known = from != to && found != known.end();
        matrix.values.push_back(is_known ? turned(column, found->second.*(column.cost)) : 0.0);
      }
    }
    matrices.push_back(std::move(matrix));
  }
  return matrices;
}

ClassCosts class_costs_of(Topology const& topology) {
  std::map<MessageClass, std::array<std::vector<double>, columns.size()>> samples;
  for (std::size_t at = 0; at < columns.size(); ++at) {
    CostMatrix const* const matrix = machine::find_matrix(topology, columns[at].name);
    if (matrix == nullptr || matrix->from != matrix->to) return {};
    std::vector<ThreadPlace> threads;
    threads.reserve(matrix->from.size());
    for (int const place : matrix->from) {
      threads.push_back(thread_place_of(topology, machine::cpus_within(topology, place)));
    }
    for (std::size_t from = 0; from < threads.size(); ++from) {
      for (std::size_t to = 0; to < threads.size(); ++to) {
        double const value = matrix->at(from, to);
        if (from == to || !(value > 0.0)) continue;
        samples[class_of(threads[from], threads[to])][at].push_back(turned(columns[at], value));
      }
    }
  }
  ClassCosts known;
  for (auto const& [of, values] : samples) {
    MessageCost cost;
    for (std::size_t at = 0; at < columns.size(); ++at) {
      cost.*(columns[at].cost) = median_or(values[at], 0.0);
    }
    // One that was measured in part is not known.
    if (cost.latency_s > 0.0 && cost.receive_s > 0.0 && cost.byte_s > 0.0) known.emplace(of, cost);
  }
  return known;
}

}  // namespace makespan::graph
