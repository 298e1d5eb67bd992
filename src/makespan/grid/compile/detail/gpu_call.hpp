// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a GPU's compiled update is called with, through a C interface: all members are plain, and
// column_source.hpp repeats them. Tested by tests/grid/compile/gpu_kernel_test.cpp.

#include <cstdint>

namespace makespan::grid {

// Of a field: its points from the slab's first one on.
struct GpuField {
  double const* now{};
  double* next{};  // of a field that stays the same memory
  std::int64_t row_pitch{};
  std::int64_t plane_pitch{};
  double values[6]{};  // by face, where its rule is a value
};

struct GpuCall {
  double const* parameters{};
  GpuField const* fields{};
  // By axis: the points to compute, from begin up to, but not at, end; where the rules of the ends
  // hold, and these, by Beyond's numbers.
  std::int64_t begin[3]{};
  std::int64_t end[3]{};
  std::int64_t first[3]{};
  std::int64_t last[3]{};
  std::int32_t low[3]{};
  std::int32_t high[3]{};
  double origin[3]{};  // the slab's first point, in the grid's numbers
  double step{};
  std::int64_t planes_each{};  // that a thread computes, at most
  std::int32_t gpu{};
};

}  // namespace makespan::grid
