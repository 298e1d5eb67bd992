// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/contract/contract_book.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "makespan/apps/asian/contract/contract_reader.hpp"
#include "makespan/apps/asian/contract/detail/basket.hpp"
#include "makespan/apps/asian/contract/term_structure.hpp"
#include "makespan/base/error.hpp"

namespace makespan::asian {

namespace {

constexpr std::int64_t paths_limit =
    std::int64_t{1} << 32;  // a sample's number is one word of the generator's counter

// Steps of a path whose volatility is random, and of one underlying's local volatility: each has
// 100 bytes or a slice of 8 KB in the memory of each thread.
constexpr double random_steps_max = 1e6;
constexpr double local_steps_max = 2.5e4;

[[noreturn]] void refuse(std::int64_t row, std::string_view column, std::string_view why) {
  throw InputError(
      "row " + std::to_string(row + 1) + ": " + std::string(column) + " cannot be priced", why,
      "check the book with makespan.price, which names every wrong value");
}

void check_lengths(ContractBook const& book) {
  auto const rows = book.option_key.size();
  auto const expect = [&](std::string_view column, std::size_t size, std::size_t wanted) {
    if (size == wanted) return;
    throw InputError("column " + std::string(column) + " has " + std::to_string(size) + " values",
                     "the book has " + std::to_string(rows) + " rows",
                     "give " + std::to_string(wanted) + " values");
  };
  expect("seed", book.seed.size(), rows);
  expect("option_type", book.option_type.size(), rows);
  expect("average_type", book.average_type.size(), rows);
  expect("averaging", book.averaging.size(), rows);
  expect("spot", book.spot.size(), rows);
  expect("strike", book.strike.size(), rows);
  expect("strike_multiplier", book.strike_multiplier.size(), rows);
  expect("rate", book.rate.size(), rows);
  expect("drift", book.drift.size(), rows);
  expect("drift_given", book.drift_given.size(), rows);
  expect("volatility", book.volatility.size(), rows);
  expect("expiry", book.expiry.size(), rows);
  expect("fixings", book.fixings.size(), rows);
  expect("first_fixing", book.first_fixing.size(), rows);
  expect("last_fixing", book.last_fixing.size(), rows);
  expect("times_offset", book.times_offset.size(), rows + 1);
  expect("past_count", book.past_count.size(), rows);
  expect("past_sum", book.past_sum.size(), rows);
  expect("past_log_sum", book.past_log_sum.size(), rows);
  expect("notional", book.notional.size(), rows);
  expect("paths", book.paths.size(), rows);
  expect("std_error", book.std_error.size(), rows);
  expect("max_paths", book.max_paths.size(), rows);
  auto const may_lack = [&](std::string_view column, std::size_t size) {
    if (size != 0) expect(column, size, rows);
  };
  may_lack("payment_lag", book.payment_lag.size());
  may_lack("rate_curve", book.rate_curve.size());
  may_lack("yield_curve", book.yield_curve.size());
  may_lack("forward_curve", book.forward_curve.size());
  may_lack("volatility_curve", book.volatility_curve.size());
  may_lack("proportional_dividends", book.proportional_dividends.size());
  may_lack("cash_dividends", book.cash_dividends.size());
  may_lack("variance_now", book.variance_now.size());
  may_lack("mean_reversion", book.mean_reversion.size());
  may_lack("variance_mean", book.variance_mean.size());
  may_lack("variance_volatility", book.variance_volatility.size());
  may_lack("correlation", book.correlation.size());
  may_lack("basket", book.basket.size());
  may_lack("surface", book.surface.size());
  may_lack("steps_per_year", book.steps_per_year.size());
  bool const all = book.variance_now.size() == book.mean_reversion.size() &&
                   book.variance_now.size() == book.variance_mean.size() &&
                   book.variance_now.size() == book.variance_volatility.size() &&
                   book.variance_now.size() == book.correlation.size();
  if (!all) {
    throw InputError("only some columns of a random variance are there",
                     "the book has variance_now, mean_reversion, variance_mean, "
                     "variance_volatility and correlation, or none of them",
                     "give all five");
  }
}

// Beside what has the number, which is -1 for none.
void check_no_cash(ContractBook const& book, std::size_t row, std::int32_t number) {
  bool const has_cash = !book.cash_dividends.empty() && book.cash_dividends[row] != -1;
  if (number >= 0 && has_cash) {
    refuse(static_cast<std::int64_t>(row), "cash_dividends",
           "they are not known beside a basket or a surface");
  }
}

// The numbers of curves are those of curves, of kinds that the column can have.
void check_curve_numbers(ContractBook const& book) {
  auto const check_column = [&](std::string_view column, std::span<std::int32_t const> numbers,
                                std::initializer_list<CurveKind> kinds) {
    for (std::size_t row = 0; row < numbers.size(); ++row) {
      if (numbers[row] == -1) continue;
      auto const number = static_cast<std::size_t>(numbers[row]);
      bool const is_there = numbers[row] >= 0 && number < book.curves.kind.size();
      if (!is_there) refuse(static_cast<std::int64_t>(row), column, "there is no such curve");
      auto const kind = static_cast<CurveKind>(book.curves.kind[number]);
      if (std::ranges::find(kinds, kind) == kinds.end()) {
        refuse(static_cast<std::int64_t>(row), column, "the curve is of another kind");
      }
    }
  };
  using enum CurveKind;
  check_column("rate_curve", book.rate_curve, {zero_rate, forward_rate});
  check_column("yield_curve", book.yield_curve, {zero_rate, forward_rate});
  check_column("forward_curve", book.forward_curve, {forward_price});
  check_column("volatility_curve", book.volatility_curve, {volatility, forward_volatility});
  check_column("proportional_dividends", book.proportional_dividends, {proportional_dividend});
  check_column("cash_dividends", book.cash_dividends, {cash_dividend});
  std::size_t const baskets = book.baskets.offset.empty() ? 0 : book.baskets.offset.size() - 1;
  for (std::size_t row = 0; row < book.basket.size(); ++row) {
    std::int32_t const number = book.basket[row];
    if (number < -1 || (number >= 0 && static_cast<std::size_t>(number) >= baskets)) {
      refuse(static_cast<std::int64_t>(row), "basket", "there is no such basket");
    }
    if (number >= 0 && book.drift_given[row] != 0) {
      refuse(static_cast<std::int64_t>(row), "drift", "the row has a basket");
    }
    check_no_cash(book, row, number);
  }
  std::size_t const surfaces =
      book.surfaces.time_offset.empty() ? 0 : book.surfaces.time_offset.size() - 1;
  for (std::size_t row = 0; row < book.surface.size(); ++row) {
    std::int32_t const number = book.surface[row];
    if (number < -1 || (number >= 0 && static_cast<std::size_t>(number) >= surfaces)) {
      refuse(static_cast<std::int64_t>(row), "surface", "there is no such surface");
    }
    bool const has_basket = !book.basket.empty() && book.basket[row] != -1;
    if (number >= 0 && has_basket) {
      refuse(static_cast<std::int64_t>(row), "surface", "the row has a basket");
    }
    check_no_cash(book, row, number);
  }
  for (std::size_t row = 0; row < book.steps_per_year.size(); ++row) {
    if (book.steps_per_year[row] < 1 || book.steps_per_year[row] > 100'000) {
      refuse(static_cast<std::int64_t>(row), "steps_per_year", "it is not in 1 .. 100000");
    }
  }
}

void check_offsets(ContractBook const& book) {
  std::int64_t const end = static_cast<std::int64_t>(book.times.size());
  for (std::size_t i = 0; i + 1 < book.times_offset.size(); ++i) {
    std::int64_t const from = book.times_offset[i];
    std::int64_t const to = book.times_offset[i + 1];
    auto const row = static_cast<std::int64_t>(i);
    if (from < 0 || to < from || to > end)
      refuse(row, "times_offset", "it points outside the column times");
    if (to > from && to - from != book.fixings[i])
      refuse(row, "fixings", "it is not the number of its times");
  }
}

void check_times(Contract const& contract, std::int64_t row) {
  if (contract.fixings < 0 || contract.fixings > 1'000'000)
    refuse(row, "fixings", "it is not in 0 .. 1000000");
  if (contract.past_count < 0 || contract.past_count > 1'000'000'000) {
    refuse(row, "past_count", "it is not in 0 .. 1e9");
  }
  if (contract.fixings + contract.past_count < 1)
    refuse(row, "fixings", "there is none, past or future");
  double before = -1;
  for (double const time : contract.times) {
    if (!(time >= 0 && time > before && time <= contract.expiry)) {
      refuse(row, "fixing_times", "they are not strictly increasing in [0, expiry]");
    }
    before = time;
  }
  if (!contract.times.empty() || contract.fixings == 0) return;
  double const gap = (contract.last_fixing - contract.first_fixing) /
                     static_cast<double>(std::max<std::int64_t>(contract.fixings - 1, 1));
  bool const ordered = contract.fixings == 1 ? gap == 0 : gap > 1e-12;
  if (!(contract.first_fixing >= 0 && ordered && contract.last_fixing <= contract.expiry)) {
    refuse(row, "first_fixing",
           "0 <= first_fixing < last_fixing <= expiry does not hold (= for one fixing)");
  }
}

void check_numbers(Contract const& contract, std::int64_t row) {
  bool const on_price = contract.payoff == Payoff::average_price;
  if (!(std::isfinite(contract.spot) && contract.spot > 0))
    refuse(row, "spot", "it is not a positive number, or not above the value of its dividends");
  if (on_price && !(std::isfinite(contract.strike) && contract.strike >= 0))
    refuse(row, "strike", "it is negative or no number");
  if (!on_price && !(std::isfinite(contract.multiplier) && contract.multiplier > 0))
    refuse(row, "strike_multiplier", "it is not a positive number");
  if (!std::isfinite(contract.rate)) refuse(row, "rate", "it is no number");
  if (!std::isfinite(contract.drift)) refuse(row, "drift", "it is no number");
  if (!(contract.volatility >= 0 && std::isfinite(contract.volatility)))
    refuse(row, "volatility", "it is negative or no number");
  if (!(contract.expiry >= 0 && std::isfinite(contract.expiry)))
    refuse(row, "expiry", "it is negative or no number");
  double const growth_max = 600;  // e^600 is near the largest double
  if (std::fabs(contract.rate) * contract.expiry > growth_max)
    refuse(row, "rate", "times expiry it is above 600");
  if (std::fabs(contract.drift) * contract.expiry > growth_max)
    refuse(row, "drift", "times expiry it is above 600");
  if (contract.volatility * contract.volatility * contract.expiry > 2 * growth_max) {
    refuse(row, "volatility", "its square times expiry is above 1200");
  }
  bool const may_be_negative = contract.basket != nullptr;
  if (!(std::isfinite(contract.past_sum) && (may_be_negative || contract.past_sum >= 0)))
    refuse(row, "past_sum", "it is negative or no number");
  if (!std::isfinite(contract.past_log_sum)) refuse(row, "past_log_sum", "it is no number");
  if (!std::isfinite(contract.notional)) refuse(row, "notional", "it is no number");
}

void check_curves(Contract const& contract, std::int64_t row) {
  auto const reaches = [&](std::string_view column, Curve const* curve, double time) {
    if (curve != nullptr && !(time <= curve->time.back())) {
      refuse(row, column, "the curve ends before " + std::to_string(time));
    }
  };
  if (!(contract.payment_lag >= 0 && std::isfinite(contract.payment_lag))) {
    refuse(row, "payment_lag", "it is negative, or no number");
  }
  reaches("rate_curve", contract.rate_curve, payment_time(contract));
  reaches("yield_curve", contract.yield_curve, contract.expiry);
  reaches("forward_curve", contract.forward_curve, contract.expiry);
  reaches("volatility_curve", contract.volatility_curve, contract.expiry);
  bool const makes_growth = contract.yield_curve != nullptr || contract.dividends != nullptr ||
                            contract.cash_dividends.present_value != 0 || contract.drift != 0;
  if (contract.forward_curve != nullptr && makes_growth) {
    refuse(row, "forward_curve", "the row says besides how the price grows");
  }
  if (contract.drift_given && contract.yield_curve != nullptr) {
    refuse(row, "yield_curve", "the drift is given");
  }
  if (contract.average == Average::geometric && contract.cash_dividends.present_value != 0) {
    refuse(row, "cash_dividends", "the average is geometric");
  }
}

// Of paths that need steps between fixings, at most.
void check_steps(Contract const& contract, std::int64_t row, bool are_needed, double most) {
  if (!are_needed) return;
  double const steps =
      horizon(contract) / contract.step_max + static_cast<double>(contract.fixings);
  if (steps <= most) return;
  refuse(row, "steps_per_year",
         "paths have more steps than " + std::to_string(static_cast<std::int64_t>(most)));
}

void check_heston(Contract const& contract, std::int64_t row) {
  Heston const& model = contract.heston;
  auto const in = [](double x, double low, double high) { return x >= low && x <= high; };
  if (model.variance_volatility == 0) return;
  if (!in(model.variance_volatility, heston_volatility_min, 1e3)) {
    refuse(row, "variance_volatility", "it is not 0, nor in 0.001 .. 1000");
  }
  if (!in(model.variance_now, 0, 1e3)) refuse(row, "variance_now", "it is not in 0 .. 1000");
  if (!in(model.variance_mean, 1e-12, 1e3)) {
    refuse(row, "variance_mean", "it is not in 1e-12 .. 1000");
  }
  if (!in(model.mean_reversion, 1e-9, 1e3)) {
    refuse(row, "mean_reversion", "it is not in 1e-9 .. 1000");
  }
  if (!in(model.correlation, -1, 1)) refuse(row, "correlation", "it is not in -1 .. 1");
  if (contract.volatility_curve != nullptr) {
    refuse(row, "volatility_curve", "the variance is random");
  }
  check_steps(contract, row, true, random_steps_max);
}

void check_basket(Contract const& contract, std::int64_t row) {
  if (contract.basket == nullptr) return;
  bool const has_own = contract.volatility != 0 || contract.volatility_curve != nullptr ||
                       contract.drift != 0 || contract.yield_curve != nullptr ||
                       contract.forward_curve != nullptr || contract.dividends != nullptr ||
                       contract.heston.is_given();
  if (has_own) refuse(row, "basket", "the row has a market of its own besides");
  if (contract.average == Average::geometric) {
    refuse(row, "average_type", "the average of a basket is arithmetic");
  }
  auto const& all = contract.basket->underlyings;
  auto const local =
      std::ranges::count_if(all, [](Underlying const& one) { return one.surface != nullptr; });
  check_steps(contract, row, local > 0, local_steps_max / static_cast<double>(local));
  bool const is_long = std::ranges::any_of(all, [](auto const& one) { return one.weight > 0; });
  if (!is_long) refuse(row, "basket", "all of its weights are negative");
  bool const has_forwards = all.front().forward_curve != nullptr;
  for (Underlying const& one : all) {
    Contract const own = alone(contract, one);
    // As a row of its own, whose growth and volatility the basket's steps look up.
    check_curves(own, row);
    if ((own.forward_curve != nullptr) != has_forwards) {
      refuse(row, "basket", "some of its underlyings have a forward curve, some have none");
    }
    constexpr double largest = 1200;
    if (!(std::fabs(own.drift) * contract.expiry <= largest / 2 &&
          variance_to(own, contract.expiry) <= largest)) {
      refuse(row, "basket", "growth or variance to expiry of an underlying is too large");
    }
  }
}

void check_accuracy(Contract const& contract, std::int64_t row) {
  bool const by_paths = contract.paths > 0;
  bool const by_error = contract.std_error > 0 && std::isfinite(contract.std_error);
  if (by_paths == by_error || contract.paths < 0)
    refuse(row, "paths", "exactly one of paths and std_error must be positive");
  if (contract.paths > paths_limit) refuse(row, "paths", "it is above 2^32");
  if (contract.max_paths < 1 || contract.max_paths > paths_limit)
    refuse(row, "max_paths", "it is not in 1 .. 2^32");
}

}  // namespace

void check(ContractBook const& book) {
  check_lengths(book);
  check_offsets(book);
  check_curve_numbers(book);
  // The present value of dividends needs growth up to each fixing, which a curve that ends too
  // early has not: rows are first checked without them.
  ContractBook without_cash = book;
  without_cash.cash_dividends = {};
  ContractReader const plain{without_cash};
  for (std::int64_t row = 0; row < book.rows(); ++row) {
    auto const at = static_cast<std::size_t>(row);
    if (book.option_type[at] != 1 && book.option_type[at] != -1)
      refuse(row, "option_type", "it is neither 1 nor -1");
    // Another value would pass for 1.
    if (book.average_type[at] != 0 && book.average_type[at] != 1)
      refuse(row, "average_type", "it is neither 0 nor 1");
    if (book.averaging[at] != 0 && book.averaging[at] != 1)
      refuse(row, "averaging", "it is neither 0 nor 1");
    Contract const contract = plain.at(row);
    check_times(contract, row);
    check_numbers(contract, row);
    check_curves(contract, row);
    check_heston(contract, row);
    check_basket(contract, row);
    check_accuracy(contract, row);
  }
  if (book.cash_dividends.empty()) return;
  // Only now can growth be looked up at any fixing.
  ContractReader const reader{book};
  for (std::int64_t row = 0; row < book.rows(); ++row) {
    check_numbers(reader.at(row), row);
    check_curves(reader.at(row), row);
  }
}

}  // namespace makespan::asian
