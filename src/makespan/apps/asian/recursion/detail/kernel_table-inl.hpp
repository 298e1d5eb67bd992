// SPDX-License-Identifier: Apache-2.0
// Makes the recursion's table of kernels of the instruction set that is being compiled.

#if defined(MAKESPAN_ASIAN_RECURSION_KERNEL_TABLE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_RECURSION_KERNEL_TABLE_INL_HPP
#undef MAKESPAN_ASIAN_RECURSION_KERNEL_TABLE_INL_HPP
#else
#define MAKESPAN_ASIAN_RECURSION_KERNEL_TABLE_INL_HPP
#endif

#include "makespan/apps/asian/recursion/detail/kernels.hpp"
#include "makespan/apps/asian/recursion/detail/step-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::recursion::MAKESPAN_TARGET {

inline Kernels MakeKernels(std::string_view isa) {
  return {{}, isa, &TakeStep};
}

}  // namespace makespan::asian::recursion::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_RECURSION_KERNEL_TABLE_INL_HPP
