// SPDX-License-Identifier: Apache-2.0
// Takes a group of paths over its steps in single precision.
//
// It works with M = e^(sigma B) as M += M · q(z), q(z) = expm1 of the step's increment, so that the
// constant that is rounded once and multiplied in at every step is 1. The product form S *= e^(mu
// dt) · (...) is biased by 7e-4 on an N = 365 price (docs/explanation/kernels.md).
#if defined(MAKESPAN_ASIAN_ADVANCE_F32_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_ADVANCE_F32_INL_HPP
#undef MAKESPAN_ASIAN_ADVANCE_F32_INL_HPP
#else
#define MAKESPAN_ASIAN_ADVANCE_F32_INL_HPP
#endif

#include "makespan/apps/asian/kernel/path_group-inl.hpp"
#include "makespan/simd/math-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

// Which functionals a pass leaves.
enum class Pass { prices, prices_and_logs, antithetic };

template <Growth growth>
inline constexpr int growth_degree = growth == Growth::degree_3   ? 3
                                     : growth == Growth::degree_4 ? 4
                                                                  : 6;

// Coefficients first, first + 2, … of q, as a polynomial of z2.
template <int first, int last>
MAKESPAN_BODY hn::Vec<hn::F32> EveryOther(StepF32 const& step, hn::Vec<hn::F32> z2) {
  hn::F32 const d;
  constexpr int top = last - (last - first) % 2;
  auto sum = hn::Set(d, step.growth[top]);
  MAKESPAN_UNROLL
  for (int k = top - 2; k >= first; k -= 2) sum = hn::MulAdd(sum, z2, hn::Set(d, step.growth[k]));
  return sum;
}

// The growth M -> M_up, M_down over one step for the normal z.
template <Growth growth, bool antithetic>
MAKESPAN_BODY void Grow(StepF32 const& step, hn::Vec<hn::F32> z, hn::Vec<hn::F32>& up,
                        hn::Vec<hn::F32>& down) {
  hn::F32 const d;
  if constexpr (growth == Growth::exponential) {
    auto const x = hn::Mul(hn::Set(d, step.growth[0]), z);
    up = hn::Mul(up, hn::Exp(d, x));
    if constexpr (antithetic) down = hn::Mul(down, hn::Exp(d, hn::Sub(hn::Zero(d), x)));
  } else if constexpr (antithetic) {
    // Odd and even powers apart: the twin's q is their difference with the sign turned.
    auto const z2 = hn::Mul(z, z);
    auto const odd = hn::Mul(EveryOther<1, growth_degree<growth>>(step, z2), z);
    auto const even = EveryOther<0, growth_degree<growth>>(step, z2);
    up = hn::MulAdd(up, hn::Add(even, odd), up);
    down = hn::MulAdd(down, hn::Sub(even, odd), down);
  } else {
    auto q = hn::Set(d, step.growth[growth_degree<growth>]);
    MAKESPAN_UNROLL
    for (int k = growth_degree<growth> - 1; k >= 0; --k)
      q = hn::MulAdd(q, z, hn::Set(d, step.growth[k]));
    up = hn::MulAdd(up, q, up);
  }
}

// The sums of one path that only Greeks need.
struct GreekSums {
  hn::Vec<hn::F32> brownian;
  hn::Vec<hn::F32> time;
  hn::Vec<hn::F32> direction;
  hn::Vec<hn::F32> direction2;
};

MAKESPAN_BODY void AddGreekSums(StepF32 const& step, GreekStepF32 const& greek, hn::Vec<hn::F32> m,
                                hn::Vec<hn::F32> brownian, GreekSums& sums) {
  hn::F32 const d;
  sums.brownian = hn::MulAdd(hn::Mul(hn::Set(d, step.spot_growth), m), brownian, sums.brownian);
  sums.time = hn::MulAdd(hn::Set(d, greek.time_growth), m, sums.time);
  sums.direction = hn::MulAdd(hn::Set(d, greek.direction_growth), m, sums.direction);
  sums.direction2 = hn::MulAdd(hn::Set(d, greek.direction2_growth), m, sums.direction2);
}

MAKESPAN_BODY GreekSums LoadGreekSums(float const* values, Functional first, int path) {
  hn::F32 const d;
  auto const at = [&](int i) { return hn::Load(d, values + (first + i) * slab_samples + path); };
  return {at(0), at(1), at(2), at(3)};
}
MAKESPAN_BODY void StoreGreekSums(GreekSums const& sums, float* values, Functional first,
                                  int path) {
  hn::F32 const d;
  float* const at = values + first * slab_samples + path;
  hn::Store(sums.brownian, d, at);
  hn::Store(sums.time, d, at + slab_samples);
  hn::Store(sums.direction, d, at + 2 * slab_samples);
  hn::Store(sums.direction2, d, at + 3 * slab_samples);
}

