// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/recursion/solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "makespan/simd/portable_math.hpp"

namespace makespan::asian::recursion {

namespace {

// Nodes in the range that matters, and how many deviations that reaches. Each is finer by about
// 1.45, which makes an error smaller by a factor of 50 and more (order eleven), and wider, so that
// a difference shows the tails too.
struct Level {
  int nodes;
  double deviations;
};
constexpr std::array<Level, 6> levels{
    {{58, 5.75}, {82, 6.25}, {122, 6.75}, {178, 7.25}, {258, 7.75}, {378, 8.25}}};

// How much more a bound is where the finest nodes do not resolve a law.
constexpr double unresolved_factor = 8;

// Strikes at which two solutions are compared, over the whole range of the coarser one.
constexpr int compared_strikes = 48;

// What points may not show of a step's function, as a share of the sum's mean: of the tolerance,
// but not less than the trapezoidal rule's own error.
constexpr double hidden_share = 0.002;
constexpr double hidden_part_min = 5e-13;

// Rounding of a solution, as a share of the sum's mean: of a few steps, and what it grows by with
// the root of their number. Measured against itself in other orders of the same law.
constexpr double rounding = 2e-14;

}  // namespace

void Solver::compare(Solution const& coarse, Solution const& fine) {
  double const rounded = rounding * std::sqrt(static_cast<double>(sums_.size()));
  // What neither of the two shows.
  double const floor = (rounded + 8 * (fine.missed + hidden_part_min)) * fine.sum.forward;
  bounds_.fill(floor);
  double const last = coarse.first + (coarse.nodes - 1) / coarse.per_unit;
  for (int i = 0; i <= compared_strikes; ++i) {
    double const z = coarse.first + (last - coarse.first) * i / compared_strikes;
    double const strike = simd::portable_exp(z);
    Quantities const values = quantities_at(coarse, strike);
    Quantities const finer = quantities_at(fine, strike);
    // Times four: of 700 laws of two prices, whose calls are an integral, the error was at most
    // 0.1 of this bound, up to a deviation of 2 (docs/explanation/exact.md).
    for (std::size_t k = 0; k < quantity_count; ++k) {
      double const bound = 4 * std::fabs(values[k] - finer[k]) + floor;
      // NaN stays: nothing is known of such a solution.
      if (!(bound <= bounds_[k])) bounds_[k] = bound;
    }
  }
}

Quantities Solver::at(double strike) const {
  if (has_solution_) return quantities_at(solutions_[finest_], strike);
  Quantities none;
  none.fill(std::numeric_limits<double>::quiet_NaN());
  return none;
}

void Solver::solve(SumLaw const& law, SolveOptions const& options) {
  remaining_sums(law, sums_);
  StrikeRanges const ranges(law);
  is_resolved_ = false;
  has_solution_ = false;
  bounds_.fill(std::numeric_limits<double>::infinity());
  bool has_coarse = false;
  double const hidden_part = std::max(hidden_part_min, hidden_share * options.tolerance);
  for (Level const& level : levels) {
    std::size_t const next = 1 - finest_;
    NodeRecursion::Problem const problem{.law = law,
                                         .sums = sums_,
                                         .ranges = ranges,
                                         .derivatives = options.derivatives,
                                         .nodes = level.nodes,
                                         .deviations = level.deviations,
                                         .hidden_part = hidden_part};
    // Two solutions take turns; one that was not found leaves the last, with nothing to compare it
    // with.
    bool const is_solved = recursion_.solve(problem, solutions_[next]);
    if (is_solved && has_coarse) compare(solutions_[finest_], solutions_[next]);
    if (is_solved) finest_ = next;
    has_solution_ = has_solution_ || is_solved;
    has_coarse = is_solved;
    is_resolved_ = bounds_[call_value] <= options.tolerance * sums_.front().forward;
    if (is_resolved_) return;
  }
  // Differences that have not become small fall slowly, and the last says less of the error.
  for (double& bound : bounds_) bound *= unresolved_factor;
}

}  // namespace makespan::asian::recursion
