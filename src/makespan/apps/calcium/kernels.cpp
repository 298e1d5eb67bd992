// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/calcium/kernels.hpp"

#include <vector>

#include "makespan/apps/calcium/kernel_tables.hpp"
#include "makespan/simd/kernel_choice.hpp"

namespace makespan::calcium {

std::span<Kernels const* const> available_kernels() {
  static std::vector<Kernels const*> const tables =
      simd::tables_of<Kernels>(vector_kernels(), one_lane_kernels());
  return tables;
}

Kernels const& kernels_named(std::string_view isa) {
  return simd::table_named(available_kernels(), isa);
}

}  // namespace makespan::calcium