// The steps of one group, prices only: all vectors of the group in flight.
template <Growth growth, Pass pass>
void AdvancePrices(PathTables const& tables, StepRange steps, float const* tile, int path,
                   float* values) {
  constexpr bool antithetic = pass == Pass::antithetic;
  constexpr bool with_logs = pass != Pass::prices;
  hn::F32 const d;
  hn::Vec<hn::F32> up[group_vectors];
  hn::Vec<hn::F32> down[group_vectors];
  hn::Vec<hn::F32> sum_of_up[group_vectors];
  hn::Vec<hn::F32> sum_of_down[group_vectors];
  hn::Vec<hn::F32> logs[group_vectors];
  auto const load = [&](Functional f, int v) {
    return hn::Load(d, At(values, f, path + v * hn::lanes_f32));
  };
  auto const store = [&](hn::Vec<hn::F32> x, Functional f, int v) {
    hn::Store(x, d, At(values, f, path + v * hn::lanes_f32));
  };
  MAKESPAN_UNROLL
  for (int v = 0; v < group_vectors; ++v) {
    up[v] = load(growth_up, v);
    sum_of_up[v] = load(sum_up, v);
    if constexpr (with_logs) logs[v] = load(log_sum, v);
    down[v] = antithetic ? load(growth_down, v) : hn::Zero(d);
    if constexpr (antithetic) sum_of_down[v] = load(sum_down, v);
  }
  for (int i = steps.begin; i < steps.end; ++i) {
    StepF32 const& step = tables.steps_f32[static_cast<std::size_t>(i)];
    MAKESPAN_UNROLL
    for (int v = 0; v < group_vectors; ++v) {
      auto const z = hn::Load(d, tile + v * hn::lanes_f32);
      Grow<growth, antithetic>(step, z, up[v], down[v]);
      sum_of_up[v] = hn::MulAdd(hn::Set(d, step.spot_growth), up[v], sum_of_up[v]);
      if constexpr (antithetic) {
        sum_of_down[v] = hn::MulAdd(hn::Set(d, step.spot_growth), down[v], sum_of_down[v]);
      }
      if constexpr (with_logs) logs[v] = hn::MulAdd(hn::Set(d, step.log_weight), z, logs[v]);
    }
    tile += group_f32;
  }
  MAKESPAN_UNROLL
  for (int v = 0; v < group_vectors; ++v) {
    store(up[v], growth_up, v);
    store(sum_of_up[v], sum_up, v);
    if constexpr (with_logs) store(logs[v], log_sum, v);
    if constexpr (antithetic) {
      store(down[v], growth_down, v);
      store(sum_of_down[v], sum_down, v);
    }
  }
}

// The steps of one vector of paths with the sums that Greeks need. Prices come out with the same
// bits as above.
template <Growth growth, bool antithetic>
void AdvanceGreeks(PathTables const& tables, StepRange steps, float const* tile, int path,
                   float* values) {
  hn::F32 const d;
  auto up = hn::Load(d, At(values, growth_up, path));
  auto sum_of_up = hn::Load(d, At(values, sum_up, path));
  auto logs = hn::Load(d, At(values, log_sum, path));
  auto down = antithetic ? hn::Load(d, At(values, growth_down, path)) : hn::Zero(d);
  auto sum_of_down = antithetic ? hn::Load(d, At(values, sum_down, path)) : hn::Zero(d);
  auto b = hn::Load(d, At(values, brownian, path));
  GreekSums sums_up = LoadGreekSums(values, brownian_up, path);
  GreekSums sums_down = LoadGreekSums(values, brownian_down, path);
  for (int i = steps.begin; i < steps.end; ++i) {
    StepF32 const& step = tables.steps_f32[static_cast<std::size_t>(i)];
    GreekStepF32 const& greek = tables.greeks_f32[static_cast<std::size_t>(i)];
    auto const z = hn::Load(d, tile);
    Grow<growth, antithetic>(step, z, up, down);
    sum_of_up = hn::MulAdd(hn::Set(d, step.spot_growth), up, sum_of_up);
    logs = hn::MulAdd(hn::Set(d, step.log_weight), z, logs);
    b = hn::MulAdd(hn::Set(d, greek.root_dt), z, b);
    AddGreekSums(step, greek, up, b, sums_up);
    if constexpr (antithetic) {
      sum_of_down = hn::MulAdd(hn::Set(d, step.spot_growth), down, sum_of_down);
      AddGreekSums(step, greek, down, b, sums_down);
    }
    tile += group_f32;
  }
  hn::Store(up, d, At(values, growth_up, path));
  hn::Store(sum_of_up, d, At(values, sum_up, path));
  hn::Store(logs, d, At(values, log_sum, path));
  hn::Store(b, d, At(values, brownian, path));
  StoreGreekSums(sums_up, values, brownian_up, path);
  if constexpr (antithetic) {
    hn::Store(down, d, At(values, growth_down, path));
    hn::Store(sum_of_down, d, At(values, sum_down, path));
    StoreGreekSums(sums_down, values, brownian_down, path);
  }
}

using AdvanceF32 = void (*)(PathJob const&, StepRange, float const*, int, float*);

template <Growth growth, Pass pass>
void AdvanceGroup(PathJob const& job, StepRange steps, float const* tile, int path, float* values) {
  if (!job.greeks) return AdvancePrices<growth, pass>(job.tables, steps, tile, path, values);
  // Vector by vector: with Greeks a path and its twin keep 14 numbers, and those of two vectors
  // would fill nearly all of 32 registers.
  for (int v = 0; v < group_vectors; ++v) {
    int const at = v * hn::lanes_f32;
    AdvanceGreeks<growth, pass == Pass::antithetic>(job.tables, steps, tile + at, path + at,
                                                    values);
  }
}

template <Growth growth>
AdvanceF32 SelectPass(PathJob const& job) {
  if (job.antithetic) return AdvanceGroup<growth, Pass::antithetic>;
  return job.logs ? AdvanceGroup<growth, Pass::prices_and_logs>
                  : AdvanceGroup<growth, Pass::prices>;
}

inline AdvanceF32 SelectAdvance(PathJob const& job) {
  switch (job.tables.growth) {
    case Growth::degree_3:
      return SelectPass<Growth::degree_3>(job);
    case Growth::degree_4:
      return SelectPass<Growth::degree_4>(job);
    case Growth::degree_6:
      return SelectPass<Growth::degree_6>(job);
    case Growth::exponential:
      break;
  }
  return SelectPass<Growth::exponential>(job);
}

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_ADVANCE_F32_INL_HPP
