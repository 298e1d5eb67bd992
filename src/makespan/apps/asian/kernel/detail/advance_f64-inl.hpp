// SPDX-License-Identifier: Apache-2.0
// Takes a group of paths over its steps in double precision.

#if defined(MAKESPAN_ASIAN_ADVANCE_F64_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_ADVANCE_F64_INL_HPP
#undef MAKESPAN_ASIAN_ADVANCE_F64_INL_HPP
#else
#define MAKESPAN_ASIAN_ADVANCE_F64_INL_HPP
#endif

#include "makespan/apps/asian/kernel/path_group-inl.hpp"
#include "makespan/simd/math-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

// The steps of one vector of paths: S = e^(log_growth + sigma B), which neither over- nor
// underflows before S does.
template <bool antithetic>
void AdvanceF64(PathJob const& job, StepRange steps, double const* tile, int path, double* values) {
  hn::F64 const d;
  auto const load = [&](Functional f) { return hn::Load(d, At(values, f, path)); };
  auto const store = [&](hn::Vec<hn::F64> x, Functional f) {
    hn::Store(x, d, At(values, f, path));
  };
  auto const sigma = hn::Set(d, job.tables.volatility);
  auto b = load(brownian);
  auto logs = load(log_sum);
  auto c = job.greeks ? load(vega_end) : hn::Zero(d);
  auto c_logs = job.greeks ? load(vega_logs) : hn::Zero(d);
  for (int i = steps.begin; i < steps.end; ++i) {
    StepF64 const& step = job.tables.steps_f64[static_cast<std::size_t>(i)];
    auto const z = hn::Load(d, tile);
    b = hn::MulAdd(hn::Set(d, step.root_dt), z, b);
    logs = hn::MulAdd(hn::Set(d, step.log_weight), z, logs);
    c = hn::MulAdd(hn::Set(d, step.vega_root), z, c);
    c_logs = hn::MulAdd(hn::Set(d, step.vega_log_weight), z, c_logs);
    auto const add = [&](hn::Vec<hn::F64> log_price, Functional growth, Functional sum,
                         Functional first, Functional vega) {
      auto const price = hn::Exp(d, log_price);
      auto const weighted = hn::Mul(hn::Set(d, step.weight), price);
      store(price, growth);
      store(hn::Add(load(sum), weighted), sum);
      if (!job.greeks) return;
      auto const at = [&](int k) { return static_cast<Functional>(first + k); };
      auto const towards = hn::Mul(hn::Set(d, step.direction), weighted);
      store(hn::MulAdd(weighted, c, load(at(0))), at(0));
      store(hn::MulAdd(hn::Set(d, step.time), weighted, load(at(1))), at(1));
      store(hn::Add(load(at(2)), towards), at(2));
      store(hn::MulAdd(hn::Set(d, step.direction), towards, load(at(3))), at(3));
      store(hn::MulAdd(hn::Set(d, step.volatility), weighted, load(vega)), vega);
    };
    add(hn::MulAdd(sigma, b, hn::Set(d, step.log_growth)), growth_up, sum_up, brownian_up, vega_up);
    if constexpr (antithetic) {
      add(hn::NegMulAdd(sigma, b, hn::Set(d, step.log_growth)), growth_down, sum_down,
          brownian_down, vega_down);
    }
    tile += group_f64;
  }
  store(b, brownian);
  store(logs, log_sum);
  if (!job.greeks) return;
  store(c, vega_end);
  store(c_logs, vega_logs);
}

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_ADVANCE_F64_INL_HPP
