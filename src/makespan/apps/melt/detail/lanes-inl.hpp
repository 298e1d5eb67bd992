// SPDX-License-Identifier: Apache-2.0
// Eight doubles side by side, whatever the machine's vectors: what gives all instruction sets the
// same bits. One AVX-512 vector is all eight, AVX2 takes two, one lane eight.

#if defined(MAKESPAN_MELT_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_MELT_LANES_INL_HPP
#undef MAKESPAN_MELT_LANES_INL_HPP
#else
#define MAKESPAN_MELT_LANES_INL_HPP
#endif

#include "makespan/apps/melt/clusters.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::melt::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

using Doubles = hn::Vec<hn::F64>;
inline constexpr int part_lanes = hn::lanes_f64;
inline constexpr int part_count = cluster_atoms / part_lanes;
static_assert(part_count * part_lanes == cluster_atoms);

MAKESPAN_BODY Doubles Of(double value) {
  return hn::Set(hn::F64(), value);
}

}  // namespace makespan::melt::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_MELT_LANES_INL_HPP
