// SPDX-License-Identifier: Apache-2.0
// Makes the table of kernels of the instruction set that is being compiled.

#if defined(MAKESPAN_ASIAN_KERNEL_TABLE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_KERNEL_TABLE_INL_HPP
#undef MAKESPAN_ASIAN_KERNEL_TABLE_INL_HPP
#else
#define MAKESPAN_ASIAN_KERNEL_TABLE_INL_HPP
#endif

#include "makespan/apps/asian/kernel/detail/simulate-inl.hpp"
#include "makespan/apps/asian/kernel/detail/simulate_basket-inl.hpp"
#include "makespan/apps/asian/kernel/detail/simulate_heston-inl.hpp"
#include "makespan/apps/asian/kernel/kernels.hpp"
#include "makespan/apps/asian/kernel/moments-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

MAKESPAN_BODY Doubles ExpOf(Doubles x) {
  return hn::Exp(hn::F64(), x);
}
MAKESPAN_BODY Doubles NormalCdfOf(Doubles x) {
  return hn::NormalCdf(hn::F64(), x);
}

template <Doubles (*function)(Doubles)>
void TransformAll(std::span<double const> x, double* out) {
  hn::F64 const d;
  constexpr std::size_t width = hn::lanes_f64;
  std::size_t i = 0;
  for (; i + width <= x.size(); i += width) {
    hn::StoreU(function(hn::LoadU(d, x.data() + i)), d, out + i);
  }
  if (i == x.size()) return;
  alignas(64) double lanes[width] = {};
  for (std::size_t k = i; k < x.size(); ++k) lanes[k - i] = x[k];
  hn::Store(function(hn::Load(d, lanes)), d, lanes);
  for (std::size_t k = i; k < x.size(); ++k) out[k] = lanes[k - i];
}

inline Kernels MakeKernels(std::string_view isa) {
  return {{},
          isa,
          hn::lanes_f32,
          &SimulateF32,
          &SimulateF64,
          &SimulateHeston,
          &SimulateBasket,
          &AddMoments<float>,
          &AddMoments<double>,
          &TransformAll<ExpOf>,
          &TransformAll<NormalCdfOf>};
}

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_KERNEL_TABLE_INL_HPP
