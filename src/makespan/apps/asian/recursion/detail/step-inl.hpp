// SPDX-License-Identifier: Apache-2.0
// One step of the recursion: interpolation at points, convolution with the step's normal density,
// and the derivatives' sources.

#if defined(MAKESPAN_ASIAN_RECURSION_STEP_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_RECURSION_STEP_INL_HPP
#undef MAKESPAN_ASIAN_RECURSION_STEP_INL_HPP
#else
#define MAKESPAN_ASIAN_RECURSION_STEP_INL_HPP
#endif

#include "makespan/apps/asian/recursion/detail/lagrange_coefficients.hpp"
#include "makespan/apps/asian/recursion/detail/step.hpp"
#include "makespan/simd/math-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::recursion::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

using NodeValues = hn::Vec<hn::F64>;

// Weights of the twelve nodes around a point, `t` of a spacing after the sixth.
MAKESPAN_BODY void LagrangeWeights(NodeValues t, NodeValues (&weight)[interpolation_points]) {
  hn::F64 const d;
  constexpr int count = interpolation_points;
  constexpr int sixth = count / 2 - 1;
  NodeValues distance[count];
  MAKESPAN_UNROLL
  for (int j = 0; j < count; ++j)
    distance[j] = hn::Sub(t, hn::Set(d, static_cast<double>(j - sixth)));
  NodeValues after = hn::Set(d, 1.0);
  MAKESPAN_UNROLL
  for (int j = count - 1; j >= 0; --j) {
    weight[j] = hn::Mul(after, hn::Set(d, lagrange_scale[j]));
    after = hn::Mul(after, distance[j]);
  }
  NodeValues before = distance[0];
  MAKESPAN_UNROLL
  for (int j = 1; j < count; ++j) {
    weight[j] = hn::Mul(weight[j], before);
    before = hn::Mul(before, distance[j]);
  }
}

// U at a vector of points of one phase.
template <int tables>
MAKESPAN_BODY void InterpolateColumn(StepJob const& job, NodeValues z, double* to) {
  hn::F64 const d;
  constexpr int count = interpolation_points;
  constexpr int half = count / 2;
  auto const magic = hn::Set(d, 6755399441055744.0);  // 1.5 · 2^52: its low bits hold the integer
  auto const low = hn::Set(d, static_cast<double>(half - 1));
  auto const high = hn::Set(d, static_cast<double>(job.nodes - 1 - half));
  auto const strike = hn::Sub(hn::Exp(d, z), hn::Set(d, job.weight));
  // A strike of 0 or less is taken for 1e-300, which up to a deviation of 29 lies below all nodes:
  // there the line counts. Beyond, a step has a solution only where U is so large beside the weight
  // (phases_max in node_recursion.cpp) that all of the strike is below its last digit.
  auto const log_strike = hn::Log(d, hn::Max(strike, hn::Set(d, 1e-300)));
  auto const at =
      hn::Mul(hn::Sub(log_strike, hn::Set(d, job.later_first)), hn::Set(d, job.later_per_unit));
  auto const inside = hn::Min(hn::Max(at, low), high);
  auto const nearest = hn::Sub(hn::Add(inside, magic), magic);
  auto const node =
      hn::IfThenElse(hn::Gt(nearest, inside), hn::Sub(nearest, hn::Set(d, 1.0)), nearest);
  NodeValues weight[count];
  LagrangeWeights(hn::Sub(inside, node), weight);
  hn::U64 const du;
  auto const index = hn::Sub(hn::BitCast(du, hn::Add(node, magic)), hn::BitCast(du, magic));
  MAKESPAN_UNROLL
  for (int table = 0; table < tables; ++table) {
    double const* const first = job.later[table] - (count / 2 - 1);
    auto sum = hn::Mul(weight[0], hn::Gather(d, first, index));
    MAKESPAN_UNROLL
    for (int j = 1; j < count; ++j)
      sum = hn::MulAdd(weight[j], hn::Gather(d, first + j, index), sum);
    auto const line =
        hn::MulAdd(strike, hn::Set(d, job.line[table].slope), hn::Set(d, job.line[table].constant));
    sum = hn::IfThenElse(hn::Gt(low, at), line, sum);
    sum = hn::IfThenElse(hn::Gt(at, high), hn::Zero(d), sum);
    hn::Store(sum, d, to + static_cast<std::ptrdiff_t>(table) * job.phases * job.columns);
  }
}

