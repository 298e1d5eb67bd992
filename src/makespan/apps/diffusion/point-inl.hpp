// SPDX-License-Identifier: Apache-2.0
// A step of a point, for all devices.

#if defined(MAKESPAN_DIFFUSION_POINT_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_DIFFUSION_POINT_INL_HPP
#undef MAKESPAN_DIFFUSION_POINT_INL_HPP
#else
#define MAKESPAN_DIFFUSION_POINT_INL_HPP
#endif

#include "makespan/apps/diffusion/kernels.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::diffusion::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

using Doubles = hn::Vec<hn::F64>;

// In registers: what is stored might be the factors, for all that a compiler knows.
struct FactorVectors {
  Doubles centre;
  Doubles x;
  Doubles y;
  Doubles z;
};
MAKESPAN_BODY FactorVectors VectorsOf(Factors const& factors) {
  hn::F64 const d;
  return {hn::Set(d, factors.centre), hn::Set(d, factors.x), hn::Set(d, factors.y),
          hn::Set(d, factors.z)};
}

// A step of one point; the arithmetic of all devices.
MAKESPAN_BODY Doubles Diffused(Doubles here, Doubles sum_x, Doubles sum_y, Doubles sum_z,
                               FactorVectors const& factors) {
  Doubles const x = hn::MulAdd(factors.x, sum_x, hn::Mul(factors.centre, here));
  return hn::MulAdd(factors.z, sum_z, hn::MulAdd(factors.y, sum_y, x));
}

}  // namespace makespan::diffusion::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_DIFFUSION_POINT_INL_HPP
