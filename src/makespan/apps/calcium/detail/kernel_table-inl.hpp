// SPDX-License-Identifier: Apache-2.0
// Makes the table of kernels of the instruction set that is being compiled.

#if defined(MAKESPAN_CALCIUM_KERNEL_TABLE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_CALCIUM_KERNEL_TABLE_INL_HPP
#undef MAKESPAN_CALCIUM_KERNEL_TABLE_INL_HPP
#else
#define MAKESPAN_CALCIUM_KERNEL_TABLE_INL_HPP
#endif

#include "makespan/apps/calcium/detail/rows-inl.hpp"
#include "makespan/apps/calcium/kernels.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::calcium::MAKESPAN_TARGET {

inline Kernels MakeKernels(std::string_view isa) {
  return {{}, isa, &StepRow, &DiffuseRow, &ReactRow, &FinishRows};
}

}  // namespace makespan::calcium::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_CALCIUM_KERNEL_TABLE_INL_HPP
