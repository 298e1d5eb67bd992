// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/kernels.hpp"

#include <vector>

#include "makespan/apps/asian/kernel_tables.hpp"
#include "makespan/simd/kernel_choice.hpp"

namespace makespan::asian {

std::size_t normals_bytes(NormalSource source, int steps) {
  constexpr std::size_t vector_bytes_max = 64;
  constexpr std::size_t row_bytes = group_vectors * vector_bytes_max;
  constexpr std::size_t tile_rows = tile_steps;
  auto const rows = source == NormalSource::sobol ? static_cast<std::size_t>(steps) + 1 : tile_rows;
  return rows * row_bytes;
}

std::span<Kernels const* const> available_kernels() {
  static std::vector<Kernels const*> const tables =
      simd::tables_of<Kernels>(vector_kernels(), one_lane_kernels());
  return tables;
}

Kernels const& kernels_named(std::string_view isa) {
  return simd::table_named(available_kernels(), isa);
}

}  // namespace makespan::asian
