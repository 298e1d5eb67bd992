// SPDX-License-Identifier: Apache-2.0
// A list of the kernel tables that a file of foreach_target-inl.hpp has made, for its part inside
// `#if HWY_ONCE`: MAKESPAN_VECTOR_TABLES(Kernels) calls MakeKernels(name) of each instruction set.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace makespan::simd {

template <class Kernels>
struct TargetTable {
  std::int64_t target;  // one of HWY_AVX2, …
  Kernels kernels;
};

// Those that this processor can run, in the order given.
template <class Kernels>
[[nodiscard]] std::vector<Kernels> supported_tables(
    std::initializer_list<TargetTable<Kernels>> compiled) {
  std::vector<Kernels> supported;
  for (TargetTable<Kernels> const& each : compiled) {
    if ((hwy::SupportedTargets() & each.target) != 0) supported.push_back(each.kernels);
  }
  return supported;
}

}  // namespace makespan::simd

// One line for each instruction set that was compiled, the fastest first.
#if HWY_TARGETS & HWY_AVX3
#define MAKESPAN_TABLE_AVX3 {HWY_AVX3, N_AVX3::MakeKernels("avx512")},
#else
#define MAKESPAN_TABLE_AVX3
#endif
#if HWY_TARGETS & HWY_AVX2
#define MAKESPAN_TABLE_AVX2 {HWY_AVX2, N_AVX2::MakeKernels("avx2")},
#else
#define MAKESPAN_TABLE_AVX2
#endif
#if HWY_TARGETS & HWY_NEON
#define MAKESPAN_TABLE_NEON {HWY_NEON, N_NEON::MakeKernels("neon")},
#else
#define MAKESPAN_TABLE_NEON
#endif
#define MAKESPAN_VECTOR_TABLES(Kernels) \
  simd::supported_tables<Kernels>({MAKESPAN_TABLE_AVX3 MAKESPAN_TABLE_AVX2 MAKESPAN_TABLE_NEON})
