// SPDX-License-Identifier: Apache-2.0
#include "bindings/pricing_book.hpp"

#include <nanobind/ndarray.h>

#include <cstdint>
#include <span>
#include <string>

#include "makespan/base/error.hpp"

namespace bindings {

namespace nb = nanobind;
namespace asian = makespan::asian;

namespace {

template <class T>
using BookColumn = nb::ndarray<T const, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<T const> book_column(nb::dict const& book, char const* name) {
  BookColumn<T> values;
  if (!book.contains(name)) {
    throw makespan::InputError("column '" + std::string(name) + "' is missing",
                               "the engine needs every column",
                               "use makespan.price, which fills in defaults");
  }
  // Without conversion: a converted copy would go with `values`, and the span would point to it.
  if (!nb::try_cast(book[name], values, false)) {
    throw makespan::InputError(
        "column '" + std::string(name) + "' is not a contiguous array of its type",
        "it is read without a copy", "use makespan.price, which converts");
  }
  return {values.data(), values.size()};  // the array itself stays alive in the dictionary
}

void add_curves(nb::dict const& book, asian::ContractBook& out) {
  out.payment_lag = book_column<double>(book, "payment_lag");
  out.rate_curve = book_column<std::int32_t>(book, "rate_curve");
  out.yield_curve = book_column<std::int32_t>(book, "yield_curve");
  out.forward_curve = book_column<std::int32_t>(book, "forward_curve");
  out.volatility_curve = book_column<std::int32_t>(book, "volatility_curve");
  out.proportional_dividends = book_column<std::int32_t>(book, "proportional_dividends");
  out.cash_dividends = book_column<std::int32_t>(book, "cash_dividends");
  out.curves = {.kind = book_column<std::int8_t>(book, "curve_kind"),
                .offset = book_column<std::int64_t>(book, "curve_offset"),
                .time = book_column<double>(book, "curve_time"),
                .value = book_column<double>(book, "curve_value")};
}

void add_heston(nb::dict const& book, asian::ContractBook& out) {
  out.variance_now = book_column<double>(book, "variance_now");
  out.mean_reversion = book_column<double>(book, "mean_reversion");
  out.variance_mean = book_column<double>(book, "variance_mean");
  out.variance_volatility = book_column<double>(book, "variance_volatility");
  out.correlation = book_column<double>(book, "correlation");
}

void add_baskets(nb::dict const& book, asian::ContractBook& out) {
  out.basket = book_column<std::int32_t>(book, "basket");
  out.baskets = {
      .offset = book_column<std::int64_t>(book, "basket_offset"),
      .weight = book_column<double>(book, "basket_weight"),
      .spot = book_column<double>(book, "basket_spot"),
      .dividend_yield = book_column<double>(book, "basket_dividend_yield"),
      .volatility = book_column<double>(book, "basket_volatility"),
      .yield_curve = book_column<std::int32_t>(book, "basket_yield_curve"),
      .forward_curve = book_column<std::int32_t>(book, "basket_forward_curve"),
      .volatility_curve = book_column<std::int32_t>(book, "basket_volatility_curve"),
      .proportional_dividends = book_column<std::int32_t>(book, "basket_proportional_dividends"),
      .surface = book_column<std::int32_t>(book, "basket_surface"),
      .correlation = book_column<double>(book, "basket_correlation")};
}

void add_surfaces(nb::dict const& book, asian::ContractBook& out) {
  if (book.contains("surface")) out.surface = book_column<std::int32_t>(book, "surface");
  out.surfaces = {.time_offset = book_column<std::int64_t>(book, "surface_time_offset"),
                  .moneyness_offset = book_column<std::int64_t>(book, "surface_moneyness_offset"),
                  .time = book_column<double>(book, "surface_time"),
                  .log_moneyness = book_column<double>(book, "surface_log_moneyness"),
                  .volatility = book_column<double>(book, "surface_volatility")};
}

}  // namespace

asian::ContractBook book_from(nb::dict const& book) {
  asian::ContractBook out;
  out.option_key = book_column<std::uint64_t>(book, "option_key");
  out.seed = book_column<std::uint64_t>(book, "seed");
  out.option_type = book_column<std::int8_t>(book, "option_type");
  out.average_type = book_column<std::int8_t>(book, "average_type");
  out.averaging = book_column<std::int8_t>(book, "averaging");
  out.spot = book_column<double>(book, "spot");
  out.strike = book_column<double>(book, "strike");
  out.strike_multiplier = book_column<double>(book, "strike_multiplier");
  out.rate = book_column<double>(book, "rate");
  out.drift = book_column<double>(book, "drift");
  out.drift_given = book_column<std::uint8_t>(book, "drift_given");
  out.volatility = book_column<double>(book, "volatility");
  out.expiry = book_column<double>(book, "expiry");
  out.fixings = book_column<std::int64_t>(book, "fixings");
  out.first_fixing = book_column<double>(book, "first_fixing");
  out.last_fixing = book_column<double>(book, "last_fixing");
  out.times_offset = book_column<std::int64_t>(book, "times_offset");
  out.times = book_column<double>(book, "times");
  out.past_count = book_column<std::int64_t>(book, "past_count");
  out.past_sum = book_column<double>(book, "past_sum");
  out.past_log_sum = book_column<double>(book, "past_log_sum");
  out.notional = book_column<double>(book, "notional");
  out.paths = book_column<std::int64_t>(book, "paths");
  out.std_error = book_column<double>(book, "std_error");
  out.max_paths = book_column<std::int64_t>(book, "max_paths");
  if (book.contains("curve_kind")) add_curves(book, out);
  if (book.contains("variance_now")) add_heston(book, out);
  if (book.contains("basket")) add_baskets(book, out);
  if (book.contains("surface_time")) add_surfaces(book, out);
  if (book.contains("steps_per_year")) {
    out.steps_per_year = book_column<std::int64_t>(book, "steps_per_year");
  }
  return out;
}

}  // namespace bindings
