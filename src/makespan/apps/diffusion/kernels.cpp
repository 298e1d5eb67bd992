// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/diffusion/kernels.hpp"

#include <vector>

#include "makespan/apps/diffusion/kernel_tables.hpp"
#include "makespan/simd/kernel_choice.hpp"

namespace makespan::diffusion {

std::span<Kernels const* const> available_kernels() {
  static std::vector<Kernels const*> const tables =
      simd::tables_of<Kernels>(vector_kernels(), one_lane_kernels());
  return tables;
}

std::int64_t wave_ring_doubles(grid::FieldView const& view, std::int64_t tile_rows, int steps) {
  std::int64_t const rows = tile_rows + 2 * (steps - 1);
  return (steps - 1) * wave_ring_planes * rows * view.row_pitch + 2 * wave_ring_margin;
}

Kernels const& kernels_named(std::string_view isa) {
  return simd::table_named(available_kernels(), isa);
}

}  // namespace makespan::diffusion
