// SPDX-License-Identifier: Apache-2.0
// Compiles the file that includes it, and says so in HWY_TARGET_INCLUDE, once for each instruction
// set that has fused multiply-add and vectors of a fixed size, and brings what kernel bodies are
// written in (ops-inl.hpp). The includer's bodies stand inside `#if MAKESPAN_HAVE_TARGET`, what
// makes a list of their tables inside `#if HWY_ONCE` (vector_tables-inl.hpp).

// AVX3_DL and later add nothing that the kernels use; SVE and RVV vectors have no size at compile
// time, which arrays need.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS                                                            \
  (HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSE4 | \
   HWY_SSSE3 | HWY_WASM)
#endif
#include <hwy/foreach_target.h>
// (first: it decides what the next headers are compiled for)
#include <hwy/highway.h>

#undef MAKESPAN_HAVE_TARGET
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON
#define MAKESPAN_HAVE_TARGET 1
#include "makespan/simd/detail/ops-inl.hpp"
#else
#define MAKESPAN_HAVE_TARGET 0
#endif
