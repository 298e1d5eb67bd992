// SPDX-License-Identifier: Apache-2.0
// Takes paths from their first step to their last in registers: for lanes that have no first-level
// cache of their own to keep a tile of normals in, as on a GPU. The same operations on a path, in
// the same order, as simulate-inl.hpp, and so the same bits.
//
// A walk goes over ranges of steps that begin at a multiple of 4, since a GPU has room for so many
// steps at a time.

#if defined(MAKESPAN_ASIAN_PATH_WALK_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_PATH_WALK_INL_HPP
#undef MAKESPAN_ASIAN_PATH_WALK_INL_HPP
#else
#define MAKESPAN_ASIAN_PATH_WALK_INL_HPP
#endif

#include "makespan/apps/asian/kernel/advance_f32-inl.hpp"
#include "makespan/apps/asian/kernel/path_group-inl.hpp"
#include "makespan/simd/math-inl.hpp"
#include "makespan/simd/normal-inl.hpp"
#include "makespan/simd/philox-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

// The sums of one path that only Greeks need: of w_i S_i times B_i (C_i), t_i, a_i, a_i^2, and in
// double precision U_i (path_job.hpp).
template <class D>
struct WalkGreeks {
  hn::Vec<D> brownian;
  hn::Vec<D> time;
  hn::Vec<D> direction;
  hn::Vec<D> direction2;
  hn::Vec<D> volatility;
};

// A vector of paths under way; of what its pass does not use nothing is left when compiled.
template <class D>
struct Walk {
  hn::Vec<D> up;
  hn::Vec<D> down;
  hn::Vec<D> sum_of_up;
  hn::Vec<D> sum_of_down;
  hn::Vec<D> logs;
  hn::Vec<D> brownian;
  hn::Vec<D> vega;       // C, in double precision
  hn::Vec<D> vega_logs;  // likewise
  WalkGreeks<D> greeks_up;
  WalkGreeks<D> greeks_down;
};

template <class D>
MAKESPAN_BODY Walk<D> StartWalk(D d) {
  auto const one = hn::Set(d, 1.0F);
  auto const zero = hn::Zero(d);
  WalkGreeks<D> const none{zero, zero, zero, zero, zero};
  return {one, one, zero, zero, zero, zero, zero, zero, none, none};
}

// --- one step

template <Growth growth, Pass pass>
MAKESPAN_BODY void TakeStep(StepF32 const& step, hn::Vec<hn::F32> z, Walk<hn::F32>& walk) {
  hn::F32 const d;
  constexpr bool antithetic = pass == Pass::antithetic;
  Grow<growth, antithetic>(step, z, walk.up, walk.down);
  walk.sum_of_up = hn::MulAdd(hn::Set(d, step.spot_growth), walk.up, walk.sum_of_up);
  if constexpr (antithetic) {
    walk.sum_of_down = hn::MulAdd(hn::Set(d, step.spot_growth), walk.down, walk.sum_of_down);
  }
  if constexpr (pass != Pass::prices) {
    walk.logs = hn::MulAdd(hn::Set(d, step.log_weight), z, walk.logs);
  }
}

MAKESPAN_BODY void AddWalkGreeks(StepF32 const& step, GreekStepF32 const& greek, hn::Vec<hn::F32> m,
                                 hn::Vec<hn::F32> brownian, WalkGreeks<hn::F32>& sums) {
  GreekSums at{sums.brownian, sums.time, sums.direction, sums.direction2};
  AddGreekSums(step, greek, m, brownian, at);
  sums = {at.brownian, at.time, at.direction, at.direction2, sums.volatility};
}

template <Pass pass>
MAKESPAN_BODY void TakeGreekStep(StepF32 const& step, GreekStepF32 const& greek, hn::Vec<hn::F32> z,
                                 Walk<hn::F32>& walk) {
  walk.brownian = hn::MulAdd(hn::Set(hn::F32(), greek.root_dt), z, walk.brownian);
  AddWalkGreeks(step, greek, walk.up, walk.brownian, walk.greeks_up);
  if constexpr (pass == Pass::antithetic) {
    AddWalkGreeks(step, greek, walk.down, walk.brownian, walk.greeks_down);
  }
}

