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
MAKESPAN_BODY void CorrelateSome(BasketPlan const& plan, int first, double const* tile,
                                 double* state) {
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
    double* const row = BasketStateAt<group_f64>(state, first + k, row_normal);
    for (int v = 0; v < group_vectors; ++v) hn::Store(sum[k][v], d, row + v * hn::lanes_f64);
  }
}

MAKESPAN_BODY void Correlate(BasketPlan const& plan, double const* tile, double* state) {
  // Each normal is loaded once for four underlyings, whose eight sums fit 16 registers.
  constexpr int block = 4;
  int first = 0;
  for (; first + block <= plan.underlyings; first += block) {
    CorrelateSome<block>(plan, first, tile, state);
  }
  for (; first < plan.underlyings; ++first) CorrelateSome<1>(plan, first, tile, state);
}

// A group of paths under way.
struct BasketGroup {
  BasketWalk walks[group_vectors];
};

// Steps of a tile of normals, `rows` to a step.
struct BasketSteps {
  StepRange range;
  int rows;
  double const* tile;
};

template <bool antithetic, bool greeks, bool smooth>
void WalkBasket(BasketPlan const& plan, BasketSteps const& steps, double* state,
                BasketGroup& group) {
  double const* tile = steps.tile;
  for (int i = steps.range.begin; i < steps.range.end; ++i) {
    Correlate(plan, tile, state);
    TakeBasketStep<antithetic, greeks, smooth, group_f64>(plan, i, state, group.walks);
    tile += steps.rows * group_f64;
  }
}

using WalkBasketOf = void (*)(BasketPlan const&, BasketSteps const&, double*, BasketGroup&);

inline WalkBasketOf SelectBasketWalk(PathJob const& job) {
  if (job.basket.is_smooth) {
    return job.greeks ? WalkBasket<true, true, true> : WalkBasket<true, false, true>;
  }
  if (job.antithetic) {
    return job.greeks ? WalkBasket<true, true, false> : WalkBasket<true, false, false>;
  }
  return job.greeks ? WalkBasket<false, true, false> : WalkBasket<false, false, false>;
}

inline constexpr int groups_of_slab = slab_samples / group_f64;

// Takes `count` groups of paths from `first` on, tile of steps by tile of steps.
inline void WalkPhiloxBasket(PathJob const& job, std::uint64_t first, int count,
                             BasketGroup* groups) {
  auto* const tile = static_cast<double*>(job.normals);
  BasketPlan const& plan = job.basket;
  auto const walk = SelectBasketWalk(job);
  auto const fill = job.philox_rounds == 7 ? FillNormalsF64<7> : FillNormalsF64<10>;
  BasketTile const part = basket_tile(plan.factors, tile_steps);
  int const steps = static_cast<int>(plan.steps.size());
  std::ptrdiff_t const state_size =
      static_cast<std::ptrdiff_t>(plan.underlyings) * basket_state_rows * group_f64;
  for (int begin = 0; begin < steps; begin += part.steps) {
    int const end = begin + part.steps < steps ? begin + part.steps : steps;
    for (int g = 0; g < count; ++g) {
      std::uint64_t const path = first + static_cast<std::uint64_t>(g * group_f64);
      hn::Vec<hn::U64> numbers[group_vectors];
      for (int v = 0; v < group_vectors; ++v) {
        numbers[v] =
            hn::Add(hn::Set(hn::U64(), path + static_cast<std::uint64_t>(v * hn::lanes_f64)),
                    hn::Iota(hn::U64(), 0));
      }
      auto const paths = hn::StartPhilox(numbers, job.stream, job.round_keys);
      fill(job, paths, {begin * part.rows / 2, (end * part.rows + 1) / 2}, tile);
      walk(plan, {{begin, end}, part.rows, tile}, plan.state + g * state_size, groups[g]);
    }
  }
}

inline void SimulateBasket(PathJob const& job, double* values) {
  hn::F64 const d;
  BasketPlan const& plan = job.basket;
  bool const sobol = job.source == NormalSource::sobol;
  int const steps = static_cast<int>(plan.steps.size());
  int const abreast =
      sobol ? group_f64 : basket_paths_abreast(plan.underlyings, !plan.grids.empty());
  BasketGroup groups[groups_of_slab];
  for (int path = 0; path < job.samples; path += abreast) {
    int const left = job.samples - path;
    int const count = ((left < abreast ? left : abreast) + group_f64 - 1) / group_f64;
    int const state = plan.underlyings * basket_state_rows * group_f64 * count;
    for (int i = 0; i < state; i += hn::lanes_f64) hn::Store(hn::Zero(d), d, plan.state + i);
    for (int g = 0; g < count; ++g) {
      for (BasketWalk& one : groups[g].walks) one = StartBasket();
    }
    std::uint64_t const first = job.sample_first + static_cast<std::uint64_t>(path);
    if (sobol) {
      auto* const tile = static_cast<double*>(job.normals);
      SeekSobol<group_f64>(job, path);
      FillSobol<double, hn::F64, hn::lanes_f64, group_f64 / hn::lanes_f32>(job, hn::F64(), first,
                                                                           tile);
      SelectBasketWalk(job)(plan, {{0, steps}, plan.factors, tile}, plan.state, groups[0]);
    } else {
      WalkPhiloxBasket(job, first, count, groups);
    }
    for (int g = 0; g < count; ++g) {
      for (int v = 0; v < group_vectors; ++v) {
        StoreBasket(job, groups[g].walks[v], path + g * group_f64 + v * hn::lanes_f64, values);
      }
    }
  }
}

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_SIMULATE_BASKET_INL_HPP
