// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/contract/contract_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "makespan/apps/asian/contract/term_structure.hpp"
#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {

namespace {

template <class T>
T value_or(std::span<T const> column, std::size_t row, T none) {
  return column.empty() ? none : column[row];
}

// Sums over dividends that are paid after some time: of D e^(-growth), and the same times the time.
struct DividendsAhead {
  double value = 0;
  double time = 0;
};

CashDividends cash_dividends_of(Contract const& contract, Curve const& dividends) {
  double const end = horizon(contract);
  auto const paid =
      std::ranges::upper_bound(dividends.time, end + same_time) - dividends.time.begin();
  auto left = static_cast<std::size_t>(paid);
  CashDividends sums{};
  DividendsAhead ahead;
  auto const add_those_after = [&](double time) {
    for (; left > 0 && dividends.time[left - 1] > time + same_time; --left) {
      double const at = dividends.time[left - 1];
      double const value = dividends.value[left - 1] * simd::portable_exp(-growth_to(contract, at));
      ahead.value += value;
      ahead.time += at * value;
    }
  };
  // Backwards in time, so that each dividend is taken up once and stays ahead of all earlier
  // fixings.
  for (std::int64_t fixing = contract.fixings; fixing-- > 0;) {
    double const time = fixing_time(contract, fixing);
    add_those_after(time);
    double const growth = simd::portable_exp(growth_to(contract, time));
    sums.in_fixings += growth * ahead.value;
    sums.fixings_time += growth * (ahead.time - time * ahead.value);
  }
  add_those_after(-same_time);  // all that are left
  sums.present_value = ahead.value;
  sums.present_time = ahead.time;
  return sums;
}

}  // namespace

ContractReader::ContractReader(ContractBook const& book)
    : book_{book},
      curves_{book.curves},
      surfaces_{surfaces_of(book.surfaces)},
      baskets_{baskets_of(book.baskets, curves_, surfaces_)} {
  // First: contracts point into of_one_, which grows there.
  add_baskets_of_one();
  for (std::int64_t row = 0; row < rows(); ++row) {
    auto const dividends = value_or(book.cash_dividends, static_cast<std::size_t>(row), -1);
    if (dividends == -1) continue;
    cash_dividends_.resize(static_cast<std::size_t>(rows()));
    cash_dividends_[static_cast<std::size_t>(row)] =
        cash_dividends_of(without_cash_dividends(row), *curves_.at(dividends));
  }
}

void ContractReader::add_baskets_of_one() {
  for (std::int64_t row = 0; row < rows(); ++row) {
    auto const surface = value_or(book_.surface, static_cast<std::size_t>(row), -1);
    if (surface == -1) continue;
    which_.resize(static_cast<std::size_t>(rows()), -1);
    which_[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(of_one_.size());
    of_one_.push_back(
        basket_of_one(on_one_asset(row), &surfaces_.at(static_cast<std::size_t>(surface))));
  }
}

Contract ContractReader::on_one_asset(std::int64_t row) const {
  auto const i = static_cast<std::size_t>(row);
  auto const from = static_cast<std::size_t>(book_.times_offset[i]);
  auto const count = static_cast<std::size_t>(book_.times_offset[i + 1]) - from;
  Contract out{};
  out.key = book_.option_key[i];
  out.seed = book_.seed[i];
  out.side = book_.option_type[i];
  out.average = book_.average_type[i] == 0 ? Average::arithmetic : Average::geometric;
  out.payoff = book_.averaging[i] == 0 ? Payoff::average_price : Payoff::average_strike;
  out.spot = book_.spot[i];
  out.strike = book_.strike[i];
  out.multiplier = book_.strike_multiplier[i];
  out.rate = book_.rate[i];
  out.drift = book_.drift[i];
  out.drift_given = book_.drift_given[i] != 0;
  out.volatility = book_.volatility[i];
  out.expiry = book_.expiry[i];
  out.payment_lag = value_or(book_.payment_lag, i, 0.0);
  out.fixings = book_.fixings[i];
  out.first_fixing = book_.first_fixing[i];
  out.last_fixing = book_.last_fixing[i];
  out.times = book_.times.subspan(from, count);
  out.past_count = book_.past_count[i];
  out.past_sum = book_.past_sum[i];
  out.past_log_sum = book_.past_log_sum[i];
  out.notional = book_.notional[i];
  out.paths = book_.paths[i];
  out.std_error = book_.std_error[i];
  out.max_paths = book_.max_paths[i];
  out.rate_curve = curves_.at(value_or(book_.rate_curve, i, -1));
  out.yield_curve = curves_.at(value_or(book_.yield_curve, i, -1));
  out.forward_curve = curves_.at(value_or(book_.forward_curve, i, -1));
  out.volatility_curve = curves_.at(value_or(book_.volatility_curve, i, -1));
  out.dividends = curves_.at(value_or(book_.proportional_dividends, i, -1));
  out.heston = {.variance_now = value_or(book_.variance_now, i, 0.0),
                .mean_reversion = value_or(book_.mean_reversion, i, 0.0),
                .variance_mean = value_or(book_.variance_mean, i, 0.0),
                .variance_volatility = value_or(book_.variance_volatility, i, 0.0),
                .correlation = value_or(book_.correlation, i, 0.0)};
  if (!book_.steps_per_year.empty()) {
    out.step_max = 1 / static_cast<double>(book_.steps_per_year[i]);
  }
  double const end = horizon(out);
  // Paths take the model's variance; this is what deviations, the control's among them, are
  // reckoned with.
  if (out.heston.is_given()) out.volatility = std::sqrt(mean_variance(out.heston, end));
  if (out.volatility_curve != nullptr) {
    out.volatility = end > 0 ? std::sqrt(out.volatility_curve->total_at(end) / end) : 0;
  }
  return out;
}

Contract ContractReader::without_cash_dividends(std::int64_t row) const {
  auto const i = static_cast<std::size_t>(row);
  Contract out = on_one_asset(row);
  std::int32_t const basket = value_or(book_.basket, i, -1);
  if (basket != -1) {
    out.basket = &baskets_.at(static_cast<std::size_t>(basket));
    out.spot = out.basket->gross;
  }
  if (which_.empty() || which_[i] == -1) return out;
  // What its asset has, the basket has.
  out.basket = &of_one_[static_cast<std::size_t>(which_[i])];
  out.drift = 0;
  out.yield_curve = nullptr;
  out.forward_curve = nullptr;
  out.dividends = nullptr;
  return out;
}

Contract ContractReader::at(std::int64_t row) const {
  Contract contract = without_cash_dividends(row);
  if (!cash_dividends_.empty()) {
    contract.cash_dividends = cash_dividends_[static_cast<std::size_t>(row)];
    // The escrowed model (contract.hpp): what is still to be paid is no part of the price that
    // moves, and a constant in each fixing, as a past one is.
    contract.spot -= contract.cash_dividends.present_value;
    contract.past_sum += contract.cash_dividends.in_fixings;
  }
  return contract;
}

}  // namespace makespan::asian
