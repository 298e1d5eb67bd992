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

// Steps [begin, end) of a group of paths and its twins, with two rows of normals each. Step by
// step, so that one vector's latencies are another's work.
template <bool antithetic, bool greeks>
void WalkHeston(HestonPlan const& plan, StepRange steps, double const* tile,
                HestonWalk (&up)[group_vectors], HestonWalk (&down)[group_vectors]) {
  hn::F64 const d;
  auto const zero = hn::Zero(d);
  for (int i = steps.begin; i < steps.end; ++i) {
    MAKESPAN_UNROLL
    for (int v = 0; v < group_vectors; ++v) {
      auto const z_price = hn::Load(d, tile + v * hn::lanes_f64);
      auto const z_variance = hn::Load(d, tile + group_f64 + v * hn::lanes_f64);
      TakeHestonStep<greeks>(plan, i, z_price, z_variance, up[v]);
      if constexpr (antithetic) {
        TakeHestonStep<greeks>(plan, i, hn::Sub(zero, z_price), hn::Sub(zero, z_variance), down[v]);
      }
    }
    tile += 2 * group_f64;
  }
}

using WalkHestonOf = void (*)(HestonPlan const&, StepRange, double const*,
                              HestonWalk (&)[group_vectors], HestonWalk (&)[group_vectors]);

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
    HestonWalk up[group_vectors];
    HestonWalk down[group_vectors];
    for (int v = 0; v < group_vectors; ++v) up[v] = down[v] = StartHeston(job.heston);
    for (int begin = 0; begin < steps; begin += steps_of_tile) {
      int const end = begin + steps_of_tile < steps ? begin + steps_of_tile : steps;
      auto const fill = job.philox_rounds == 7 ? FillNormalsF64<7> : FillNormalsF64<10>;
      fill(job, paths, {begin, end}, tile);  // a counter has the two normals of a step
      walk(job.heston, {begin, end}, tile, up, down);
    }
    for (int v = 0; v < group_vectors; ++v) {
      int const at = path + v * hn::lanes_f64;
      auto const store = job.greeks ? StorePair<true> : StorePair<false>;
      store(job.antithetic, up[v], down[v], values, at);
    }
  }
}

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_SIMULATE_HESTON_INL_HPP
