// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/recursion/detail/node_recursion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <span>

#include "makespan/apps/asian/recursion/detail/lagrange_coefficients.hpp"
#include "makespan/simd/portable_math.hpp"

namespace makespan::asian::recursion {

namespace {

// Spacings below which a normal density, and the function under it, must not be narrow for the
// trapezoidal rule: its error is e^(-2 pi^2 1.2^2), 5e-13.
constexpr double trapezoidal_width = 1.2;
// Spacings that a function must be wide for a polynomial through eleven points to follow it.
constexpr double polynomial_width = 3;
// Points for each node, at most: a day after a century takes 200.
constexpr double phases_max = 512;
// What points may miss in all before nothing is known of a sum.
constexpr double missed_max = 1e-4;

constexpr int values_before_first = node_multiple;

int rounded_up(int count) {
  return (count + node_multiple - 1) / node_multiple * node_multiple;
}

int tables_for(Derivatives derivatives) {
  switch (derivatives) {
    case Derivatives::none:
      return 1;
    case Derivatives::volatility_and_drift:
      return drift_table + 1;
    case Derivatives::last_weight_too:
      break;
  }
  return table_count;
}

// What is left, as a function of its strike where the present price is added to it. At k deviations
// below its mean it is
//
//   width_k = deviation / (1 + weight e^(k deviation) / mean)
//
// wide in z, narrower the lower, and differs from its line by a put that is less than
// e^(-k deviation) Phi(-(k - deviation / 2)) of the mean (Black's formula): less than
// e^(-digits_k).
class LeftShape {
 public:
  LeftShape(RemainingSum const& rest, double weight) {
    double const deviation = rest.deviation;
    double const growth = simd::portable_exp(between * deviation);
    double weight_beside = weight / rest.forward;
    for (int i = 0; i < points; ++i, weight_beside *= growth) {
      double const k = between * i;
      double const upper = k - 0.5 * deviation;
      // Phi(-a) < e^(-a^2 / 2) / 2 from 0 on.
      double const tail = upper > 0 ? 0.5 * upper * upper + std::numbers::ln2 : 0;
      digits_[static_cast<std::size_t>(i)] = k * deviation + tail;
      width_[static_cast<std::size_t>(i)] = deviation / (1 + weight_beside);
    }
  }

  // No width_k is less.
  static double least_width(RemainingSum const& rest, double weight) {
    double const last = between * (points - 1) * rest.deviation;
    return rest.deviation / (1 + weight / rest.forward * simd::portable_exp(last));
  }

  // Points that lie apart by this over trapezoidal_width miss at most e^(-digits) of the mean: at k
  // the rule's error is e^(-2 pi^2 (width_k / spacing)^2) of the put.
  [[nodiscard]] double width_for(double digits) const {
    double width = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < points; ++i) {
      double const left = (digits - digits_[i]) / trapezoidal_digits;
      if (left > 0) width = std::min(width, width_[i] / std::sqrt(left));
    }
    return width;
  }
  // The narrowest width that polynomials have to follow. Their error goes with the twelfth power of
  // spacing over width, so that below three deviations a width counts for more by the twelfth root
  // of what the put has lost there.
  [[nodiscard]] double narrowest() const {
    constexpr std::size_t third = 6;
    double width = std::numeric_limits<double>::infinity();
    for (std::size_t i = third; i < points; ++i) {
      double const lost = (digits_[i] - digits_[third]) / 12;
      width = std::min(width, width_[i] * simd::portable_exp(lost));
    }
    return width;
  }
  // What the rule misses at this spacing, of the mean.
  [[nodiscard]] double missed_at(double spacing) const {
    double missed = 0;
    for (std::size_t i = 0; i < points; ++i) {
      double const in_spacings = width_[i] / spacing;
      double const digits =
          digits_[i] + 2 * std::numbers::pi * std::numbers::pi * in_spacings * in_spacings;
      missed = std::max(missed, simd::portable_exp(-digits));
    }
    return missed;
  }

