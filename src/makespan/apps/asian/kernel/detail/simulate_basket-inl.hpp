// SPDX-License-Identifier: Apache-2.0
// Simulates the paths of a slab whose payoff looks at a weighted sum of several correlated prices
// (basket_walk-inl.hpp) from tiles of normals.

#if defined(MAKESPAN_ASIAN_SIMULATE_BASKET_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_SIMULATE_BASKET_INL_HPP
#undef MAKESPAN_ASIAN_SIMULATE_BASKET_INL_HPP
#else
#define MAKESPAN_ASIAN_SIMULATE_BASKET_INL_HPP
#endif

#include "makespan/apps/asian/kernel/basket_walk-inl.hpp"
#include "makespan/apps/asian/kernel/detail/philox_normals-inl.hpp"
#include "makespan/apps/asian/kernel/detail/simulate-inl.hpp"
#include "makespan/apps/asian/kernel/sobol_normals-inl.hpp"
#include "makespan/simd/math-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

// Correlated normals of the underlyings [first, first + count), from one row of the tile for each
// factor.
template <int count>
MAKESPAN_BODY void CorrelateSome(BasketPlan const& plan, int first, double const* tile) {
  hn::F64 const d;
  hn::Vec<hn::F64> sum[count][group_vectors];
  MAKESPAN_UNROLL
  for (int k = 0; k < count; ++k) {
    for (int v = 0; v < group_vectors; ++v) sum[k][v] = hn::Zero(d);
  }
  double const* const loading =
      plan.loading.data() + static_cast<std::ptrdiff_t>(first) * plan.factors;
  for (int factor = 0; factor < plan.factors; ++factor) {
    hn::Vec<hn::F64> z[group_vectors];
    MAKESPAN_UNROLL
    for (int v = 0; v < group_vectors; ++v) {
      z[v] = hn::Load(d, tile + factor * group_f64 + v * hn::lanes_f64);
    }
    MAKESPAN_UNROLL
    for (int k = 0; k < count; ++k) {
      auto const weight = hn::Set(d, loading[k * plan.factors + factor]);
      for (int v = 0; v < group_vectors; ++v) sum[k][v] = hn::MulAdd(weight, z[v], sum[k][v]);
    }
  }
  MAKESPAN_UNROLL
  for (int k = 0; k < count; ++k) {
    double* const row = BasketStateAt<group_f64>(plan.state, first + k, row_normal);
    for (int v = 0; v < group_vectors; ++v) hn::Store(sum[k][v], d, row + v * hn::lanes_f64);
  }
}

MAKESPAN_BODY void Correlate(BasketPlan const& plan, double const* tile) {
  constexpr int block = 4;
  int first = 0;
  for (; first + block <= plan.underlyings; first += block) CorrelateSome<block>(plan, first, tile);
  for (; first < plan.underlyings; ++first) CorrelateSome<1>(plan, first, tile);
}

template <bool antithetic, bool greeks, bool smooth>
void WalkBasket(BasketPlan const& plan, StepRange steps, int rows, double const* tile,
                BasketWalk* walks) {
  for (int i = steps.begin; i < steps.end; ++i) {
    Correlate(plan, tile);
    for (int v = 0; v < group_vectors; ++v) {
      TakeBasketStep<antithetic, greeks, smooth, group_f64>(plan, i, plan.state + v * hn::lanes_f64,
                                                            walks[v]);
    }
    tile += rows * group_f64;
  }
}

using WalkBasketOf = void (*)(BasketPlan const&, StepRange, int, double const*, BasketWalk*);

inline WalkBasketOf SelectBasketWalk(PathJob const& job) {
  if (job.basket.is_smooth) {
    return job.greeks ? WalkBasket<true, true, true> : WalkBasket<true, false, true>;
  }
  if (job.antithetic) {
    return job.greeks ? WalkBasket<true, true, false> : WalkBasket<true, false, false>;
  }
  return job.greeks ? WalkBasket<false, true, false> : WalkBasket<false, false, false>;
}

inline void WalkPhiloxBasket(PathJob const& job, std::uint64_t first, WalkBasketOf walk,
                             BasketWalk (&walks)[group_vectors]) {
  auto* const tile = static_cast<double*>(job.normals);
  BasketPlan const& plan = job.basket;
  BasketTile const part = basket_tile(plan.factors, tile_steps);
  int const steps = static_cast<int>(plan.steps.size());
  hn::Vec<hn::U64> numbers[group_vectors];
  for (int v = 0; v < group_vectors; ++v) {
    numbers[v] = hn::Add(hn::Set(hn::U64(), first + static_cast<std::uint64_t>(v * hn::lanes_f64)),
                         hn::Iota(hn::U64(), 0));
  }
  auto const paths = hn::StartPhilox(numbers, job.stream, job.round_keys);
  auto const fill = job.philox_rounds == 7 ? FillNormalsF64<7> : FillNormalsF64<10>;
  for (int begin = 0; begin < steps; begin += part.steps) {
    int const end = begin + part.steps < steps ? begin + part.steps : steps;
    fill(job, paths, {begin * part.rows / 2, (end * part.rows + 1) / 2}, tile);
    walk(plan, {begin, end}, part.rows, tile, walks);
  }
}

inline void SimulateBasket(PathJob const& job, double* values) {
  hn::F64 const d;
  auto const walk = SelectBasketWalk(job);
  BasketPlan const& plan = job.basket;
  int const steps = static_cast<int>(plan.steps.size());
  for (int path = 0; path < job.samples; path += group_f64) {
    std::uint64_t const first = job.sample_first + static_cast<std::uint64_t>(path);
    BasketWalk walks[group_vectors];
    for (BasketWalk& one : walks) one = StartBasket();
    int const state = plan.underlyings * basket_state_rows * group_f64;
    for (int i = 0; i < state; i += hn::lanes_f64) hn::Store(hn::Zero(d), d, plan.state + i);
    if (job.source == NormalSource::sobol) {
      auto* const tile = static_cast<double*>(job.normals);
      SeekSobol<group_f64>(job, path);
      FillSobol<double, hn::F64, hn::lanes_f64, group_f64 / hn::lanes_f32>(job, hn::F64(), first,
                                                                           tile);
      walk(plan, {0, steps}, plan.factors, tile, walks);
    } else {
      WalkPhiloxBasket(job, first, walk, walks);
    }
    for (int v = 0; v < group_vectors; ++v) {
      StoreBasket(job, walks[v], path + v * hn::lanes_f64, values);
    }
  }
}

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_SIMULATE_BASKET_INL_HPP
