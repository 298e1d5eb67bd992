// SPDX-License-Identifier: Apache-2.0
// The books of gpu_check, which a machine with a GPU prices; gpu_check_books_test.cpp does so on
// any.
#pragma once

#include <cstdint>
#include <random>

#include "apps/asian/basket_contracts.hpp"
#include "apps/asian/book_columns.hpp"
#include "apps/asian/heston_contracts.hpp"
#include "apps/asian/mixed_book.hpp"
#include "apps/asian/sample_contracts.hpp"
#include "apps/asian/surface_contracts.hpp"

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

// Rows of each model; the last is one that automatic smooths.
inline BookColumns models_book() {
  BookColumns columns;
  std::int32_t const shares = add_basket(columns, five());
  auto const add = [&](Contract row, Heston const& model, std::int32_t basket, double error) {
    row.key = 40 + columns.spot.size();
    if (basket != -1) row.drift = 0;
    row.paths = error > 0 ? 0 : 3000;
    row.std_error = error;
    add_heston_row(columns, row, model);
    columns.basket.push_back(basket);
  };
  add(monthly_call(), heston_models[0], -1, 0);
  add(on_strike(monthly_call(), 1), heston_models[1], -1, 0);
  add(monthly_call(), {}, shares, 0);
  add(monthly_call(), {}, shares, 1e-4);
  return columns;
}

// A surface of volatilities, which paths of many steps follow.
inline BookColumns surface_book() {
  BookColumns columns;
  std::int32_t const number = add_surface(columns, skewed());
  for (Contract row : {monthly_call(), put(monthly_call()), on_strike(monthly_call(), 1)}) {
    row.key = 70 + columns.spot.size();
    row.paths = 3000;
    row.std_error = 0;
    add_surface_row(columns, row, number, 50);
  }
  return columns;
}

}  // namespace makespan::asian
