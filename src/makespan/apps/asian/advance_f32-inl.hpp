// SPDX-License-Identifier: Apache-2.0
// Takes a group of paths over its steps in single precision.
//
// It works with M, the price over its deterministic growth e^(drift t), as M += M · expm1(sigma dB): a martingale whatever the
// rounding of the growth, which is why the product form S *= e^(mu dt) · (...) is not used: its constant, rounded once, is
// multiplied in at every step and biases an N = 365 price by 7e-4 (docs/explanation/kernels.md).

#if defined(MAKESPAN_ASIAN_ADVANCE_F32_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_ADVANCE_F32_INL_HPP
#undef MAKESPAN_ASIAN_ADVANCE_F32_INL_HPP
#else
#define MAKESPAN_ASIAN_ADVANCE_F32_INL_HPP
#endif

#include "makespan/apps/asian/path_group-inl.hpp"
#include "makespan/simd/math-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

// The growth M -> M_up, M_down over one step for the normal z.
template <Growth growth, bool antithetic>
MAKESPAN_BODY void Grow(StepF32 const& step, hn::Vec<hn::F32> z, hn::Vec<hn::F32>& up, hn::Vec<hn::F32>& down) {
  hn::F32 const d;
  auto const c = [&](int i) { return hn::Set(d, step.growth[i]); };
  if constexpr (growth == Growth::exponential) {
    auto const x = hn::Mul(c(0), z);
    up = hn::Mul(up, hn::Exp(d, x));
    if constexpr (antithetic) down = hn::Mul(down, hn::Exp(d, hn::Sub(hn::Zero(d), x)));
  } else if constexpr (antithetic) {
    // Odd and even powers apart: the twin's expm1 is their difference with the sign turned.
    auto const z2 = hn::Mul(z, z);
    auto odd = c(2);
    auto even = c(3);
    if constexpr (growth == Growth::degree_6) {
      odd = hn::MulAdd(c(4), z2, odd);
      even = hn::MulAdd(c(5), z2, even);
    }
    odd = hn::Mul(hn::MulAdd(odd, z2, c(0)), z);
    even = hn::Mul(hn::MulAdd(even, z2, c(1)), z2);
    up = hn::MulAdd(up, hn::Add(even, odd), up);
    down = hn::MulAdd(down, hn::Sub(even, odd), down);
  } else {
    auto q = c(3);
    if constexpr (growth == Growth::degree_6) q = hn::MulAdd(hn::MulAdd(c(5), z, c(4)), z, q);
    q = hn::MulAdd(hn::MulAdd(hn::MulAdd(q, z, c(2)), z, c(1)), z, c(0));
    up = hn::MulAdd(up, hn::Mul(q, z), up);
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
MAKESPAN_BODY void StoreGreekSums(GreekSums const& sums, float* values, Functional first, int path) {
  hn::F32 const d;
  float* const at = values + first * slab_samples + path;
  hn::Store(sums.brownian, d, at);
  hn::Store(sums.time, d, at + slab_samples);
  hn::Store(sums.direction, d, at + 2 * slab_samples);
  hn::Store(sums.direction2, d, at + 3 * slab_samples);
}

// Steps [begin, end) of one group, prices only: all vectors of the group in flight.
template <Growth growth, bool antithetic>
void AdvancePrices(PathTables const& tables, int begin, int end, float const* tile, int path, float* values) {
  hn::F32 const d;
  hn::Vec<hn::F32> up[group_vectors];
  hn::Vec<hn::F32> down[group_vectors];
  hn::Vec<hn::F32> sum_of_up[group_vectors];
  hn::Vec<hn::F32> sum_of_down[group_vectors];
  hn::Vec<hn::F32> logs[group_vectors];
  MAKESPAN_UNROLL
  for (int v = 0; v < group_vectors; ++v) {
    int const at = path + v * hn::lanes_f32;
    up[v] = hn::Load(d, At(values, growth_up, at));
    sum_of_up[v] = hn::Load(d, At(values, sum_up, at));
    logs[v] = hn::Load(d, At(values, log_sum, at));
    down[v] = antithetic ? hn::Load(d, At(values, growth_down, at)) : hn::Zero(d);
    sum_of_down[v] = antithetic ? hn::Load(d, At(values, sum_down, at)) : hn::Zero(d);
  }
  for (int i = begin; i < end; ++i) {
    StepF32 const& step = tables.steps_f32[static_cast<std::size_t>(i)];
    MAKESPAN_UNROLL
    for (int v = 0; v < group_vectors; ++v) {
      auto const z = hn::Load(d, tile + v * hn::lanes_f32);
      Grow<growth, antithetic>(step, z, up[v], down[v]);
      sum_of_up[v] = hn::MulAdd(hn::Set(d, step.spot_growth), up[v], sum_of_up[v]);
      if constexpr (antithetic) {
        sum_of_down[v] = hn::MulAdd(hn::Set(d, step.spot_growth), down[v], sum_of_down[v]);
      }
      logs[v] = hn::MulAdd(hn::Set(d, step.log_weight), z, logs[v]);
    }
    tile += group_f32;
  }
  MAKESPAN_UNROLL
  for (int v = 0; v < group_vectors; ++v) {
    int const at = path + v * hn::lanes_f32;
    hn::Store(up[v], d, At(values, growth_up, at));
    hn::Store(sum_of_up[v], d, At(values, sum_up, at));
    hn::Store(logs[v], d, At(values, log_sum, at));
    if constexpr (antithetic) {
      hn::Store(down[v], d, At(values, growth_down, at));
      hn::Store(sum_of_down[v], d, At(values, sum_down, at));
    }
  }
}

// Steps [begin, end) of one vector of paths with the sums that Greeks need. Prices come out with the same bits as above.
template <Growth growth, bool antithetic>
void AdvanceGreeks(PathTables const& tables, int begin, int end, float const* tile, int path, float* values) {
  hn::F32 const d;
  auto up = hn::Load(d, At(values, growth_up, path));
  auto sum_of_up = hn::Load(d, At(values, sum_up, path));
  auto logs = hn::Load(d, At(values, log_sum, path));
  auto down = antithetic ? hn::Load(d, At(values, growth_down, path)) : hn::Zero(d);
  auto sum_of_down = antithetic ? hn::Load(d, At(values, sum_down, path)) : hn::Zero(d);
  auto b = hn::Load(d, At(values, brownian, path));
  GreekSums sums_up = LoadGreekSums(values, brownian_up, path);
  GreekSums sums_down = LoadGreekSums(values, brownian_down, path);
  for (int i = begin; i < end; ++i) {
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

template <Growth growth, bool antithetic>
void AdvanceGroup(PathJob const& job, int begin, int end, float const* tile, int path, float* values) {
  if (!job.greeks) return AdvancePrices<growth, antithetic>(job.tables, begin, end, tile, path, values);
  for (int v = 0; v < group_vectors; ++v) {
    AdvanceGreeks<growth, antithetic>(job.tables, begin, end, tile + v * hn::lanes_f32, path + v * hn::lanes_f32, values);
  }
}

using AdvanceF32 = void (*)(PathJob const&, int, int, float const*, int, float*);

inline AdvanceF32 SelectAdvance(PathJob const& job) {
  switch (job.tables.growth) {
    case Growth::degree_4:
      return job.antithetic ? AdvanceGroup<Growth::degree_4, true> : AdvanceGroup<Growth::degree_4, false>;
    case Growth::degree_6:
      return job.antithetic ? AdvanceGroup<Growth::degree_6, true> : AdvanceGroup<Growth::degree_6, false>;
    case Growth::exponential: break;
  }
  return job.antithetic ? AdvanceGroup<Growth::exponential, true> : AdvanceGroup<Growth::exponential, false>;
}

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_ADVANCE_F32_INL_HPP
