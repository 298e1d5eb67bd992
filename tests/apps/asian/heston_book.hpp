// SPDX-License-Identifier: Apache-2.0
// A book of every kind of row under every model of a random variance.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/asian/heston_contracts.hpp"
#include "apps/asian/mixed_book.hpp"

namespace makespan::asian {

inline std::vector<Contract> rows_of_each_kind() {
  Contract late = monthly_call();
  late.last_fixing = 0.75;
  Contract certain = seasoned(monthly_call());
  certain.strike = 10;
  std::vector<Contract> all{
      monthly_call(),        put(seasoned(with_start(monthly_call()))),     certain, late,
      on_strike(late, 1.02), put(on_strike(seasoned(monthly_call()), 0.95))};
  for (std::size_t i = 0; i < 6; ++i) all.push_back(geometric(all[i]));
  return all;
}

// Every contract under every model; the last two rows have no random variance.
inline BookColumns heston_book(std::int64_t paths) {
  BookColumns columns;
  std::uint64_t key = 500;
  for (Heston const& model : heston_models) {
    for (Contract contract : rows_of_each_kind()) {
      contract.key = ++key;
      contract.paths = paths;
      add_heston_row(columns, contract, model);
    }
  }
  add_heston_row(columns, monthly_call(), {});
  add_heston_row(columns, geometric(monthly_call()), {});
  columns.volatility.back() = 0.2;
  columns.volatility[columns.volatility.size() - 2] = 0.2;
  return columns;
}

}  // namespace makespan::asian
