// SPDX-License-Identifier: Apache-2.0
#pragma once

// What goes wrong in the CUDA runtime.

#include <stdexcept>
#include <string_view>

namespace makespan::cuda {

// Names the call and what the runtime says of it.
class CudaFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// `status`: a cudaError_t. Throws CudaFailed unless it is success.
void check(int status, std::string_view call);

// Whether it is success, where a refusal is an answer: no later call is told of it.
[[nodiscard]] bool is_granted(int status);

}  // namespace makespan::cuda
