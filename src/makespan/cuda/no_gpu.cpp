// SPDX-License-Identifier: Apache-2.0
// In place of the rest of this room, in builds without CUDA.
#include "makespan/cuda/gpu.hpp"

namespace makespan::cuda {

Discovery const& discover() {
  static Discovery const nothing{.gpus = {}, .why_none = "this build has no CUDA"};
  return nothing;
}

}  // namespace makespan::cuda
