// SPDX-License-Identifier: Apache-2.0
// Calls of every strike on a weighted sum of lognormal prices, without noise: by recursion
// backwards in time.
//
// Let u_k(x) be the undiscounted call of strike x on what is left of the sum after k prices, in
// units of the k-th price. Prices and strike scale together (L. Rogers and Z. Shi, J. Appl. Prob.
// 32 (1995) 1077-1088), so that one number stands for the whole path:
//
//   u_k(x) = e^g E[u_(k+1)(x e^(-X) - w)],  X normal of mean g + v / 2 and variance v,
//
// g, v, w the growth, variance and weight of the next step; u before the last price is Black's
// formula. u_k is kept on nodes that are equally spaced in ln x over the range where it is neither
// 0 nor the line forward - x. With z = ln x the expectation is a convolution with a normal density:
// a step interpolates u_(k+1)(e^z - w) at equally spaced points (twelve nodes, Lagrange) and adds
// them up with weights that depend on their distance alone: those of the trapezoidal rule where the
// density is wider than the spacing, which converges faster than any power of it; else those that
// are exact for polynomials through eleven points. Backward convolution for Asian options: A. Cerny
// and I. Kyriakou, Quantitative Finance 11 (2011) 381-389.
//
// Derivatives of u to a parameter obey the same recursion, linear, with a source in each step:
// dt (u - u') for the drift, sigma dt (u'' - u') for the volatility.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "makespan/apps/asian/kernel/kernels.hpp"
#include "makespan/apps/asian/recursion/detail/node_recursion.hpp"
#include "makespan/apps/asian/recursion/detail/solution.hpp"
#include "makespan/apps/asian/recursion/detail/sum_law.hpp"

namespace makespan::asian::recursion {

struct SolveOptions {
  Derivatives derivatives = Derivatives::none;
  double tolerance = 1e-8;  // of the value, as a share of the sum's mean
};

// Not thread-safe: one per thread. Allocates only for laws longer than all before.
class Solver {
 public:
  // Results do not depend on the kernels' instruction set.
  explicit Solver(asian::Kernels const& kernels) : recursion_{kernels} {}

  // Solves on finer and finer nodes until two solutions differ by less than the tolerance, or the
  // finest is reached; the finer of the last two counts. Blocks for a microsecond or two a step.
  void solve(SumLaw const& law, SolveOptions const& options);

  // Of the law that was solved last; `strike` may be any number. Quantities that were not solved
  // for are 0; all are NaN where there was no solution.
  [[nodiscard]] Quantities at(double strike) const;
  // How far these may be off, whatever the strike: the largest difference between the last two
  // solutions, and rounding. Infinite where there was no solution.
  [[nodiscard]] Quantities const& bounds() const { return bounds_; }
  // Whether the bound of the value is within the tolerance.
  [[nodiscard]] bool is_resolved() const { return is_resolved_; }

 private:
  void compare(Solution const& coarse, Solution const& fine);

  NodeRecursion recursion_;
  std::vector<RemainingSum> sums_;
  std::array<Solution, 2> solutions_{};
  std::size_t finest_ = 0;
  bool has_solution_ = false;
  Quantities bounds_{};
  bool is_resolved_ = false;
};

}  // namespace makespan::asian::recursion
