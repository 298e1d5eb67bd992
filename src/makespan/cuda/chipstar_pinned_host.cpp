// SPDX-License-Identifier: Apache-2.0
// By chipStar over OpenCL kernels reach no memory that was taken elsewhere.
#include "makespan/cuda/pinned_host.hpp"

namespace makespan::cuda {

std::shared_ptr<void> pinned(std::span<std::byte> /*memory*/) {
  return {};
}

}  // namespace makespan::cuda
