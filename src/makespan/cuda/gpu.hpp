// SPDX-License-Identifier: Apache-2.0
#pragma once

// The GPUs of this machine, as the CUDA runtime numbers them: what CUDA_VISIBLE_DEVICES hides is
// not there.

#include <cstdint>
#include <string>
#include <vector>

namespace makespan::cuda {

struct Gpu {
  std::string name;
  std::string bus;  // PCI address, as hwloc and the system write it
  std::int64_t memory_bytes{};
  int multiprocessors{};
  int lanes{};  // single-precision operations that all of them begin in a cycle
  double clock_hz{};
  double memory_rate{};  // bytes/s that its memory is made for
  int capability{};      // 90 for 9.0
};

// What was found; if nothing, why, for people.
struct Discovery {
  std::vector<Gpu> gpus;
  std::string why_none;
};

// Looks once, and remembers. Takes up to some tenths of a second where there is a driver. Never
// throws for what is not there.
[[nodiscard]] Discovery const& discover();

#ifdef MAKESPAN_HAVE_CUDA
// Makes the GPU of this number the calling thread's. Throws CudaFailed.
void use_gpu(int gpu);
#endif

}  // namespace makespan::cuda
