// SPDX-License-Identifier: Apache-2.0
// The results of a book, as columns.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "makespan/apps/asian/estimate/estimator_settings.hpp"
#include "makespan/apps/asian/kernel/moment_job.hpp"

namespace makespan::asian {

enum class RowStatus : std::int8_t {
  ok,
  max_paths_reached,   // the target error was not
  deterministic,       // known in closed form
  resolution_reached,  // the finest resolution of the recursion was; the bound is above the target
  pending
};

// Shape (rows) each. Prices and Greeks are discounted and for the row's notional, with units as in
// docs/reference/book-format.md.
struct ResultBook {
  explicit ResultBook(std::size_t rows);

  std::vector<RowStatus> status;
  std::array<std::vector<double>, output_count> value;
  std::array<std::vector<double>, output_count> std_error;
  std::array<std::vector<double>, output_count> error_bound;  // NaN where there is noise
  std::vector<double> ci_low;
  std::vector<double> ci_high;
  std::vector<std::int64_t> paths_used;
  std::vector<std::int64_t> replicates;
  std::vector<double> control_beta;
  std::vector<double> variance_reduction;
  std::vector<double> method_price;
  std::vector<Method> method;   // that priced the row: exact for closed forms too
  std::vector<double> seconds;  // of thread time
};

}  // namespace makespan::asian
