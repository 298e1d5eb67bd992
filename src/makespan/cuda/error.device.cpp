// SPDX-License-Identifier: Apache-2.0
#include "makespan/cuda/error.hpp"

#include "makespan/cuda/runtime_api.hpp"

#include <string>

namespace makespan::cuda {

void check(int status, std::string_view call) {
  if (status == cudaSuccess) return;
  // Else the next call that asks gets it once more.
  static_cast<void>(cudaGetLastError());
  throw CudaFailed(std::string(call) + ": " + cudaGetErrorString(static_cast<cudaError_t>(status)));
}

bool is_granted(int status) {
  if (status == cudaSuccess) return true;
  static_cast<void>(cudaGetLastError());
  return false;
}

}  // namespace makespan::cuda
