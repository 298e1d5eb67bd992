// SPDX-License-Identifier: Apache-2.0
// Columns of a book of any lengths and values, and what is known of a row before it is simulated.
#include "fuzz/fuzz_input.hpp"
#include "makespan/apps/asian/contract/basket_law.hpp"
#include "makespan/apps/asian/contract/contract_book.hpp"
#include "makespan/apps/asian/contract/contract_reader.hpp"
#include "makespan/apps/asian/contract/schedule.hpp"

namespace makespan::fuzz::contract_book_target {
namespace {

constexpr int rows_max = 3;

// As many as there are rows; now and then one more or less.
class Columns {
 public:
  explicit Columns(FuzzInput& input) : input_{input}, rows_{input.small(rows_max)} {}

  template <class T>
  std::vector<T> operator()(int more = 0) {
    int const other = input_.small(63);
    int const rows = rows_ + more + (other == 1 ? 1 : other == 2 && rows_ + more > 0 ? -1 : 0);
    return input_.column<T>(rows);
  }

 private:
  FuzzInput& input_;
  int rows_;
};

void check_and_look(std::span<std::byte const> bytes) {
  FuzzInput input(bytes);
  Columns column(input);
  auto const option_key = column.operator()<std::uint64_t>();
  auto const seed = column.operator()<std::uint64_t>();
  auto const option_type = column.operator()<std::int8_t>();
  auto const average_type = column.operator()<std::int8_t>();
  auto const averaging = column.operator()<std::int8_t>();
  auto const spot = column.operator()<double>();
  auto const strike = column.operator()<double>();
  auto const strike_multiplier = column.operator()<double>();
  auto const rate = column.operator()<double>();
  auto const drift = column.operator()<double>();
  auto const drift_given = column.operator()<std::uint8_t>();
  auto const volatility = column.operator()<double>();
  auto const expiry = column.operator()<double>();
  auto const fixings = column.operator()<std::int64_t>();
  auto const first_fixing = column.operator()<double>();
  auto const last_fixing = column.operator()<double>();
  auto const times_offset = column.operator()<std::int64_t>(1);
  auto const times = input.column<double>(input.small(8));
  auto const past_count = column.operator()<std::int64_t>();
  auto const past_sum = column.operator()<double>();
  auto const past_log_sum = column.operator()<double>();
  auto const notional = column.operator()<double>();
  auto const paths = column.operator()<std::int64_t>();
  auto const std_error = column.operator()<double>();
  auto const max_paths = column.operator()<std::int64_t>();
  bool const has_curves = input.small(1) == 1;
  auto const numbers = [&] {
    return has_curves ? column.operator()<std::int32_t>() : std::vector<std::int32_t>{};
  };
  auto const payment_lag = has_curves ? column.operator()<double>() : std::vector<double>{};
  auto const rate_curve = numbers();
  auto const yield_curve = numbers();
  auto const forward_curve = numbers();
  auto const volatility_curve = numbers();
  auto const proportional_dividends = numbers();
  auto const cash_dividends = numbers();
  auto const curve_kind = input.column<std::int8_t>(input.small(4));
  auto const curve_offset = input.column<std::int64_t>(input.small(5));
  auto const curve_time = input.column<double>(input.small(8));
  auto const curve_value = input.column<double>(input.small(8));
  bool const has_heston = input.small(1) == 1;
  auto const parameters = [&] {
    return has_heston ? column.operator()<double>() : std::vector<double>{};
  };
  auto const variance_now = parameters();
  auto const mean_reversion = parameters();
  auto const variance_mean = parameters();
  auto const variance_volatility = parameters();
  auto const correlation = parameters();
  bool const has_basket = input.small(1) == 1;
  auto const basket = has_basket ? column.operator()<std::int32_t>() : std::vector<std::int32_t>{};
  auto const basket_offset = input.column<std::int64_t>(input.small(3));
  int const underlyings = input.small(4);
  auto const of_underlyings = [&]<class T> { return input.column<T>(underlyings); };
  auto const weight = of_underlyings.operator()<double>();
  auto const basket_spot = of_underlyings.operator()<double>();
  auto const basket_yield = of_underlyings.operator()<double>();
  auto const basket_volatility = of_underlyings.operator()<double>();
  auto const basket_yield_curve = of_underlyings.operator()<std::int32_t>();
  auto const basket_forward_curve = of_underlyings.operator()<std::int32_t>();
  auto const basket_volatility_curve = of_underlyings.operator()<std::int32_t>();
  auto const basket_dividends = of_underlyings.operator()<std::int32_t>();
  auto const basket_surface = of_underlyings.operator()<std::int32_t>();
  auto const matrix = input.column<double>(input.small(16));
  bool const has_surface = input.small(1) == 1;
  auto const surface =
      has_surface ? column.operator()<std::int32_t>() : std::vector<std::int32_t>{};
  auto const surface_time_offset = input.column<std::int64_t>(input.small(3));
  auto const surface_moneyness_offset = input.column<std::int64_t>(input.small(3));
  auto const surface_time = input.column<double>(input.small(4));
  auto const surface_moneyness = input.column<double>(input.small(4));
  auto const surface_volatility = input.column<double>(input.small(16));
  bool const has_steps = input.small(1) == 1;
  auto const steps_per_year =
      has_steps ? column.operator()<std::int64_t>() : std::vector<std::int64_t>{};
  asian::ContractBook const book{
      option_key,
      seed,
      option_type,
      average_type,
      averaging,
      spot,
      strike,
      strike_multiplier,
      rate,
      drift,
      drift_given,
      volatility,
      expiry,
      fixings,
      first_fixing,
      last_fixing,
      times_offset,
      times,
      past_count,
      past_sum,
      past_log_sum,
      notional,
      paths,
      std_error,
      max_paths,
      payment_lag,
      rate_curve,
      yield_curve,
      forward_curve,
      volatility_curve,
      proportional_dividends,
      cash_dividends,
      {curve_kind, curve_offset, curve_time, curve_value},
      variance_now,
      mean_reversion,
      variance_mean,
      variance_volatility,
      correlation,
      basket,
      {basket_offset, weight, basket_spot, basket_yield, basket_volatility, basket_yield_curve,
       basket_forward_curve, basket_volatility_curve, basket_dividends, basket_surface, matrix},
      surface,
      {surface_time_offset, surface_moneyness_offset, surface_time, surface_moneyness,
       surface_volatility},
      steps_per_year};
  asian::check(book);
  asian::ContractReader const reader{book};
  for (std::int64_t row = 0; row < book.rows(); ++row) {
    asian::Contract const contract = reader.at(row);
    static_cast<void>(asian::step_count(contract));
    if (contract.basket == nullptr) continue;
    asian::BasketSchedule schedule;
    constexpr std::int64_t steps_max = 1000;  // of those that are quick
    if (asian::basket_step_count(contract) < steps_max) {
      static_cast<void>(asian::make_basket_law(contract, schedule));
    }
  }
}

template <class T>
void put(FuzzOutput& output, T value) {
  output.small(0).value(value);
}

void put_curves(FuzzOutput& output, std::int32_t volatility_curve) {
  output.small(1);
  put(output, 0.25);
  for (std::int32_t const number : {0, -1, -1, volatility_curve, -1, 2}) put(output, number);
  output.small(3).value(std::int8_t{0}).value(std::int8_t{2}).value(std::int8_t{5});
  output.small(4).value(std::int64_t{0}).value(std::int64_t{2}).value(std::int64_t{4});
  output.value(std::int64_t{5});
  output.small(5).value(1.0).value(2.0).value(0.5).value(2.0).value(0.3);
  output.small(5).value(0.02).value(0.03).value(0.3).value(0.25).value(1.5);
}

std::vector<Bytes> seeds() {
  FuzzOutput one;
  one.small(1);
  put(one, std::uint64_t{1});
  put(one, std::uint64_t{2});
  for (std::int8_t const flag : {std::int8_t{1}, std::int8_t{0}, std::int8_t{0}}) put(one, flag);
  for (double const value : {100.0, 105.0, 1.0, 0.05, 0.03}) put(one, value);
  put(one, std::uint8_t{1});
  put(one, 0.2);
  put(one, 1.0);
  put(one, std::int64_t{4});
  put(one, 0.25);
  put(one, 1.0);
  one.small(0).value(std::int64_t{0}).value(std::int64_t{4});
  one.small(4).value(0.25).value(0.5).value(0.75).value(1.0);
  put(one, std::int64_t{0});
  for (double const value : {0.0, 0.0, 1.0}) put(one, value);
  put(one, std::int64_t{1000});
  put(one, 0.0);
  put(one, std::int64_t{1} << 20);
  FuzzOutput curved = one;
  put_curves(curved, 1);
  FuzzOutput random = one;
  put_curves(random, -1);  // random variance has no curve of volatilities
  random.small(1);
  for (double const value : {0.04, 2.0, 0.05, 0.4, -0.7}) put(random, value);
  return {one.bytes(), curved.bytes(), random.bytes()};
}

FuzzTarget const target("contract_book", &check_and_look, &seeds);

}  // namespace
}  // namespace makespan::fuzz::contract_book_target
