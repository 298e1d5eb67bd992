// SPDX-License-Identifier: Apache-2.0
#pragma once

// What of a machine is measured: pure.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "makespan/machine/topology.hpp"

namespace makespan::machine {

// A core, and the CPU of it that a thread is tied to.
struct CorePlace {
  int place{};
  int cpu{};

  friend bool operator==(CorePlace const&, CorePlace const&) = default;
};

// Cores that are equally near to some memory: what a NUMA node hangs on, and one CPU of each core.
struct CoreSet {
  int place{};
  std::vector<int> cpus{};

  friend bool operator==(CoreSet const&, CoreSet const&) = default;
};

// A GPU that a driver may know by its address on the bus.
struct GpuPlace {
  int place{};
  std::string bus{};

  friend bool operator==(GpuPlace const&, GpuPlace const&) = default;
};

struct MeasurePlan {
  std::vector<CorePlace> cores{};    // each with each
  std::vector<CoreSet> core_sets{};  // each to each memory
  std::vector<int> memories{};       // NUMA nodes
  std::vector<GpuPlace> gpus{};      // each core set to each of them, too
  // By memory: what loads go round in, beyond every cache; 0 where the node has no room for that,
  // which is not measured. Streams go through three times as much.
  std::vector<std::size_t> cycle_bytes{};
  std::string sampling{};  // which cores these are, if not all
};

inline constexpr std::size_t stream_arrays = 3;

// Cores beyond this many are sampled: so many make 496 pairs.
inline constexpr int cores_max = 32;

// `cpus` are those that the process may use; places without any are left out. Of more than
// cores_max cores, the first two of each last-level cache are taken, or of each NUMA node's cores,
// or of each package, whichever are few enough first: so every distance that the tree knows occurs.
// Where even packages are too many, they are taken evenly. Tested by
// tests/machine/measure_plan_test.cpp.
[[nodiscard]] MeasurePlan plan_of(Topology const& topology, std::span<int const> cpus);

}  // namespace makespan::machine
