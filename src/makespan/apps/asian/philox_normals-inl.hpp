// SPDX-License-Identifier: Apache-2.0
// Pseudo-random normals of a group of paths: Philox words through Box-Muller.

#if defined(MAKESPAN_ASIAN_PHILOX_NORMALS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_PHILOX_NORMALS_INL_HPP
#undef MAKESPAN_ASIAN_PHILOX_NORMALS_INL_HPP
#else
#define MAKESPAN_ASIAN_PHILOX_NORMALS_INL_HPP
#endif

#include "makespan/apps/asian/path_group-inl.hpp"
#include "makespan/simd/normal-inl.hpp"
#include "makespan/simd/philox-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

// Path numbers of the parts of a group, part `halves * v + h` being half h of vector v.
MAKESPAN_BODY void GroupPathsF32(std::uint64_t first,
                                 hn::Vec<hn::U64> (&path)[hn::halves * group_vectors]) {
  MAKESPAN_UNROLL
  for (int v = 0; v < group_vectors; ++v) {
    for (int h = 0; h < hn::halves; ++h) {
      path[hn::halves * v + h] =
          hn::PathNumbers(first + static_cast<std::uint64_t>(v * hn::lanes_f32), h);
    }
  }
}

// Normals of steps [4 · counter_begin, 4 · counter_end) into tile[step][path of group].
template <int rounds>
void FillNormalsF32(PathJob const& job, hn::PhiloxPaths<hn::halves * group_vectors> const& paths,
                    int counter_begin, int counter_end, float* tile) {
  hn::F32 const d;
  for (int counter = counter_begin; counter < counter_end; ++counter) {
    hn::Vec<hn::U32> word[4][group_vectors];
    hn::PhiloxWords<rounds, group_vectors>(
        paths, job.philox_steps[static_cast<std::size_t>(counter)], job.round_keys, word);
    hn::Vec<hn::U32> radius[2 * group_vectors];
    hn::Vec<hn::U32> angle[2 * group_vectors];
    hn::Vec<hn::F32> sine[2 * group_vectors];
    hn::Vec<hn::F32> cosine[2 * group_vectors];
    MAKESPAN_UNROLL
    for (int v = 0; v < group_vectors; ++v) {
      radius[2 * v] = word[0][v];
      angle[2 * v] = word[1][v];
      radius[2 * v + 1] = word[2][v];
      angle[2 * v + 1] = word[3][v];
    }
    hn::BoxMuller(radius, angle, sine, cosine);
    MAKESPAN_UNROLL
    for (int v = 0; v < group_vectors; ++v) {
      float* const row = tile + v * hn::lanes_f32;
      hn::Store(sine[2 * v], d, row);
      hn::Store(cosine[2 * v], d, row + group_f32);
      hn::Store(sine[2 * v + 1], d, row + 2 * group_f32);
      hn::Store(cosine[2 * v + 1], d, row + 3 * group_f32);
    }
    tile += 4 * group_f32;
  }
}

// Normals of steps [2 · counter_begin, 2 · counter_end) in double precision.
template <int rounds>
void FillNormalsF64(PathJob const& job, hn::PhiloxPaths<group_vectors> const& paths,
                    int counter_begin, int counter_end, double* tile) {
  hn::F64 const d;
  for (int counter = counter_begin; counter < counter_end; ++counter) {
    hn::Vec<hn::U64> word[2][group_vectors];
    hn::PhiloxWords64<rounds>(paths, job.philox_steps[static_cast<std::size_t>(counter)],
                              job.round_keys, word);
    MAKESPAN_UNROLL
    for (int v = 0; v < group_vectors; ++v) {
      hn::Vec<hn::F64> sine;
      hn::Vec<hn::F64> cosine;
      hn::BoxMuller(word[0][v], word[1][v], sine, cosine);
      hn::Store(sine, d, tile + v * hn::lanes_f64);
      hn::Store(cosine, d, tile + v * hn::lanes_f64 + group_f64);
    }
    tile += 2 * group_f64;
  }
}

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_PHILOX_NORMALS_INL_HPP
