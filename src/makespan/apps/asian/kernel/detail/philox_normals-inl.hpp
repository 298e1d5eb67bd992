// SPDX-License-Identifier: Apache-2.0
// Pseudo-random normals of a group of paths: Philox words through Box-Muller.

#if defined(MAKESPAN_ASIAN_PHILOX_NORMALS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_PHILOX_NORMALS_INL_HPP
#undef MAKESPAN_ASIAN_PHILOX_NORMALS_INL_HPP
#else
#define MAKESPAN_ASIAN_PHILOX_NORMALS_INL_HPP
#endif

#include "makespan/apps/asian/kernel/path_group-inl.hpp"
#include "makespan/simd/normal-inl.hpp"
#include "makespan/simd/philox-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

using GroupPaths = hn::PhiloxPaths<hn::halves * group_vectors>;

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

// Words of one counter for a group.
struct GroupWords {
  hn::Vec<hn::U32> word[4][group_vectors];
};

MAKESPAN_BODY hn::BoxMullerPairs<2 * group_vectors> BeginNormals(GroupWords const& words) {
  hn::Vec<hn::U32> radius[2 * group_vectors];
  hn::Vec<hn::U32> angle[2 * group_vectors];
  MAKESPAN_UNROLL
  for (int v = 0; v < group_vectors; ++v) {
    radius[2 * v] = words.word[0][v];
    angle[2 * v] = words.word[1][v];
    radius[2 * v + 1] = words.word[2][v];
    angle[2 * v + 1] = words.word[3][v];
  }
  hn::BoxMullerPairs<2 * group_vectors> pairs;
  hn::BeginBoxMuller(radius, angle, pairs);
  return pairs;
}

// Four rows of a tile.
MAKESPAN_BODY void StoreNormals(hn::BoxMullerPairs<2 * group_vectors> const& pairs, float* tile) {
  hn::F32 const d;
  hn::Vec<hn::F32> sine[2 * group_vectors];
  hn::Vec<hn::F32> cosine[2 * group_vectors];
  hn::EndBoxMuller(pairs, sine, cosine);
  MAKESPAN_UNROLL
  for (int v = 0; v < group_vectors; ++v) {
    // Which normal is which step's is part of the bits: path_walk-inl.hpp has the same order.
    float* const row = tile + v * hn::lanes_f32;
    hn::Store(sine[2 * v], d, row);
    hn::Store(cosine[2 * v], d, row + group_f32);
    hn::Store(sine[2 * v + 1], d, row + 2 * group_f32);
    hn::Store(cosine[2 * v + 1], d, row + 3 * group_f32);
  }
}

// The normals of `words`, and meanwhile the words of the next counter into it: half a round of
// Philox after each stage of Box-Muller, so that neither waits for its own latencies. Worth it
// where 32 registers hold both.
template <int rounds>
MAKESPAN_BODY void NormalsAndNextWords(PathJob const& job, GroupPaths const& paths, int next,
                                       GroupWords& words, float* tile) {
  constexpr int half_rounds = hn::philox_half_rounds<rounds>;
  constexpr int stages = hn::box_muller_stages;
  auto pairs = BeginNormals(words);
  hn::PhiloxRounds<hn::halves * group_vectors> rounds_at;
  hn::BeginRounds(paths, job.philox_steps[static_cast<std::size_t>(next)], rounds_at);
  MAKESPAN_UNROLL
  for (int stage = 0; stage < stages; ++stage) {
    hn::BoxMullerStage(stage, pairs);
    MAKESPAN_UNROLL
    for (int half = 0; half < half_rounds; ++half) {
      // Of 7 rounds 9 half rounds are left, one to a stage; of 10 rounds 15, spread over all 12.
      bool const due = half_rounds <= stages ? half == stage : half * stages / half_rounds == stage;
      if (due) hn::HalfRound(half, job.round_keys, rounds_at);
    }
  }
  hn::EndRounds<rounds, group_vectors>(rounds_at, job.round_keys, words.word);
  StoreNormals(pairs, tile);
}

template <int rounds>
MAKESPAN_BODY void NextWords(PathJob const& job, GroupPaths const& paths, int counter,
                             GroupWords& words) {
  hn::PhiloxWords<rounds, group_vectors>(paths, job.philox_steps[static_cast<std::size_t>(counter)],
                                         job.round_keys, words.word);
}

MAKESPAN_BODY void Normals(GroupWords const& words, float* tile) {
  auto pairs = BeginNormals(words);
  MAKESPAN_UNROLL
  for (int stage = 0; stage < hn::box_muller_stages; ++stage) hn::BoxMullerStage(stage, pairs);
  StoreNormals(pairs, tile);
}

// Normals of steps [4 · counters.begin, 4 · counters.end) into tile[step][path of group].
template <int rounds>
void FillNormalsF32(PathJob const& job, GroupPaths const& paths, StepRange counters, float* tile) {
  GroupWords words;
  if constexpr (hn::registers >= 32) {
    NextWords<rounds>(job, paths, counters.begin, words);
    for (int next = counters.begin + 1; next < counters.end; ++next) {
      NormalsAndNextWords<rounds>(job, paths, next, words, tile);
      tile += 4 * group_f32;
    }
    Normals(words, tile);
  } else {
    for (int counter = counters.begin; counter < counters.end; ++counter) {
      NextWords<rounds>(job, paths, counter, words);
      Normals(words, tile);
      tile += 4 * group_f32;
    }
  }
}

// Normals of steps [2 · counters.begin, 2 · counters.end) in double precision.
template <int rounds>
void FillNormalsF64(PathJob const& job, hn::PhiloxPaths<group_vectors> const& paths,
                    StepRange counters, double* tile) {
  hn::F64 const d;
  for (int counter = counters.begin; counter < counters.end; ++counter) {
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