// One path of the two, whose price is now e^log_price.
template <bool greeks>
MAKESPAN_BODY void TakeStepF64(StepF64 const& step, hn::Vec<hn::F64> log_price,
                               hn::Vec<hn::F64> vega, hn::Vec<hn::F64>& price,
                               hn::Vec<hn::F64>& sum, WalkGreeks<hn::F64>& sums) {
  hn::F64 const d;
  price = hn::Exp(d, log_price);
  auto const weighted = hn::Mul(hn::Set(d, step.weight), price);
  sum = hn::Add(sum, weighted);
  if constexpr (greeks) {
    auto const towards = hn::Mul(hn::Set(d, step.direction), weighted);
    sums.brownian = hn::MulAdd(weighted, vega, sums.brownian);
    sums.time = hn::MulAdd(hn::Set(d, step.time), weighted, sums.time);
    sums.direction = hn::Add(sums.direction, towards);
    sums.direction2 = hn::MulAdd(hn::Set(d, step.direction), towards, sums.direction2);
    sums.volatility = hn::MulAdd(hn::Set(d, step.volatility), weighted, sums.volatility);
  }
}

template <bool antithetic, bool greeks>
MAKESPAN_BODY void TakeStep(StepF64 const& step, hn::Vec<hn::F64> sigma, hn::Vec<hn::F64> z,
                            Walk<hn::F64>& walk) {
  hn::F64 const d;
  walk.brownian = hn::MulAdd(hn::Set(d, step.root_dt), z, walk.brownian);
  walk.logs = hn::MulAdd(hn::Set(d, step.log_weight), z, walk.logs);
  if constexpr (greeks) {
    walk.vega = hn::MulAdd(hn::Set(d, step.vega_root), z, walk.vega);
    walk.vega_logs = hn::MulAdd(hn::Set(d, step.vega_log_weight), z, walk.vega_logs);
  }
  auto const growth = hn::Set(d, step.log_growth);
  TakeStepF64<greeks>(step, hn::MulAdd(sigma, walk.brownian, growth), walk.vega, walk.up,
                      walk.sum_of_up, walk.greeks_up);
  if constexpr (antithetic) {
    TakeStepF64<greeks>(step, hn::NegMulAdd(sigma, walk.brownian, growth), walk.vega, walk.down,
                        walk.sum_of_down, walk.greeks_down);
  }
}

// --- normals, from the words of one counter

template <int rounds, int width>
MAKESPAN_BODY void CounterNormals(hn::PhiloxPaths<hn::halves * width> const& paths,
                                  simd::PhiloxStep const& counter,
                                  simd::PhiloxRoundKeys const& keys,
                                  hn::Vec<hn::F32> (&z)[4][width]) {
  hn::Vec<hn::U32> word[4][width];
  hn::PhiloxWords<rounds, width>(paths, counter, keys, word);
  hn::Vec<hn::U32> radius[2 * width];
  hn::Vec<hn::U32> angle[2 * width];
  MAKESPAN_UNROLL
  for (int v = 0; v < width; ++v) {
    radius[2 * v] = word[0][v];
    angle[2 * v] = word[1][v];
    radius[2 * v + 1] = word[2][v];
    angle[2 * v + 1] = word[3][v];
  }
  hn::Vec<hn::F32> sine[2 * width];
  hn::Vec<hn::F32> cosine[2 * width];
  hn::BoxMuller(radius, angle, sine, cosine);
  MAKESPAN_UNROLL
  for (int v = 0; v < width; ++v) {
    z[0][v] = sine[2 * v];
    z[1][v] = cosine[2 * v];
    z[2][v] = sine[2 * v + 1];
    z[3][v] = cosine[2 * v + 1];
  }
}

template <int rounds, int width>
MAKESPAN_BODY void CounterNormals(hn::PhiloxPaths<width> const& paths,
                                  simd::PhiloxStep const& counter,
                                  simd::PhiloxRoundKeys const& keys,
                                  hn::Vec<hn::F64> (&z)[2][width]) {
  hn::Vec<hn::U64> word[2][width];
  hn::PhiloxWords64<rounds>(paths, counter, keys, word);
  MAKESPAN_UNROLL
  for (int v = 0; v < width; ++v) hn::BoxMuller(word[0][v], word[1][v], z[0][v], z[1][v]);
}

// --- ranges of steps

// The tables of a range of steps: `step`, `greek` and `counter` of its first step are at the front.
template <class Step, class Greek>
struct WalkTables {
  Step const* step;
  Greek const* greek;  // with Greeks in single precision
  simd::PhiloxStep const* counter;
  int steps;
};

