// SPDX-License-Identifier: Apache-2.0
// The calcium kernels on vectors: this file is compiled once per instruction set that has fused
// multiply-add and fixed-size vectors.

// AVX3_DL and later add nothing that the kernels use; SVE and RVV vectors have no size at compile
// time, which arrays need.
#define HWY_DISABLED_TARGETS                                                            \
  (HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSE4 | \
   HWY_SSSE3 | HWY_WASM)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "makespan/apps/calcium/calcium_vector.cpp"
#include <hwy/foreach_target.h>
// (first: it decides what the next headers are compiled for)
#include <hwy/highway.h>

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON
#include "makespan/simd/ops-inl.hpp"
// (before the bodies: it says what they are written in)
#include "makespan/apps/calcium/kernel_table-inl.hpp"
#endif

#if HWY_ONCE
#include "makespan/apps/calcium/kernel_tables.hpp"

namespace makespan::calcium {

std::vector<Kernels> const& vector_kernels() {
  static std::vector<Kernels> const tables = [] {
    std::vector<Kernels> found;
    [[maybe_unused]] auto const supported = hwy::SupportedTargets();
#if HWY_TARGETS & HWY_AVX3
    if ((supported & HWY_AVX3) != 0) found.push_back(N_AVX3::MakeKernels("avx512"));
#endif
#if HWY_TARGETS & HWY_AVX2
    if ((supported & HWY_AVX2) != 0) found.push_back(N_AVX2::MakeKernels("avx2"));
#endif
#if HWY_TARGETS & HWY_NEON
    if ((supported & HWY_NEON) != 0) found.push_back(N_NEON::MakeKernels("neon"));
#endif
    return found;
  }();
  return tables;
}

}  // namespace makespan::calcium
#endif  // HWY_ONCE
