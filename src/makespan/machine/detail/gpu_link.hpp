// SPDX-License-Identifier: Apache-2.0
#pragma once

// What it costs to go between a core and a GPU.

#include <string>

#include "makespan/base/quantity.hpp"

namespace makespan::machine {

// All 0 where there is nothing to measure.
struct LinkCosts {
  Seconds latency{};  // one way: half of what a copy of 8 bytes there and back takes
  double upload{};    // to the GPU, in bytes per second
  double download{};  // from the GPU

  friend bool operator==(LinkCosts const&, LinkCosts const&) = default;
};

// By copies of CUDA between the GPU of that PCI address and pinned memory near to `cpu`, to which
// the thread is tied: what one asks for and waits for awake. Large ones are of 64 MiB. A third of
// `budget` for each of the three numbers. Nothing where CUDA shows no such GPU (another maker's, or
// hidden by CUDA_VISIBLE_DEVICES), where it fails, or the thread cannot be tied. Blocks; callable
// from any thread. Tested by tests/machine/gpu_link_test.cpp.
[[nodiscard]] LinkCosts gpu_link_costs(std::string const& bus, int cpu, Seconds budget);

}  // namespace makespan::machine
