// SPDX-License-Identifier: Apache-2.0
#pragma once

// Measures what it costs to go from one place of this machine to another.

#include <atomic>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "makespan/base/quantity.hpp"
#include "makespan/machine/cost_matrix.hpp"
#include "makespan/machine/machine.hpp"
#include "makespan/machine/measure_plan.hpp"

namespace makespan::machine {

struct LinkCosts;  // detail/gpu_link.hpp
using GpuLinkMeter = std::function<LinkCosts(std::string const& bus, int cpu, Seconds budget)>;

struct MeasureOptions {
  Seconds budget{};         // for all of it
  GpuLinkMeter gpu_link{};  // none: by CUDA
};

// How far a measurement is, of measure_steps(); read by others while it runs.
struct MeasureBoard {
  std::atomic<int> steps_done{0};
};

[[nodiscard]] int measure_steps(MeasurePlan const& plan);

// Matrices by the names in cost_matrix.hpp, without those that have nothing measured:
//
//   core_latency            core × core: see ping_pong.hpp. One way; symmetric, nothing from a core
//                           to itself
//   memory_latency          cores near to a memory × NUMA node: see pointer_chase.hpp, by the first
//                           of the cores
//   memory_copy_bandwidth   the same: see stream.hpp, by all of the cores
//   memory_triad_bandwidth
//   gpu_latency             cores near to a memory × GPU: see gpu_link.hpp, by the first of the
//   gpu_upload_bandwidth    cores
//   gpu_download_bandwidth
//
// What the system does not permit (a CPU that this process may not use, memory that it may not
// place) is 0. Takes about as long as `budget` says, a part for each of cores, latency,
// bandwidth, and GPUs, and more on machines with so many pairs that each would get less than 12 ms;
// then what it takes to write to the memory. Asked to stop, it does so after the step under way,
// and what has not been measured is 0. The machine is to be this one (EXPECT).
//
// Blocks; callable from any thread. Starts threads that are tied to cores. Tested by
// tests/machine/measure_test.cpp.
[[nodiscard]] std::vector<CostMatrix> measure(Machine const& machine, MeasurePlan const& plan,
                                              MeasureOptions const& options, MeasureBoard& board,
                                              std::stop_token const& stop = {});

}  // namespace makespan::machine
