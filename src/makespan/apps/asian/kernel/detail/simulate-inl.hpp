// SPDX-License-Identifier: Apache-2.0
// Simulates the paths of a slab, one path per lane, and leaves the functionals of `path_job.hpp`.
//
// A group of paths goes through two loops in turn, over tiles of its steps that stay in the
// first-level cache: normals into the tile, then steps out of it. The first is bound by arithmetic
// units and independent from step to step; the second is a chain per path. Apart, each keeps its
// registers and its pipeline full.

#if defined(MAKESPAN_ASIAN_SIMULATE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_SIMULATE_INL_HPP
#undef MAKESPAN_ASIAN_SIMULATE_INL_HPP
#else
#define MAKESPAN_ASIAN_SIMULATE_INL_HPP
#endif

#include "makespan/apps/asian/kernel/advance_f32-inl.hpp"
#include "makespan/apps/asian/kernel/detail/advance_f64-inl.hpp"
#include "makespan/apps/asian/kernel/detail/philox_normals-inl.hpp"
#include "makespan/apps/asian/kernel/sobol_normals-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

// Sets the functionals of the first groups that hold `samples` to those of paths that have not
// begun.
template <class T>
void StartFunctionals(PathJob const& job, int group, T* values) {
  // Steps in double precision keep B without Greeks, too, and moments read log_sum whether or not
  // the pass leaves one: rows up to `brownian` are never raw memory.
  int const used = job.greeks ? functionals_of<T> : brownian + 1;
  int const paths = (job.samples + group - 1) / group * group;
  for (int f = 0; f < used; ++f) {
    T const start = f == growth_up || f == growth_down ? T{1} : T{0};
    for (int i = 0; i < paths; ++i) values[f * slab_samples + i] = start;
  }
}

// The next group's base from the last one's; `path` and `group` number within the slab.
template <int group>
void SeekSobol(PathJob const& job, int path) {
  std::uint64_t const index = job.sample_first + static_cast<std::uint64_t>(path);
  int const dimensions = static_cast<int>(job.sobol.base.size());
  if (path == 0) {
    for (std::uint32_t& word : job.sobol.base) word = 0;
    MoveSobolBase(job.sobol, dimensions, index);
  } else {
    MoveSobolBase(job.sobol, dimensions, index ^ (index - group));
  }
}

inline void SimulateF32(PathJob const& job, float* values) {
  StartFunctionals(job, group_f32, values);
  AdvanceF32 const advance = SelectAdvance(job);
  auto* const tile = static_cast<float*>(job.normals);
  int const steps = job.tables.steps;
  for (int path = 0; path < job.samples; path += group_f32) {
    std::uint64_t const first = job.sample_first + static_cast<std::uint64_t>(path);
    if (job.source == NormalSource::sobol) {
      // No tiles: the bridge has the whole path before its first increment.
      SeekSobol<group_f32>(job, path);
      FillSobol<float, hn::F32, hn::lanes_f32, group_vectors>(job, hn::F32(), first, tile);
      advance(job, {0, steps}, tile, path, values);
      continue;
    }
    hn::Vec<hn::U64> numbers[hn::halves * group_vectors];
    GroupPathsF32(first, numbers);
    auto const paths = hn::StartPhilox(numbers, job.stream, job.round_keys);
    for (int begin = 0; begin < steps; begin += tile_steps) {
      int const end = begin + tile_steps < steps ? begin + tile_steps : steps;
      auto const fill = job.philox_rounds == 7 ? FillNormalsF32<7> : FillNormalsF32<10>;
      // A tile begins with a counter of its own, since tile_steps is a multiple of 4. The last
      // counter may make normals that no step takes; the tile has room for them.
      fill(job, paths, {begin / 4, (end + 3) / 4}, tile);
      advance(job, {begin, end}, tile, path, values);
    }
  }
}

inline void SimulateF64(PathJob const& job, double* values) {
  StartFunctionals(job, group_f64, values);
  auto const advance = job.antithetic ? AdvanceF64<true> : AdvanceF64<false>;
  auto const advance_group = [&](StepRange range, double const* tile, int path) {
    for (int v = 0; v < group_vectors; ++v) {
      advance(job, range, tile + v * hn::lanes_f64, path + v * hn::lanes_f64, values);
    }
  };
  auto* const tile = static_cast<double*>(job.normals);
  int const steps = job.tables.steps;
  for (int path = 0; path < job.samples; path += group_f64) {
    std::uint64_t const first = job.sample_first + static_cast<std::uint64_t>(path);
    if (job.source == NormalSource::sobol) {
      SeekSobol<group_f64>(job, path);
      FillSobol<double, hn::F64, hn::lanes_f64, group_f64 / hn::lanes_f32>(job, hn::F64(), first,
                                                                           tile);
      advance_group({0, steps}, tile, path);
      continue;
    }
    hn::Vec<hn::U64> numbers[group_vectors];
    for (int v = 0; v < group_vectors; ++v) {
      numbers[v] =
          hn::Add(hn::Set(hn::U64(), first + static_cast<std::uint64_t>(v * hn::lanes_f64)),
                  hn::Iota(hn::U64(), 0));
    }
    auto const paths = hn::StartPhilox(numbers, job.stream, job.round_keys);
    for (int begin = 0; begin < steps; begin += tile_steps) {
      int const end = begin + tile_steps < steps ? begin + tile_steps : steps;
      auto const fill = job.philox_rounds == 7 ? FillNormalsF64<7> : FillNormalsF64<10>;
      fill(job, paths, {begin / 2, (end + 1) / 2}, tile);
      advance_group({begin, end}, tile, path);
    }
  }
}

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_SIMULATE_INL_HPP
