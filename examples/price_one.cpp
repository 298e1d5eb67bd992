// SPDX-License-Identifier: Apache-2.0
// Prices one Asian option with the C++ library: an arithmetic average-price call with 12 monthly
// fixings.
#include <makespan/asian.hpp>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <span>

namespace asian = makespan::asian;

namespace {

// A book of one row. The engine resolves no defaults: every column has its value.
struct Row {
  std::uint64_t key = asian::option_key("A1");
  std::uint64_t seed = 0;
  std::int8_t call = 1;
  std::int8_t arithmetic = 0;
  std::int8_t on_price = 0;
  std::uint8_t drift_given = 0;
  double spot = 100;
  double strike = 100;
  double multiplier = 1;
  double rate = 0.05;
  double drift = 0.05;  // rate less dividend yield
  double volatility = 0.2;
  double expiry = 1;
  std::int64_t fixings = 12;
  double first_fixing = 1.0 / 12;
  double last_fixing = 1;
  std::array<std::int64_t, 2> times_offset{0, 0};  // no times of its own: a uniform grid
  std::int64_t past_count = 0;
  double past_sum = 0;
  double past_log_sum = 0;
  double notional = 1;
  std::int64_t paths = 0;  // 0: without noise if that can be, else as many as std_error asks for
  double std_error = 1e-3;
  std::int64_t max_paths = 1 << 28;
};

template <class T>
std::span<T const> column(T const& value) {
  return {&value, 1};
}

// Views into `row`, which has to outlive the run.
asian::ContractBook book_of(Row const& row) {
  return {.option_key = column(row.key),
          .seed = column(row.seed),
          .option_type = column(row.call),
          .average_type = column(row.arithmetic),
          .averaging = column(row.on_price),
          .spot = column(row.spot),
          .strike = column(row.strike),
          .strike_multiplier = column(row.multiplier),
          .rate = column(row.rate),
          .drift = column(row.drift),
          .drift_given = column(row.drift_given),
          .volatility = column(row.volatility),
          .expiry = column(row.expiry),
          .fixings = column(row.fixings),
          .first_fixing = column(row.first_fixing),
          .last_fixing = column(row.last_fixing),
          .times_offset = row.times_offset,
          .times = {},
          .past_count = column(row.past_count),
          .past_sum = column(row.past_sum),
          .past_log_sum = column(row.past_log_sum),
          .notional = column(row.notional),
          .paths = column(row.paths),
          .std_error = column(row.std_error),
          .max_paths = column(row.max_paths)};
}

void price_and_print() {
  Row const row;
  asian::PricingSettings settings;
  settings.greeks = true;

  asian::PricingRun run{book_of(row), settings};    // starts its threads
  asian::RunSummary const summary = run.summary();  // waits for them

  asian::ResultBook const& results = run.results();
  std::cout << "price " << results.value[asian::price][0] << " +- "
            << results.error_bound[asian::price][0] << ", delta " << results.value[asian::delta][0]
            << ", paths " << results.paths_used[0] << ", on " << summary.isa << '\n';
}

}  // namespace

int main() {
  try {
    price_and_print();
  } catch (makespan::InputError const& error) {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
