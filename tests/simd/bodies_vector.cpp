// SPDX-License-Identifier: Apache-2.0
// The bodies on vectors: compiled once for each instruction set, as kernels are.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/bodies_vector.cpp"
#include "makespan/simd/foreach_target-inl.hpp"

#if MAKESPAN_HAVE_TARGET
#include "simd/body_table-inl.hpp"
#endif

#if HWY_ONCE
#include "makespan/simd/vector_tables-inl.hpp"

namespace makespan::simd {

std::vector<Bodies> vector_bodies() {
  return MAKESPAN_VECTOR_TABLES(Bodies);
}

}  // namespace makespan::simd
#endif  // HWY_ONCE
