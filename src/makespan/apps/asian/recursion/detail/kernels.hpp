// SPDX-License-Identifier: Apache-2.0
// The kernels of the recursion of one instruction set, as a table of functions. All tables give the
// same bits.
#pragma once

#include <string_view>
#include <vector>

#include "makespan/apps/asian/recursion/detail/step.hpp"
#include "makespan/simd/kernel_choice.hpp"

namespace makespan::asian::recursion {

struct Kernels : simd::KernelChoice<Kernels> {
  std::string_view isa;  // "avx512", "avx2", "one_lane", …

  // Takes one step.
  void (*step)(StepJob const& job);

  static std::vector<Kernels> const& vector_tables();  // recursion_vector.cpp
  static Kernels const& one_lane_table();              // recursion_one_lane.cpp
};

}  // namespace makespan::asian::recursion
