// SPDX-License-Identifier: Apache-2.0
#include "makespan/cuda/check_gpu.hpp"

#include <string>

#include "makespan/base/error.hpp"
#include "makespan/cuda/gpu.hpp"

namespace makespan::cuda {

void check_gpu(int gpu) {
  Discovery const& found = discover();
  auto const count = static_cast<int>(found.gpus.size());
  if (gpu >= 0 && gpu < count) return;
  if (count == 0) {
    throw InputError("GPU " + std::to_string(gpu), found.why_none, "leave GPUs out");
  }
  throw InputError(
      "GPU " + std::to_string(gpu),
      count == 1 ? "there is 1 GPU here" : "there are " + std::to_string(count) + " GPUs here",
      "count them from 0");
}

}  // namespace makespan::cuda
