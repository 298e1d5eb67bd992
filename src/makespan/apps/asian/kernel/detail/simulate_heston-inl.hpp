// SPDX-License-Identifier: Apache-2.0
// Simulates the paths of a slab under a random variance (heston_walk-inl.hpp) from tiles of
// normals.

#if defined(MAKESPAN_ASIAN_SIMULATE_HESTON_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_SIMULATE_HESTON_INL_HPP
#undef MAKESPAN_ASIAN_SIMULATE_HESTON_INL_HPP
#else
#define MAKESPAN_ASIAN_SIMULATE_HESTON_INL_HPP
#endif

#include "makespan/apps/asian/kernel/detail/philox_normals-inl.hpp"
#include "makespan/apps/asian/kernel/heston_walk-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

// Vectors of a group's paths, each followed by its twins where there are any.
template <bool antithetic>
inline constexpr int heston_vectors = antithetic ? 2 * group_vectors : group_vectors;

// Steps [begin, end) of a group, with two rows of normals each.
template <bool antithetic, bool greeks>
void WalkHeston(HestonPlan const& plan, StepRange steps, double const* tile, HestonWalk* walks) {
  constexpr int count = heston_vectors<antithetic>;
  constexpr int twins = antithetic ? 2 : 1;
  hn::F64 const d;
  auto const zero = hn::Zero(d);
  HestonWalk walk[count];
  for (int k = 0; k < count; ++k) walk[k] = walks[k];
  for (int i = steps.begin; i < steps.end; ++i) {
    hn::Vec<hn::F64> z_price[count];
    hn::Vec<hn::F64> z_variance[count];
    MAKESPAN_UNROLL
    for (int v = 0; v < group_vectors; ++v) {
      z_price[v * twins] = hn::Load(d, tile + v * hn::lanes_f64);
      z_variance[v * twins] = hn::Load(d, tile + group_f64 + v * hn::lanes_f64);
      if constexpr (antithetic) {
        z_price[v * twins + 1] = hn::Sub(zero, z_price[v * twins]);
        z_variance[v * twins + 1] = hn::Sub(zero, z_variance[v * twins]);
      }
    }
    TakeHestonSteps<greeks, count>(plan, i, z_price, z_variance, walk);
    tile += 2 * group_f64;
  }
  for (int k = 0; k < count; ++k) walks[k] = walk[k];
}

using WalkHestonOf = void (*)(HestonPlan const&, StepRange, double const*, HestonWalk*);

inline WalkHestonOf SelectHestonWalk(PathJob const& job) {
  if (job.antithetic) return job.greeks ? WalkHeston<true, true> : WalkHeston<true, false>;
  return job.greeks ? WalkHeston<false, true> : WalkHeston<false, false>;
}

inline void SimulateHeston(PathJob const& job, double* values) {
  auto* const tile = static_cast<double*>(job.normals);
  constexpr int steps_of_tile = tile_steps / 2;
  int const steps = static_cast<int>(job.heston.steps.size());
  auto const walk = SelectHestonWalk(job);
  for (int path = 0; path < job.samples; path += group_f64) {
    hn::Vec<hn::U64> numbers[group_vectors];
    for (int v = 0; v < group_vectors; ++v) {
      std::uint64_t const first = job.sample_first + static_cast<std::uint64_t>(path);
      numbers[v] =
          hn::Add(hn::Set(hn::U64(), first + static_cast<std::uint64_t>(v * hn::lanes_f64)),
                  hn::Iota(hn::U64(), 0));
    }
    auto const paths = hn::StartPhilox(numbers, job.stream, job.round_keys);
    HestonWalk walks[heston_vectors<true>];
    for (HestonWalk& one : walks) one = StartHeston(job.heston);
    for (int begin = 0; begin < steps; begin += steps_of_tile) {
      int const end = begin + steps_of_tile < steps ? begin + steps_of_tile : steps;
      auto const fill = job.philox_rounds == 7 ? FillNormalsF64<7> : FillNormalsF64<10>;
      fill(job, paths, {begin, end}, tile);  // a counter has the two normals of a step
      walk(job.heston, {begin, end}, tile, walks);
    }
    for (int v = 0; v < group_vectors; ++v) {
      int const at = path + v * hn::lanes_f64;
      auto const store = job.greeks ? StorePair<true> : StorePair<false>;
      HestonWalk const* const own = walks + v * (job.antithetic ? 2 : 1);
      store(job.antithetic, own[0], own[job.antithetic ? 1 : 0], values, at);
    }
  }
}

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_SIMULATE_HESTON_INL_HPP
