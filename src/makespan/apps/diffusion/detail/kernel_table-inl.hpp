// SPDX-License-Identifier: Apache-2.0
// Makes the table of kernels of the instruction set that is being compiled.

#if defined(MAKESPAN_DIFFUSION_KERNEL_TABLE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_DIFFUSION_KERNEL_TABLE_INL_HPP
#undef MAKESPAN_DIFFUSION_KERNEL_TABLE_INL_HPP
#else
#define MAKESPAN_DIFFUSION_KERNEL_TABLE_INL_HPP
#endif

#include "makespan/apps/diffusion/detail/sweep-inl.hpp"
#include "makespan/apps/diffusion/detail/wave-inl.hpp"
#include "makespan/apps/diffusion/kernels.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::diffusion::MAKESPAN_TARGET {

inline Kernels MakeKernels(std::string_view isa) {
  return {{}, isa, &SweepBox, &WaveBox};
}

}  // namespace makespan::diffusion::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_DIFFUSION_KERNEL_TABLE_INL_HPP