 private:
  static constexpr double between = 0.5;
  static constexpr int points = 17;
  static constexpr double trapezoidal_digits =
      2 * std::numbers::pi * std::numbers::pi * trapezoidal_width * trapezoidal_width;

  std::array<double, points> digits_{};
  std::array<double, points> width_{};
};

// Points for each node, 0 where there would be too many: as many as show the function to
// e^(-digits); more if neither rule of weigh_points() holds on these, until the cheaper one does.
int phases_for(LeftShape const& shape, double width, double spacing, double deviation) {
  double const resolved = std::max(1.0, std::ceil(trapezoidal_width * spacing / width));
  auto const is_wide = [&](double phases) {
    return deviation * phases >= trapezoidal_width * spacing;
  };
  double phases = resolved;
  if (!is_wide(resolved)) {
    double const smooth = std::ceil(polynomial_width * spacing / shape.narrowest());
    if (smooth > resolved) {
      phases = std::min(std::ceil(trapezoidal_width * spacing / deviation), smooth);
    }
  }
  // With fewer the trapezoidal rule misses more, which is known; the other would miss anything.
  if (phases > phases_max) phases = is_wide(phases_max) ? phases_max : 0;
  return static_cast<int>(phases);
}

// Black's formula and its derivatives at one strike.
struct LastStep {
  double forward;
  double deviation;
  double vega_rate;
  double drift_rate;
  double growth;  // forward over the last weight

  [[nodiscard]] std::array<double, table_count> at(double strike, double upper, double cdf_upper,
                                                   double cdf_lower) const {
    double const density = simd::normal_density(upper);
    return {forward * cdf_upper - strike * cdf_lower, forward * density * vega_rate / deviation,
            drift_rate * forward * cdf_upper, growth * cdf_upper,
            growth * growth * density / (forward * deviation)};
  }
};

}  // namespace

NodeRecursion::NodeRecursion(asian::Kernels const& kernels)
    : kernels_{kernels}, step_kernels_{Kernels::named(kernels.isa)} {
}

double* NodeRecursion::function(int set, int number) {
  int const stride = nodes_ + 2 * values_before_first;
  int const index = set * table_count + number;
  return functions_.data() + std::ptrdiff_t{index} * stride + values_before_first;
}

NodeRecursion::Grid NodeRecursion::grid_before(Problem const& problem, std::size_t step) const {
  StrikeRange const range = problem.ranges.range(step, problem.deviations);
  double const spacing = (range.high - range.low) / (problem.nodes - 1);
  return {range.low - margin_nodes * spacing, spacing};
}

void NodeRecursion::begin(Problem const& problem, Grid const& grid) {
  SumLaw const& law = problem.law;
  std::size_t const last = law.steps() - 1;
  double const deviation = std::sqrt(law.variance[last]);
  double const forward = problem.sums[last].forward;
  LastStep const step{forward, deviation, law.vega_rate[last], law.drift_rate[last],
                      forward / law.weight[last]};
  auto const count = static_cast<std::size_t>(nodes_);
  for (auto& work : work_) work.resize(count);
  auto& [strike, upper, cdf] = work_;
  double const log_forward = simd::portable_log(forward);
  // Black's d1 and d2; strikes are still their logarithms.
  for (std::size_t i = 0; i < count; ++i) {
    strike[i] = grid.first + grid.spacing * static_cast<double>(i);
    upper[i] = (log_forward - strike[i]) / deviation + 0.5 * deviation;
    cdf[i] = upper[i] - deviation;
  }
  kernels_.exp_all(strike, strike.data());
  kernels_.normal_cdf_all(cdf, cdf.data());
  // Work space that no step needs yet.
  std::vector<double>& upper_cdf = weights_;
  upper_cdf.resize(count);
  kernels_.normal_cdf_all(upper, upper_cdf.data());
  for (std::size_t i = 0; i < count; ++i) {
    auto const values = step.at(strike[i], upper[i], upper_cdf[i], cdf[i]);
    for (int table = 0; table < tables_; ++table)
      function(0, table)[i] = values[static_cast<std::size_t>(table)];
  }
}

