// SPDX-License-Identifier: Apache-2.0
#pragma once

// Models that tests of a random variance start from.

#include <array>
#include <cmath>

#include "apps/asian/book_columns.hpp"
#include "apps/asian/sample_contracts.hpp"
#include "makespan/apps/asian/contract/term_structure.hpp"

namespace makespan::asian {

// A mild one, one whose variance reaches 0 often, one that is positively correlated, one of equity
// indices, one without correlation.
inline constexpr std::array<Heston, 5> heston_models{{{0.04, 2, 0.04, 0.3, -0.7},
                                                      {0.04, 1, 0.06, 1, -0.7},
                                                      {0.09, 1.5, 0.06, 0.6, 0.5},
                                                      {0.0225, 6.21, 0.019, 0.61, -0.7},
                                                      {0.01, 0.5, 0.04, 0.2, 0}}};

// As ContractReader makes it.
inline Contract with_heston(Contract contract, Heston const& model) {
  contract.heston = model;
  contract.volatility = std::sqrt(mean_variance(model, horizon(contract)));
  return contract;
}

// To a book whose rows are all added so; of a random variance unless the model is none.
inline void add_heston_row(BookColumns& columns, Contract row, Heston const& model) {
  row.volatility = 0;
  columns.add(row);
  columns.variance_now.push_back(model.variance_now);
  columns.mean_reversion.push_back(model.mean_reversion);
  columns.variance_mean.push_back(model.variance_mean);
  columns.variance_volatility.push_back(model.variance_volatility);
  columns.correlation.push_back(model.correlation);
}

}  // namespace makespan::asian
