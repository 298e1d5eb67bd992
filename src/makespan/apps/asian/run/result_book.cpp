// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/run/result_book.hpp"

#include <limits>

namespace makespan::asian {

ResultBook::ResultBook(std::size_t rows) {
  double const nothing = std::numeric_limits<double>::quiet_NaN();
  status.assign(rows, RowStatus::pending);
  for (auto& column : value) column.assign(rows, nothing);
  for (auto& column : std_error) column.assign(rows, nothing);
  for (auto& column : error_bound) column.assign(rows, nothing);
  for (auto* column : {&ci_low, &ci_high, &control_beta, &variance_reduction, &method_price})
    column->assign(rows, nothing);
  paths_used.assign(rows, 0);
  replicates.assign(rows, 0);
  method.assign(rows, Method::automatic);
  seconds.assign(rows, 0);
}

}  // namespace makespan::asian
