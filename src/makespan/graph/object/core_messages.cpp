// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/core_messages.hpp"

#include <array>
#include <cstddef>

#include "makespan/graph/message_matrices.hpp"
#include "makespan/graph/object/detail/message_meter.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::graph {

namespace {

MessageCost cost_between(int cpu, int other_cpu, Seconds budget) {
  pgas::Runtime runtime({.threads = 2, .heap_bytes = 1 << 20});
  std::array const pair{ThreadPair{.from = 0, .to = 1}};
  MessageCost const cost = metered_all(runtime, {cpu, other_cpu}, pair, budget).front();
  runtime.finish_all();
  return cost;
}

}  // namespace

std::vector<machine::CostMatrix> core_messages(machine::Topology const& topology,
                                               std::span<machine::CorePlace const> cores,
                                               Seconds budget, std::atomic<int>& classes_done,
                                               std::stop_token const& stop) {
  std::vector<ThreadPlace> const threads = threads_on(topology, cores);
  std::vector<ThreadPair> const pairs = pairs_to_measure(threads, 0);
  ClassCosts known;
  for (auto const& [from, to] : pairs) {
    if (stop.stop_requested()) break;
    auto const a = static_cast<std::size_t>(from);
    auto const b = static_cast<std::size_t>(to);
    MessageCost const cost =
        cost_between(cores[a].cpu, cores[b].cpu, budget / static_cast<double>(pairs.size()));
    if (cost.is_known()) known.emplace(class_of(threads[a], threads[b]), cost);
    ++classes_done;
  }
  return message_matrices(topology, cores, known);
}

int classes_between(machine::Topology const& topology, std::span<machine::CorePlace const> cores) {
  return static_cast<int>(pairs_to_measure(threads_on(topology, cores), 0).size());
}

}  // namespace makespan::graph
