// SPDX-License-Identifier: Apache-2.0
// The books of gpu_check, which a machine with a GPU prices; gpu_check_books_test.cpp does so on
// any.
#pragma once

#include <cstdint>
#include <random>

#include "apps/asian/book_columns.hpp"
#include "apps/asian/mixed_book.hpp"
#include "apps/asian/sample_contracts.hpp"

namespace makespan::asian {

// Daily fixings over a year, as a desk has them: strikes, volatilities, seasons and sides.
inline BookColumns desk_book(int options, double std_error, std::int64_t paths) {
  std::mt19937_64 random(7);
  auto const between = [&](double low, double high) {
    return std::uniform_real_distribution(low, high)(random);
  };
  BookColumns columns;
  for (int i = 0; i < options; ++i) {
    Contract contract = monthly_call();
    contract.key = static_cast<std::uint64_t>(i) + 1;
    contract.fixings = 252;
    contract.first_fixing = 1.0 / 252;
    contract.volatility = between(0.1, 0.4);
    contract.strike = contract.spot * between(0.85, 1.15);
    if (i % 3 == 0) contract = put(contract);
    contract.paths = paths;
    contract.std_error = std_error;
    contract.max_paths = 1 << 22;
    columns.add(contract);
  }
  return columns;
}

// Rows of every kind, and so many of any length, volatility and number of paths.
inline BookColumns many_kinds_book(int more = 200) {
  BookColumns many = mixed_book();
  std::mt19937_64 random(11);
  for (int i = 0; i < more; ++i) {
    Contract contract = monthly_call();
    contract.key = 5000 + static_cast<std::uint64_t>(i);
    contract.fixings = 1 + static_cast<std::int64_t>(random() % 300);
    contract.first_fixing = 1 / static_cast<double>(contract.fixings);
    contract.volatility = 0.02 + 0.01 * static_cast<double>(random() % 60);
    contract.paths = 1 + static_cast<std::int64_t>(random() % 40000);
    many.add(contract);
  }
  return many;
}

}  // namespace makespan::asian
