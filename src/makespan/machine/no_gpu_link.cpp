// SPDX-License-Identifier: Apache-2.0
// In place of gpu_link.cpp, in builds without CUDA.
#include "makespan/machine/detail/gpu_link.hpp"

namespace makespan::machine {

LinkCosts gpu_link_costs(std::string const& /*bus*/, int /*cpu*/, Seconds /*budget*/) {
  return {};
}

}  // namespace makespan::machine
