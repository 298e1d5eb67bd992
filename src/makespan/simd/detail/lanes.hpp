// SPDX-License-Identifier: Apache-2.0
// What a kernel body (`*-inl.hpp`) is written in: the macros that name its namespace and qualify
// its functions.
//
// A body is compiled once per instruction set. Its includer first includes either
// `simd/detail/ops-inl.hpp` (Highway, from inside a foreach-target loop) or `simd/one_lane.hpp`
// (one lane: CUDA threads, and the oracle on the host); both define
//
//   MAKESPAN_TARGET                 the namespace of this pass, e.g. N_AVX3 or one_lane
//   MAKESPAN_BODY                   qualifies each function of a body: always inlined
//   MAKESPAN_BEGIN/END_TARGET       open and close the region of this pass's instruction set
//
// and put the same operations into `makespan::simd::MAKESPAN_TARGET`. How to write a body:
// docs/explanation/kernels.md.
#pragma once

#if defined(__CUDACC__) || defined(__HIP__)
#define MAKESPAN_UNROLL _Pragma("unroll")
#else
#define MAKESPAN_UNROLL _Pragma("GCC unroll 16")
#endif