// Calls step_at(i, z) for each step i of the range, with the normals of `width` vectors of paths.
template <int rounds, int per_counter, class D, int width, int parts, class StepAt>
MAKESPAN_BODY void ForEachStep(D /*d*/, hn::PhiloxPaths<parts> const& paths,
                               simd::PhiloxStep const* counter, simd::PhiloxRoundKeys const& keys,
                               int steps, StepAt&& step_at) {
  int i = 0;
  for (; i + per_counter <= steps; i += per_counter, ++counter) {
    hn::Vec<D> z[per_counter][width];
    CounterNormals<rounds, width>(paths, *counter, keys, z);
    MAKESPAN_UNROLL
    for (int k = 0; k < per_counter; ++k) step_at(i + k, z[k]);
  }
  if (i == steps) return;
  hn::Vec<D> z[per_counter][width];
  CounterNormals<rounds, width>(paths, *counter, keys, z);
  MAKESPAN_UNROLL
  for (int k = 0; k < per_counter; ++k) {
    if (i + k < steps) step_at(i + k, z[k]);
  }
}

using WalkTablesF32 = WalkTables<StepF32, GreekStepF32>;
using WalkTablesF64 = WalkTables<StepF64, StepF64>;

// `paths`: of StartPhilox for `width` vectors.
template <Growth growth, Pass pass, bool greeks, int rounds, int width, class Step>
MAKESPAN_BODY void WalkOver(WalkTables<Step, GreekStepF32> const& tables,
                            hn::PhiloxPaths<hn::halves * width> const& paths,
                            simd::PhiloxRoundKeys const& keys, Walk<hn::F32> (&walk)[width]) {
  ForEachStep<rounds, 4, hn::F32, width>(hn::F32(), paths, tables.counter, keys, tables.steps,
                                         [&](int i, hn::Vec<hn::F32> const(&z)[width]) {
                                           MAKESPAN_UNROLL
                                           for (int v = 0; v < width; ++v) {
                                             TakeStep<growth, pass>(tables.step[i], z[v], walk[v]);
                                             if constexpr (greeks)
                                               TakeGreekStep<pass>(tables.step[i], tables.greek[i],
                                                                   z[v], walk[v]);
                                           }
                                         });
}

template <bool antithetic, bool greeks, int rounds, int width>
MAKESPAN_BODY void WalkOver(WalkTablesF64 const& tables, double volatility,
                            hn::PhiloxPaths<width> const& paths, simd::PhiloxRoundKeys const& keys,
                            Walk<hn::F64> (&walk)[width]) {
  auto const sigma = hn::Set(hn::F64(), volatility);
  ForEachStep<rounds, 2, hn::F64, width>(hn::F64(), paths, tables.counter, keys, tables.steps,
                                         [&](int i, hn::Vec<hn::F64> const(&z)[width]) {
                                           MAKESPAN_UNROLL
                                           for (int v = 0; v < width; ++v) {
                                             TakeStep<antithetic, greeks>(tables.step[i], sigma,
                                                                          z[v], walk[v]);
                                           }
                                         });
}

// Leaves what a walk has come to where moments look for it.
template <bool antithetic, bool greeks, class D, class T>
MAKESPAN_BODY void StoreWalk(Walk<D> const& walk, D d, T* values, int path) {
  auto const store = [&](hn::Vec<D> x, Functional f) { hn::Store(x, d, At(values, f, path)); };
  auto const store_greeks = [&](WalkGreeks<D> const& sums, Functional first) {
    T* const at = At(values, first, path);
    hn::Store(sums.brownian, d, at);
    hn::Store(sums.time, d, at + slab_samples);
    hn::Store(sums.direction, d, at + 2 * slab_samples);
    hn::Store(sums.direction2, d, at + 3 * slab_samples);
  };
  store(walk.up, growth_up);
  store(walk.sum_of_up, sum_up);
  store(walk.logs, log_sum);
  store(walk.brownian, brownian);
  if constexpr (antithetic) {
    store(walk.down, growth_down);
    store(walk.sum_of_down, sum_down);
  }
  if constexpr (greeks) {
    store_greeks(walk.greeks_up, brownian_up);
    if constexpr (antithetic) store_greeks(walk.greeks_down, brownian_down);
  }
  if constexpr (greeks && sizeof(T) == sizeof(double)) {
    store(walk.vega, vega_end);
    store(walk.vega_logs, vega_logs);
    store(walk.greeks_up.volatility, vega_up);
    if constexpr (antithetic) store(walk.greeks_down.volatility, vega_down);
  }
}

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_PATH_WALK_INL_HPP