void NodeRecursion::weigh_points(Problem const& problem, std::size_t step, double spacing) {
  double const growth = simd::portable_exp(problem.law.growth[step]);
  double const variance = problem.law.variance[step];
  double const deviation = std::sqrt(variance);
  if (deviation >= trapezoidal_width * spacing) {
    double const reach = (problem.deviations + 0.5) * deviation / spacing;
    weights_.resize(static_cast<std::size_t>(std::ceil(reach)) + 1);
    double const scale = spacing / deviation;
    for (std::size_t j = 0; j < weights_.size(); ++j) {
      double const distance = scale * static_cast<double>(j);
      weights_[j] = -0.5 * distance * distance;
    }
    kernels_.exp_all(weights_, weights_.data());
    // Their sum is the density's to 5e-13 only; divided by it, constants come through exactly.
    double sum = weights_[0];
    for (std::size_t j = 1; j < weights_.size(); ++j) sum += 2 * weights_[j];
    for (double& weight : weights_) weight *= growth / sum;
    return;
  }
  weights_.resize(derivative_radius + 1);
  double const in_spacings = variance / (spacing * spacing);
  for (std::size_t j = 0; j < weights_.size(); ++j) {
    double weight = 0;
    for (int power = derivative_radius; power >= 0; --power)
      weight = weight * in_spacings + heat_weights[j][power];
    weights_[j] = growth * weight;
  }
}

void NodeRecursion::place_points(int phases, int columns) {
  auto const radius = static_cast<int>(weights_.size()) - 1;
  // Of successive nodes, which a vector holds, the points of one phase lie side by side.
  auto const place = [&](int point) { return point % phases * columns + point / phases; };
  convolution_.resize(weights_.size());
  for (int j = 0; j <= radius; ++j) {
    convolution_[static_cast<std::size_t>(j)] = {weights_[static_cast<std::size_t>(j)],
                                                 place(radius + j), place(radius - j)};
  }
}

int NodeRecursion::phases_of_step(Problem const& problem, std::size_t step, double spacing) {
  RemainingSum const& rest = problem.sums[step + 1];
  double const weight = problem.law.weight[step];
  double const deviation = std::sqrt(problem.law.variance[step]);
  // Most steps are of a shape that is wide everywhere.
  if (LeftShape::least_width(rest, weight) >= polynomial_width * spacing) return 1;
  LeftShape const shape(rest, weight);
  double const width = shape.width_for(-simd::portable_log(problem.hidden_part));
  int const phases = phases_for(shape, width, spacing, deviation);
  if (phases == 0) return 0;
  double const apart = spacing / phases;
  // Of a shape that is wide for its points nothing is missed.
  bool const is_tight = width < 1.4 * trapezoidal_width * apart;
  if (is_tight && deviation >= trapezoidal_width * apart) missed_ += shape.missed_at(apart);
  return missed_ > missed_max ? 0 : phases;
}

