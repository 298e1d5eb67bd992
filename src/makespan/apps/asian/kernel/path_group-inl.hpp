// SPDX-License-Identifier: Apache-2.0
// How many paths a kernel has in flight, and where their functionals lie.

#if defined(MAKESPAN_ASIAN_PATH_GROUP_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_PATH_GROUP_INL_HPP
#undef MAKESPAN_ASIAN_PATH_GROUP_INL_HPP
#else
#define MAKESPAN_ASIAN_PATH_GROUP_INL_HPP
#endif

#include "makespan/apps/asian/kernel/path_job.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

inline constexpr int group_f32 = group_vectors * hn::lanes_f32;
inline constexpr int group_f64 = group_vectors * hn::lanes_f64;

// Steps begin .. end - 1.
struct StepRange {
  int begin;
  int end;
};

template <class T>
MAKESPAN_BODY T* At(T* values, Functional functional, int path) {
  return values + functional * slab_samples + path;
}

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_PATH_GROUP_INL_HPP
