// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/contract/contract_book.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include "makespan/base/error.hpp"

namespace makespan::asian {

namespace {

constexpr std::int64_t paths_limit =
    std::int64_t{1} << 32;  // a sample's number is one word of the generator's counter

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
  double const level = on_price ? contract.strike : contract.multiplier;
  if (!(std::isfinite(contract.spot) && contract.spot > 0))
    refuse(row, "spot", "it is not a positive number");
  if (!(std::isfinite(level) && (on_price ? level >= 0 : level > 0)))
    refuse(row, "strike", "it is negative or no number");
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
  if (!(std::isfinite(contract.past_sum) && contract.past_sum >= 0))
    refuse(row, "past_sum", "it is negative or no number");
  if (!std::isfinite(contract.past_log_sum)) refuse(row, "past_log_sum", "it is no number");
  if (!std::isfinite(contract.notional)) refuse(row, "notional", "it is no number");
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
  for (std::int64_t row = 0; row < book.rows(); ++row) {
    auto const at = static_cast<std::size_t>(row);
    if (book.option_type[at] != 1 && book.option_type[at] != -1)
      refuse(row, "option_type", "it is neither 1 nor -1");
    Contract const contract = contract_at(book, row);
    check_times(contract, row);
    check_numbers(contract, row);
    check_accuracy(contract, row);
  }
}

Contract contract_at(ContractBook const& book, std::int64_t row) {
  auto const i = static_cast<std::size_t>(row);
  auto const from = static_cast<std::size_t>(book.times_offset[i]);
  auto const count = static_cast<std::size_t>(book.times_offset[i + 1]) - from;
  Contract out{};
  out.key = book.option_key[i];
  out.seed = book.seed[i];
  out.side = book.option_type[i];
  out.average = book.average_type[i] == 0 ? Average::arithmetic : Average::geometric;
  out.payoff = book.averaging[i] == 0 ? Payoff::average_price : Payoff::average_strike;
  out.spot = book.spot[i];
  out.strike = book.strike[i];
  out.multiplier = book.strike_multiplier[i];
  out.rate = book.rate[i];
  out.drift = book.drift[i];
  out.drift_given = book.drift_given[i] != 0;
  out.volatility = book.volatility[i];
  out.expiry = book.expiry[i];
  out.fixings = book.fixings[i];
  out.first_fixing = book.first_fixing[i];
  out.last_fixing = book.last_fixing[i];
  out.times = book.times.subspan(from, count);
  out.past_count = book.past_count[i];
  out.past_sum = book.past_sum[i];
  out.past_log_sum = book.past_log_sum[i];
  out.notional = book.notional[i];
  out.paths = book.paths[i];
  out.std_error = book.std_error[i];
  out.max_paths = book.max_paths[i];
  return out;
}

}  // namespace makespan::asian
