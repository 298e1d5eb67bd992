// SPDX-License-Identifier: Apache-2.0
// Makes the table of kernels of the instruction set that is being compiled.

#if defined(MAKESPAN_MELT_KERNEL_TABLE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_MELT_KERNEL_TABLE_INL_HPP
#undef MAKESPAN_MELT_KERNEL_TABLE_INL_HPP
#else
#define MAKESPAN_MELT_KERNEL_TABLE_INL_HPP
#endif

#include "makespan/apps/melt/detail/forces-inl.hpp"
#include "makespan/apps/melt/detail/motion-inl.hpp"
#include "makespan/apps/melt/detail/search-inl.hpp"
#include "makespan/apps/melt/kernels.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::melt::MAKESPAN_TARGET {

inline Kernels MakeKernels(std::string_view isa) {
  return {{}, isa, &ComputeForces, &FindPairs, &AddScaled, &AddContribution};
}

}  // namespace makespan::melt::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_MELT_KERNEL_TABLE_INL_HPP
