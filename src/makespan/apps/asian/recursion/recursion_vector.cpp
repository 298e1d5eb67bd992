// SPDX-License-Identifier: Apache-2.0
// The recursion on vectors: this file is compiled once for each instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "makespan/apps/asian/recursion/recursion_vector.cpp"
#include "makespan/simd/foreach_target-inl.hpp"

#if MAKESPAN_HAVE_TARGET
#include "makespan/apps/asian/recursion/detail/kernel_table-inl.hpp"
#endif

#if HWY_ONCE
#include "makespan/apps/asian/recursion/detail/kernels.hpp"
#include "makespan/simd/vector_tables-inl.hpp"

namespace makespan::asian::recursion {

std::vector<Kernels> const& Kernels::vector_tables() {
  static std::vector<Kernels> const tables = MAKESPAN_VECTOR_TABLES(Kernels);
  return tables;
}

}  // namespace makespan::asian::recursion
#endif  // HWY_ONCE
