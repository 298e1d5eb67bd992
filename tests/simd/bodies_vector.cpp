// SPDX-License-Identifier: Apache-2.0
// The bodies on vectors: compiled once per instruction set, as
// src/makespan/apps/asian/kernels_vector.cpp is.
#define HWY_DISABLED_TARGETS                                                            \
  (HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSE4 | \
   HWY_SSSE3 | HWY_WASM)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "simd/bodies_vector.cpp"
#include <hwy/foreach_target.h>
// (first: it decides what the next headers are compiled for)
#include <hwy/highway.h>

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON
#include "makespan/simd/ops-inl.hpp"
// (before the bodies: it says what they are written in)
#include "simd/body_table-inl.hpp"
#endif

#if HWY_ONCE
namespace makespan::simd {

std::vector<Bodies> vector_bodies() {
  std::vector<Bodies> found;
  [[maybe_unused]] auto const supported = hwy::SupportedTargets();
#if HWY_TARGETS & HWY_AVX3
  if ((supported & HWY_AVX3) != 0) found.push_back(N_AVX3::MakeBodies("avx512"));
#endif
#if HWY_TARGETS & HWY_AVX2
  if ((supported & HWY_AVX2) != 0) found.push_back(N_AVX2::MakeBodies("avx2"));
#endif
#if HWY_TARGETS & HWY_NEON
  if ((supported & HWY_NEON) != 0) found.push_back(N_NEON::MakeBodies("neon"));
#endif
  return found;
}

}  // namespace makespan::simd
#endif  // HWY_ONCE
