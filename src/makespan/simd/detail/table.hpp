// SPDX-License-Identifier: Apache-2.0
// How a table that bodies read is declared: `MAKESPAN_TABLE float name[3] = {…};`
//
// On the host an ordinary constant. For the GPU nvcc compiles the same line once more, and there
// the table lies in the GPU's memory, where its address means something; entries at indices that
// are known when compiling become constants in both.
#pragma once

#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define MAKESPAN_TABLE static __device__ constexpr
#else
#define MAKESPAN_TABLE inline constexpr
#endif
