// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/measure.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <thread>

#include "makespan/base/contracts.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/machine/detail/gpu_link.hpp"
#include "makespan/machine/detail/node_memory.hpp"
#include "makespan/machine/detail/ping_pong.hpp"
#include "makespan/machine/detail/pointer_chase.hpp"
#include "makespan/machine/detail/stream.hpp"

namespace makespan::machine {

namespace {

// The measurement of every pair is repeated so often in the course of it all, since a machine that
// is not alone has its good and bad seconds.
constexpr int passes = 4;
// In each pass; with the four of them the 12 ms of measure.hpp.
constexpr Seconds pair_time_min{0.003};

// Cores, latency, bandwidth; and GPUs.
double kinds(MeasurePlan const& plan) {
  return plan.gpus.empty() ? 3.0 : 4.0;
}

// In one pass, of the time that there is for a kind.
Seconds time_of_pair(Seconds budget, std::size_t pairs) {
  if (pairs == 0) return Seconds{};
  return std::max(pair_time_min, budget / (passes * static_cast<double>(pairs)));
}

std::size_t pairs_among(std::size_t places) {
  return places < 2 ? 0 : places * (places - 1) / 2;
}

// Keeps the lesser of two latencies, the greater of two bandwidths; 0 is none.
void keep_better(CostMatrix& matrix, std::size_t cell, double found) {
  double& kept = matrix.values[cell];
  // What disturbs a round only makes it longer (docs/decisions/0051).
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
      // Half of a round trip is the mean of both ways: the matrix is symmetric.
      keep_better(latency, j * size + i, one_way);
      ++board.steps_done;
    }
  }
}

std::vector<int> places_of_sets(MeasurePlan const& plan) {
  std::vector<int> places;
  places.reserve(plan.core_sets.size());
  for (CoreSet const& set : plan.core_sets) places.push_back(set.place);
  return places;
}

// The matrices of memory, while they are filled.
struct MemoryCosts {
  CostMatrix latency;
  CostMatrix copy;
  CostMatrix triad;
};

MemoryCosts empty_memory_costs(MeasurePlan const& plan) {
  std::vector<int> const from = places_of_sets(plan);
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

// Nothing if there is no room, or memory cannot be placed. Without a given place, memory is
// allocated near the core that writes it first: so a near core does that, if there is one.
std::optional<Region> region_on(Machine const& machine, MeasurePlan const& plan,
                                std::size_t number) {
  int const memory = plan.memories[number];
  std::size_t const cycle = plan.cycle_bytes[number];
  if (cycle == 0) return std::nullopt;
  auto found = NodeMemory::on(machine, memory, (1 + stream_arrays) * cycle);
  if (!found) return std::nullopt;
  std::span const bytes = found->bytes();
  // Spans were taken before their owner moves, which leaves the bytes where they are.
  Region region{
      .memory = std::move(*found), .cycle = bytes.first(cycle), .arrays = bytes.subspan(cycle)};
  // In a thread of its own, which takes its tie with it when it ends.
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

// The matrices of GPUs, while they are filled.
struct GpuCosts {
  CostMatrix latency;
  CostMatrix upload;
  CostMatrix download;
};

GpuCosts empty_gpu_costs(MeasurePlan const& plan) {
  std::vector<int> const from = places_of_sets(plan);
  std::vector<int> to;
  to.reserve(plan.gpus.size());
  for (GpuPlace const& gpu : plan.gpus) to.push_back(gpu.place);
  return {.latency = empty_matrix(gpu_latency_name, CostKind::latency, from, to),
          .upload = empty_matrix(gpu_upload_name, CostKind::bandwidth, from, to),
          .download = empty_matrix(gpu_download_name, CostKind::bandwidth, from, to)};
}

// As measure_memory().
void measure_gpu(MeasurePlan const& plan, std::size_t column, Seconds time,
                 GpuLinkMeter const& gpu_link, GpuCosts& costs) {
  for (std::size_t row = 0; row < plan.core_sets.size(); ++row) {
    std::size_t const cell = row * plan.gpus.size() + column;
    LinkCosts const found = gpu_link(plan.gpus[column].bus, plan.core_sets[row].cpus.front(), time);
    keep_better(costs.latency, cell, found.latency.value());
    keep_better(costs.upload, cell, found.upload);
    keep_better(costs.download, cell, found.download);
  }
}

bool has_any(CostMatrix const& matrix) {
  return std::ranges::any_of(matrix.values, [](double value) { return value > 0.0; });
}

}  // namespace

int measure_steps(MeasurePlan const& plan) {
  std::size_t const memories = plan.memories.size();
  std::size_t const in_each_pass = pairs_among(plan.cores.size()) + memories + plan.gpus.size();
  return static_cast<int>(memories + passes * in_each_pass);
}

std::vector<CostMatrix> measure(Machine const& machine, MeasurePlan const& plan,
                                MeasureOptions const& options, MeasureBoard& board,
                                std::stop_token const& stop) {
  MAKESPAN_EXPECT(machine.is_this_one());
  std::size_t const memories = plan.memories.size();
  std::size_t const gpus = plan.gpus.size();
  Seconds const part = options.budget / kinds(plan);
  Seconds const memory_time = time_of_pair(part, plan.core_sets.size() * memories);
  Seconds const gpu_time = time_of_pair(part, plan.core_sets.size() * gpus);
  std::vector<std::optional<Region>> regions;
  for (std::size_t number = 0; number < memories && !stop.stop_requested(); ++number) {
    // Written once for all passes. Where there is nothing, the column stays 0.
    regions.push_back(region_on(machine, plan, number));
    ++board.steps_done;
  }
  regions.resize(memories);
  CostMatrix cores = empty_core_costs(plan);
  MemoryCosts memory = empty_memory_costs(plan);
  GpuCosts gpu = empty_gpu_costs(plan);
  GpuLinkMeter const gpu_link = options.gpu_link ? options.gpu_link : GpuLinkMeter(&gpu_link_costs);
  // All of it again and again, rather than each pair for long: a pair's rounds then lie in all
  // parts of the measurement.
  for (int pass = 0; pass < passes; ++pass) {
    measure_cores(plan, part, cores, board, stop);
    for (std::size_t column = 0; column < memories && !stop.stop_requested(); ++column) {
      if (regions[column]) measure_memory(plan, column, *regions[column], memory_time, memory);
      ++board.steps_done;
    }
    for (std::size_t column = 0; column < gpus && !stop.stop_requested(); ++column) {
      measure_gpu(plan, column, gpu_time, gpu_link, gpu);
      ++board.steps_done;
    }
  }
  std::vector<CostMatrix> matrices{std::move(cores),       std::move(memory.latency),
                                   std::move(memory.copy), std::move(memory.triad),
                                   std::move(gpu.latency), std::move(gpu.upload),
                                   std::move(gpu.download)};
  std::erase_if(matrices, [](CostMatrix const& matrix) { return !has_any(matrix); });
  return matrices;
}

}  // namespace makespan::machine