bool NodeRecursion::step_back(Problem const& problem, std::size_t step, Grid const& later,
                              Grid const& now) {
  SumLaw const& law = problem.law;
  RemainingSum const& rest = problem.sums[step + 1];
  double const weight = law.weight[step];
  int const phases = phases_of_step(problem, step, now.spacing);
  if (phases == 0) return false;
  double const spacing = now.spacing / phases;
  weigh_points(problem, step, spacing);
  int const radius = static_cast<int>(weights_.size()) - 1;
  int const columns = rounded_up(nodes_ + 2 * radius / phases + 1);
  place_points(phases, columns);
  std::size_t const points = static_cast<std::size_t>(tables_) * static_cast<std::size_t>(phases) *
                             static_cast<std::size_t>(columns);
  // The set that the step before has not written; begin() wrote set 0.
  auto const set = static_cast<int>((law.steps() - 1 - step) % 2);
  StepJob job{
      .tables = tables_,
      .nodes = nodes_,
      .later = {},
      .line = {{{rest.forward, -1}, {0, 0}, {rest.by_drift, 0}, {rest.by_last_weight, 0}, {0, 0}}},
      .later_first = later.first,
      .later_per_unit = 1 / later.spacing,
      .weight = weight,
      // X has its mean where prices are weighted by themselves, as u counts them (solver.hpp).
      .point_first = now.first - radius * spacing - law.growth[step] - 0.5 * law.variance[step],
      .point_spacing = spacing,
      .phases = phases,
      .columns = columns,
      .points = points_.reserve(points),
      .convolution = convolution_.data(),
      .radius = radius,
      .now = {},
      .per_unit = 1 / now.spacing,
      .vega_rate = law.vega_rate[step],
      .drift_rate = law.drift_rate[step],
      .drift_on_line = law.drift_rate[step] * problem.sums[step].forward};
  for (int table = 0; table < tables_; ++table) {
    job.later[static_cast<std::size_t>(table)] = function(1 - set, table);
    job.now[static_cast<std::size_t>(table)] = function(set, table);
  }
  step_kernels_.step(job);
  return true;
}

bool NodeRecursion::solve(Problem const& problem, Solution& solution) {
  tables_ = tables_for(problem.derivatives);
  missed_ = 0;
  nodes_ = rounded_up(problem.nodes + 2 * margin_nodes);
  auto const values = static_cast<std::size_t>(2 * table_count) *
                      static_cast<std::size_t>(nodes_ + 2 * values_before_first);
  // Kernels read before the first node and behind the last, where no step writes.
  std::fill_n(functions_.reserve(values), values, 0.0);
  std::size_t step = problem.law.steps() - 1;
  Grid grid = grid_before(problem, step);
  begin(problem, grid);
  while (step-- > 0) {
    Grid const earlier = grid_before(problem, step);
    if (!step_back(problem, step, grid, earlier)) return false;
    grid = earlier;
  }
  finish(problem, grid, solution);
  return true;
}

void NodeRecursion::finish(Problem const& problem, Grid const& grid, Solution& solution) {
  auto const set = static_cast<int>((problem.law.steps() - 1) % 2);
  solution.first = grid.first;
  solution.per_unit = 1 / grid.spacing;
  solution.nodes = nodes_;
  solution.sum = problem.sums.front();
  solution.missed = missed_;
  for (auto& values : solution.values) values.clear();
  auto const keep = [&](std::size_t quantity, int table) {
    double const* const from = function(set, table);
    solution.values[quantity].assign(from, from + nodes_);
  };
  keep(call_value, value_table);
  if (tables_ > drift_table) {
    keep(by_volatility, vega_table);
    keep(by_drift, drift_table);
  }
  if (tables_ > last_weight_table) {
    keep(by_last_weight, last_weight_table);
    keep(by_last_weight_twice, last_curvature_table);
  }
  // On the outermost nodes the call is its line, or 0.
  double const* const u = function(set, value_table);
  auto& first = solution.values[slope];
  auto& second = solution.values[curvature];
  first.assign(static_cast<std::size_t>(nodes_), 0);
  second.assign(static_cast<std::size_t>(nodes_), 0);
  for (int i = 0; i < derivative_radius; ++i)
    first[static_cast<std::size_t>(i)] = -simd::portable_exp(grid.first + grid.spacing * i);
  for (int i = derivative_radius; i < nodes_ - derivative_radius; ++i) {
    double slope_here = 0;
    double bend = second_derivative[0] * u[i];
    for (int j = 1; j <= derivative_radius; ++j) {
      slope_here += first_derivative[j] * (u[i + j] - u[i - j]);
      bend += second_derivative[j] * (u[i + j] + u[i - j]);
    }
    auto const node = static_cast<std::size_t>(i);
    first[node] = slope_here * solution.per_unit;
    second[node] = bend * solution.per_unit * solution.per_unit - first[node];
  }
}

}  // namespace makespan::asian::recursion
