// SPDX-License-Identifier: Apache-2.0
// A list of the kernel tables that a file of foreach_target-inl.hpp has made, for its part inside
// `#if HWY_ONCE`: MAKESPAN_VECTOR_TABLES(Kernels) calls MakeKernels(name) of each instruction set
// that the processor has. Of others nothing is run: MakeKernels is compiled for its set, too.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace makespan::simd {

template <class Kernels>
struct CompiledTarget {
  std::int64_t target;  // one of HWY_AVX2, …
  std::string_view isa;
  Kernels (*make)(std::string_view isa);
};

// The tables of those that this processor can run, in the order given.
template <class Kernels>
[[nodiscard]] std::vector<Kernels> supported_tables(
    std::int64_t supported, std::initializer_list<CompiledTarget<Kernels>> compiled) {
  std::vector<Kernels> tables;
  for (CompiledTarget<Kernels> const& each : compiled) {
    if ((supported & each.target) != 0) tables.push_back(each.make(each.isa));
  }
  return tables;
}

}  // namespace makespan::simd

// One line for each instruction set that was compiled, the fastest first.
#if HWY_TARGETS & HWY_AVX3
#define MAKESPAN_TABLE_AVX3 {HWY_AVX3, "avx512", &N_AVX3::MakeKernels},
#else
#define MAKESPAN_TABLE_AVX3
#endif
#if HWY_TARGETS & HWY_AVX2
#define MAKESPAN_TABLE_AVX2 {HWY_AVX2, "avx2", &N_AVX2::MakeKernels},
#else
#define MAKESPAN_TABLE_AVX2
#endif
#if HWY_TARGETS & HWY_NEON
#define MAKESPAN_TABLE_NEON {HWY_NEON, "neon", &N_NEON::MakeKernels},
#else
#define MAKESPAN_TABLE_NEON
#endif
#define MAKESPAN_VECTOR_TABLES(Kernels)                    \
  simd::supported_tables<Kernels>(hwy::SupportedTargets(), \
                                  {MAKESPAN_TABLE_AVX3 MAKESPAN_TABLE_AVX2 MAKESPAN_TABLE_NEON})
