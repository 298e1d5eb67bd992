// SPDX-License-Identifier: Apache-2.0
// How a cell's vectors are added up: bodies with nothing in them but loads, sums and stores.

#if defined(MAKESPAN_MELT_MOTION_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_MELT_MOTION_INL_HPP
#undef MAKESPAN_MELT_MOTION_INL_HPP
#else
#define MAKESPAN_MELT_MOTION_INL_HPP
#endif

#include "makespan/apps/melt/detail/lanes-inl.hpp"
#include "makespan/apps/melt/kernels.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::melt::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

inline void AddScaled(std::span<ClusterVectors> to, double factor, ClusterVectors const* from) {
  hn::F64 const d;
  Doubles const times = Of(factor);
  for (std::size_t cluster = 0; cluster < to.size(); ++cluster) {
    double* const sum = to[cluster].axis[0].data();
    double const* const term = from[cluster].axis[0].data();
    MAKESPAN_UNROLL
    for (int lane = 0; lane < cluster_doubles; lane += part_lanes) {
      hn::Store(hn::MulAdd(times, hn::Load(d, term + lane), hn::Load(d, sum + lane)), d,
                sum + lane);
    }
  }
}

inline void AddContribution(std::span<std::int32_t const> clusters,
                            ClusterVectors const* contribution, ClusterVectors* to) {
  hn::F64 const d;
  for (std::int32_t const cluster : clusters) {
    double* const sum = to[cluster].axis[0].data();
    double const* const term = (contribution++)->axis[0].data();
    MAKESPAN_UNROLL
    for (int lane = 0; lane < cluster_doubles; lane += part_lanes) {
      hn::Store(hn::Add(hn::Load(d, sum + lane), hn::Load(d, term + lane)), d, sum + lane);
    }
  }
}

}  // namespace makespan::melt::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_MELT_MOTION_INL_HPP
