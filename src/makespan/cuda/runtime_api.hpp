// SPDX-License-Identifier: Apache-2.0
// The CUDA runtime's interface, NVIDIA's or chipStar's over OpenCL (cmake/MakespanCuda.cmake), of
// which the latter lacks a few names. In place of <cuda_runtime.h> in every source that is compiled
// for a GPU, and of <cuda_runtime_api.h> in every other.
#pragma once

#include <cstddef>

#if defined(__CUDACC__) || defined(__HIP__)
#include <cuda_runtime.h>
#else
#include <cuda_runtime_api.h>
#endif

#if defined(MAKESPAN_CHIPSTAR)
#define cudaDevAttrGlobalMemoryBusWidth hipDeviceAttributeMemoryBusWidth

enum { cudaFuncAttributeMaxDynamicSharedMemorySize };

// A kernel of OpenCL has the local memory that it is launched with, or its launch fails.
inline cudaError_t cudaFuncSetAttribute(void const* /*kernel*/, int /*attribute*/, int /*value*/) {
  return cudaSuccess;
}

// OpenCL does not tell; one is enough for the bits.
#define cudaOccupancyMaxActiveBlocksPerMultiprocessor makespan_blocks_per_multiprocessor
inline cudaError_t makespan_blocks_per_multiprocessor(int* blocks, void const* /*kernel*/,
                                                      int /*threads*/, std::size_t /*shared*/) {
  *blocks = 1;
  return cudaSuccess;
}
#endif
