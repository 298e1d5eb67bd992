// SPDX-License-Identifier: Apache-2.0
// The recursion on one number of nodes.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "makespan/apps/asian/kernel/kernels.hpp"
#include "makespan/apps/asian/recursion/detail/kernels.hpp"
#include "makespan/apps/asian/recursion/detail/solution.hpp"
#include "makespan/apps/asian/recursion/detail/sum_law.hpp"
#include "makespan/simd/aligned_buffer.hpp"

namespace makespan::asian::recursion {

// Not thread-safe: one per thread. Tested through tests/apps/asian/recursion/solver_test.cpp.
class NodeRecursion {
 public:
  struct Problem {
    SumLaw const& law;
    std::vector<RemainingSum> const& sums;  // of the law, by step
    StrikeRanges const& ranges;             // of the law
    Derivatives derivatives;
    int nodes;           // in the range that matters
    double deviations;   // that this range reaches
    double hidden_part;  // that points may miss of what a step adds up, of its mean
  };

  explicit NodeRecursion(asian::Kernels const& kernels);

  // Fills the solution. False, and a solution without meaning, where what follows a step is too
  // narrow beside it for these nodes, with as many points as there may be.
  bool solve(Problem const& problem, Solution& solution);

 private:
  struct Grid {
    double first;    // z of node 0
    double spacing;  // in z
  };

  [[nodiscard]] Grid grid_before(Problem const& problem, std::size_t step) const;
  void begin(Problem const& problem, Grid const& grid);
  bool step_back(Problem const& problem, std::size_t step, Grid const& later, Grid const& now);
  // Points for each node; 0 where there would be too many.
  int phases_of_step(Problem const& problem, std::size_t step, double spacing);
  void weigh_points(Problem const& problem, std::size_t step, double spacing);
  void place_points(int phases, int columns);
  void finish(Problem const& problem, Grid const& grid, Solution& solution);
  // One of the two sets of functions, of which steps use one after the other.
  [[nodiscard]] double* function(int set, int number);

  asian::Kernels const& kernels_;
  Kernels const& step_kernels_;
  int tables_ = 1;
  int nodes_ = 0;  // with margins
  simd::AlignedBuffer<double> functions_;
  simd::AlignedBuffer<double> points_;
  std::vector<double> weights_;  // of the middle point, and of those on either side
  std::vector<SidePoints> convolution_;
  std::array<std::vector<double>, 3> work_;
  double missed_ = 0;  // by points of all steps, as a share of the sum's mean
};

}  // namespace makespan::asian::recursion
