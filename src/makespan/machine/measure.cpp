// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/measure.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <thread>

#include "makespan/base/contracts.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/machine/node_memory.hpp"
#include "makespan/machine/ping_pong.hpp"
#include "makespan/machine/pointer_chase.hpp"
#include "makespan/machine/stream.hpp"

namespace makespan::machine {

namespace {

// The measurement of every pair is repeated so often in the course of it all, since a machine that
// is not alone has its good and bad seconds.
constexpr int passes = 4;
constexpr Seconds pair_time_min{0.003};
constexpr double kinds = 3.0;  // cores, latency, bandwidth

// In one pass.
Seconds time_of_pair(Seconds budget, std::size_t pairs) {
  if (pairs == 0) return Seconds{};
  return std::max(pair_time_min, budget / (kinds * passes * static_cast<double>(pairs)));
}

std::size_t pairs_among(std::size_t places) {
  return places < 2 ? 0 : places * (places - 1) / 2;
}

// Keeps the lesser of two latencies, the greater of two bandwidths; 0 is none.
void keep_better(CostMatrix& matrix, std::size_t cell, double found) {
  double& kept = matrix.values[cell];
  bool const is_less = matrix.kind == CostKind::latency && kept > 0.0;
  if (found > 0.0 && (is_less ? found < kept : found > kept)) kept = found;
}

CostMatrix empty_matrix(std::string_view name, CostKind kind, std::vector<int> from,
                        std::vector<int> to) {
  std::size_t const size = from.size() * to.size();
  return {.name = std::string(name),
          .kind = kind,
          .from = std::move(from),
          .to = std::move(to),
          .values = std::vector<double>(size)};
}

CostMatrix empty_core_costs(MeasurePlan const& plan) {
  std::vector<int> places;
  places.reserve(plan.cores.size());
  for (CorePlace const& core : plan.cores) places.push_back(core.place);
  return empty_matrix(core_latency_name, CostKind::latency, places, places);
}

void measure_cores(MeasurePlan const& plan, Seconds budget, CostMatrix& latency,
                   MeasureBoard& board, std::stop_token const& stop) {
  std::size_t const size = plan.cores.size();
  Seconds const time = time_of_pair(budget, pairs_among(size));
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = i + 1; j < size && !stop.stop_requested(); ++j) {
      double const one_way = core_latency(plan.cores[i].cpu, plan.cores[j].cpu, time).value();
      keep_better(latency, i * size + j, one_way);
      keep_better(latency, j * size + i, one_way);
      ++board.steps_done;
    }
  }
}

// The matrices of memory, while they are filled.
struct MemoryCosts {
  CostMatrix latency;
  CostMatrix copy;
  CostMatrix triad;
};

MemoryCosts empty_costs(MeasurePlan const& plan) {
  std::vector<int> from;
  from.reserve(plan.core_sets.size());
  for (CoreSet const& set : plan.core_sets) from.push_back(set.place);
  return {.latency = empty_matrix(memory_latency_name, CostKind::latency, from, plan.memories),
          .copy = empty_matrix(memory_copy_name, CostKind::bandwidth, from, plan.memories),
          .triad = empty_matrix(memory_triad_name, CostKind::bandwidth, from, plan.memories)};
}

// Memory of one NUMA node, with what loads and streams need in it.
struct Region {
  NodeMemory memory;
  std::span<std::byte> cycle;
  std::span<std::byte> arrays;
};

std::optional<int> find_near_cpu(Machine const& machine, MeasurePlan const& plan, int memory) {
  int const around = machine.topology().places[static_cast<std::size_t>(memory)].parent;
  auto const near = std::ranges::find(plan.core_sets, around, &CoreSet::place);
  return near == plan.core_sets.end() ? std::nullopt : std::optional(near->cpus.front());
}

// Nothing where memory cannot be placed. It comes into being where its first writer runs, if the
// system is not told where: so that is a core near to it, if there is one.
std::optional<Region> region_on(Machine const& machine, MeasurePlan const& plan, int memory) {
  auto found = NodeMemory::on(machine, memory, plan.cycle_bytes + plan.arrays_bytes);
  if (!found) return std::nullopt;
  std::span const bytes = found->bytes();
  Region region{.memory = std::move(*found),
                .cycle = bytes.first(plan.cycle_bytes),
                .arrays = bytes.subspan(plan.cycle_bytes)};
  std::jthread([&] {
    if (auto const cpu = find_near_cpu(machine, plan, memory)) pin_this_thread(*cpu);
    write_cycle(region.cycle);
    std::ranges::fill(region.arrays, std::byte{});
  }).join();
  return region;
}

// One column of all three, row by row.
void measure_memory(MeasurePlan const& plan, std::size_t column, Region const& region, Seconds time,
                    MemoryCosts& costs) {
  for (std::size_t row = 0; row < plan.core_sets.size(); ++row) {
    std::vector<int> const& cpus = plan.core_sets[row].cpus;
    std::size_t const cell = row * plan.memories.size() + column;
    keep_better(costs.latency, cell, load_latency(region.cycle, cpus.front(), time).value());
    Bandwidth const found = stream_bandwidth(region.arrays, cpus, time);
    keep_better(costs.copy, cell, found.copy);
    keep_better(costs.triad, cell, found.triad);
  }
}

bool has_any(CostMatrix const& matrix) {
  return std::ranges::any_of(matrix.values, [](double value) { return value > 0.0; });
}

}  // namespace

std::vector<CostMatrix> measure(Machine const& machine, MeasurePlan const& plan, Seconds budget,
                                MeasureBoard& board, std::stop_token const& stop) {
  MAKESPAN_EXPECT(machine.is_this_one());
  std::size_t const memories = plan.memories.size();
  Seconds const memory_time = time_of_pair(budget, plan.core_sets.size() * memories);
  board.steps_total =
      static_cast<int>(memories + passes * (pairs_among(plan.cores.size()) + memories));
  std::vector<std::optional<Region>> regions;
  for (int const memory : plan.memories) {
    regions.push_back(region_on(machine, plan, memory));
    ++board.steps_done;
  }
  CostMatrix cores = empty_core_costs(plan);
  MemoryCosts costs = empty_costs(plan);
  for (int pass = 0; pass < passes; ++pass) {
    measure_cores(plan, budget, cores, board, stop);
    for (std::size_t column = 0; column < memories && !stop.stop_requested(); ++column) {
      if (regions[column]) measure_memory(plan, column, *regions[column], memory_time, costs);
      ++board.steps_done;
    }
  }
  std::vector<CostMatrix> matrices{std::move(cores), std::move(costs.latency),
                                   std::move(costs.copy), std::move(costs.triad)};
  std::erase_if(matrices, [](CostMatrix const& matrix) { return !has_any(matrix); });
  return matrices;
}

}  // namespace makespan::machine