template <int tables>
MAKESPAN_BODY void Interpolate(StepJob const& job) {
  hn::F64 const d;
  for (int phase = 0; phase < job.phases; ++phase) {
    double* const row = job.points + static_cast<std::ptrdiff_t>(phase) * job.columns;
    for (int column = 0; column < job.columns; column += hn::lanes_f64) {
      auto const number = hn::MulAdd(hn::Iota(d, static_cast<double>(column)),
                                     hn::Set(d, static_cast<double>(job.phases)),
                                     hn::Set(d, static_cast<double>(phase)));
      auto const z = hn::MulAdd(number, hn::Set(d, job.point_spacing), hn::Set(d, job.point_first));
      InterpolateColumn<tables>(job, z, row + column);
    }
  }
}

template <int tables>
MAKESPAN_BODY void Convolve(StepJob const& job) {
  hn::F64 const d;
  std::ptrdiff_t const of_table = static_cast<std::ptrdiff_t>(job.phases) * job.columns;
  for (int node = 0; node < job.nodes; node += hn::lanes_f64) {
    double const* const points = job.points + node;
    NodeValues sum[tables];
    MAKESPAN_UNROLL
    for (int table = 0; table < tables; ++table) {
      sum[table] = hn::Mul(hn::Set(d, job.convolution[0].weight),
                           hn::LoadU(d, points + table * of_table + job.convolution[0].after));
    }
    for (int j = 1; j <= job.radius; ++j) {
      SidePoints const& side = job.convolution[j];
      MAKESPAN_UNROLL
      for (int table = 0; table < tables; ++table) {
        double const* const of_side = points + table * of_table;
        auto const pair =
            hn::Add(hn::LoadU(d, of_side + side.after), hn::LoadU(d, of_side + side.before));
        sum[table] = hn::MulAdd(hn::Set(d, side.weight), pair, sum[table]);
      }
    }
    MAKESPAN_UNROLL
    for (int table = 0; table < tables; ++table) hn::Store(sum[table], d, job.now[table] + node);
  }
}

// What the step itself adds to the derivatives of u: to the volatility vega_rate (u'' - u'), to the
// drift drift_rate (u - u'), derivatives in z. On the outermost nodes u is its line, or 0.
MAKESPAN_BODY void AddSources(StepJob const& job) {
  hn::F64 const d;
  double const* const u = job.now[value_table];
  double* const vega = job.now[vega_table];
  double* const drift = job.now[drift_table];
  auto const first_scale = hn::Set(d, job.per_unit);
  auto const second_scale = hn::Set(d, job.per_unit * job.per_unit);
  // There nodes lack neighbours. On its line, forward - e^z, u - u' is the forward and u'' - u' is
  // 0: drift_on_line is all that comes in.
  double kept_vega[2 * derivative_radius];
  double kept_drift[2 * derivative_radius];
  for (int i = 0; i < derivative_radius; ++i) {
    int const last = job.nodes - derivative_radius + i;
    kept_vega[i] = vega[i];
    kept_drift[i] = drift[i] + job.drift_on_line;
    kept_vega[derivative_radius + i] = vega[last];
    kept_drift[derivative_radius + i] = drift[last];
  }
  for (int node = 0; node < job.nodes; node += hn::lanes_f64) {
    auto const here = hn::Load(d, u + node);
    auto first = hn::Zero(d);
    auto second = hn::Mul(hn::Set(d, second_derivative[0]), here);
    MAKESPAN_UNROLL
    for (int j = 1; j <= derivative_radius; ++j) {
      auto const after = hn::LoadU(d, u + node + j);
      auto const before = hn::LoadU(d, u + node - j);
      first = hn::MulAdd(hn::Set(d, first_derivative[j]), hn::Sub(after, before), first);
      second = hn::MulAdd(hn::Set(d, second_derivative[j]), hn::Add(after, before), second);
    }
    first = hn::Mul(first, first_scale);
    auto const curvature = hn::Sub(hn::Mul(second, second_scale), first);
    hn::Store(hn::MulAdd(hn::Set(d, job.vega_rate), curvature, hn::Load(d, vega + node)), d,
              vega + node);
    hn::Store(
        hn::MulAdd(hn::Set(d, job.drift_rate), hn::Sub(here, first), hn::Load(d, drift + node)), d,
        drift + node);
  }
  for (int i = 0; i < derivative_radius; ++i) {
    int const last = job.nodes - derivative_radius + i;
    vega[i] = kept_vega[i];
    drift[i] = kept_drift[i];
    vega[last] = kept_vega[derivative_radius + i];
    drift[last] = kept_drift[derivative_radius + i];
  }
}

template <int tables>
void StepTables(StepJob const& job) {
  Interpolate<tables>(job);
  Convolve<tables>(job);
  if constexpr (tables > drift_table) AddSources(job);
}

inline void TakeStep(StepJob const& job) {
  switch (job.tables) {
    case 1:
      return StepTables<1>(job);
    case 3:
      return StepTables<3>(job);
    default:
      return StepTables<table_count>(job);
  }
}

}  // namespace makespan::asian::recursion::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_RECURSION_STEP_INL_HPP
