// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/contract/detail/basket.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>

#include "makespan/apps/asian/contract/detail/principal_components.hpp"
#include "makespan/apps/asian/contract/term_structure.hpp"
#include "makespan/base/error.hpp"

namespace makespan::asian {

namespace {

[[noreturn]] void refuse_basket(std::size_t basket, std::size_t underlying, std::string_view why) {
  throw InputError("basket " + std::to_string(basket + 1) + ": underlying " +
                       std::to_string(underlying + 1) + " cannot be priced",
                   why, "check the baskets with makespan.price, which names every wrong value");
}

// Entries of the correlation matrices of all baskets.
std::size_t matrix_entries(BasketColumns const& columns) {
  std::size_t entries = 0;
  for (std::size_t i = 0; i + 1 < columns.offset.size(); ++i) {
    auto const count = static_cast<std::size_t>(columns.offset[i + 1] - columns.offset[i]);
    entries += count * count;
  }
  return entries;
}

void check_columns(BasketColumns const& columns) {
  auto const& offset = columns.offset;
  std::size_t const all = columns.weight.size();
  bool const in_order =
      std::ranges::is_sorted(offset) &&
      (offset.empty() ? all == 0
                      : offset.front() == 0 && offset.back() == static_cast<std::int64_t>(all));
  bool same = in_order;
  for (std::size_t const size :
       {columns.spot.size(), columns.dividend_yield.size(), columns.volatility.size(),
        columns.yield_curve.size(), columns.forward_curve.size(), columns.volatility_curve.size(),
        columns.proportional_dividends.size(), columns.surface.size()}) {
    same = same && size == all;
  }
  for (std::size_t i = 0; same && i + 1 < offset.size(); ++i) {
    auto const count = static_cast<std::size_t>(offset[i + 1] - offset[i]);
    same = count >= 1 && count <= underlyings_max;
  }
  if (same && columns.correlation.size() == matrix_entries(columns)) return;
  throw InputError("the columns of the baskets do not belong together",
                   "there are " + std::to_string(offset.size()) + " offsets, " +
                       std::to_string(all) + " weights and " +
                       std::to_string(columns.correlation.size()) + " correlations",
                   "give each basket 1 to 64 underlyings and one correlation for each two of them");
}

Curve const* curve_at(Curves const& curves, std::int32_t number, CurveKind kind, CurveKind other) {
  if (number < -1 || number >= curves.count()) {
    throw InputError("a curve of a basket's underlying is not there",
                     "there are " + std::to_string(curves.count()),
                     "check the baskets with makespan.price, which names every wrong value");
  }
  Curve const* const curve = curves.at(number);
  if (curve == nullptr || curve->kind == kind || curve->kind == other) return curve;
  throw InputError("a curve of a basket's underlying is of another kind", "it is not for this use",
                   "check the baskets with makespan.price, which names every wrong value");
}

Surface const* surface_at(std::span<Surface const> surfaces, std::int32_t number) {
  if (number == -1) return nullptr;
  if (number >= 0 && static_cast<std::size_t>(number) < surfaces.size()) {
    return &surfaces[static_cast<std::size_t>(number)];
  }
  throw InputError("a surface of a basket's underlying is not there",
                   "there are " + std::to_string(surfaces.size()),
                   "check the baskets with makespan.price, which names every wrong value");
}

Underlying underlying_at(BasketColumns const& columns, Curves const& curves,
                         std::span<Surface const> surfaces, std::size_t i) {
  using enum CurveKind;
  return {.weight = columns.weight[i],
          .spot = columns.spot[i],
          .dividend_yield = columns.dividend_yield[i],
          .volatility = columns.volatility[i],
          .yield_curve = curve_at(curves, columns.yield_curve[i], zero_rate, forward_rate),
          .forward_curve = curve_at(curves, columns.forward_curve[i], forward_price, forward_price),
          .volatility_curve =
              curve_at(curves, columns.volatility_curve[i], volatility, forward_volatility),
          .dividends = curve_at(curves, columns.proportional_dividends[i], proportional_dividend,
                                proportional_dividend),
          .surface = surface_at(surfaces, columns.surface[i])};
}

std::string_view why_not(Underlying const& one) {
  auto const is_number = [](double x) { return std::isfinite(x); };
  if (!(is_number(one.weight) && one.weight != 0)) return "its weight is 0 or no number";
  if (!(is_number(one.spot) && one.spot > 0)) return "its spot is not a positive number";
  if (!is_number(one.dividend_yield)) return "its yield is no number";
  if (!(is_number(one.volatility) && one.volatility >= 0)) return "its volatility is no number";
  int const volatilities = (one.volatility != 0 ? 1 : 0) +
                           (one.volatility_curve != nullptr ? 1 : 0) +
                           (one.surface != nullptr ? 1 : 0);
  if (volatilities > 1) return "it has two volatilities";
  bool const grows_otherwise =
      one.yield_curve != nullptr || one.dividends != nullptr || one.dividend_yield != 0;
  if (one.forward_curve != nullptr && grows_otherwise) return "it says twice how its price grows";
  return {};
}

void check_correlation(std::size_t number, Basket const& basket) {
  std::size_t const count = basket.underlyings.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (basket.correlation[i * count + i] != 1) refuse_basket(number, i, "it is not 1 with itself");
    for (std::size_t k = 0; k < i; ++k) {
      double const one = basket.correlation[i * count + k];
      bool const is_one = std::isfinite(one) && std::fabs(one) <= 1;
      if (!is_one || one != basket.correlation[k * count + i]) {
        refuse_basket(number, i, "a correlation is not in -1 .. 1, or not the same both ways");
      }
    }
  }
}

void add_components(std::size_t number, Basket& basket) {
  auto components = principal_components(basket.correlation, basket.underlyings.size());
  if (!components.is_positive) {
    refuse_basket(number, 0, "the correlations of its basket are not positive semidefinite");
  }
  basket.loading = std::move(components.loading);
  basket.factors = components.factors;
  basket.root = std::move(components.root);
}

bool has_variance(Contract const& contract, double end) {
  return variance_to(contract, end) >= 1e-30;
}

}  // namespace

std::vector<Basket> baskets_of(BasketColumns const& columns, Curves const& curves,
                               std::span<Surface const> surfaces) {
  check_columns(columns);
  std::vector<Basket> baskets;
  std::size_t entry = 0;
  for (std::size_t number = 0; number + 1 < columns.offset.size(); ++number) {
    Basket basket{};
    auto const end = static_cast<std::size_t>(columns.offset[number + 1]);
    for (auto i = static_cast<std::size_t>(columns.offset[number]); i < end; ++i) {
      Underlying const one = underlying_at(columns, curves, surfaces, i);
      std::string_view const why = why_not(one);
      if (!why.empty()) refuse_basket(number, basket.underlyings.size(), why);
      basket.gross += std::fabs(one.weight) * one.spot;
      basket.net += one.weight * one.spot;
      basket.underlyings.push_back(one);
    }
    std::size_t const entries = basket.underlyings.size() * basket.underlyings.size();
    auto const matrix = columns.correlation.subspan(entry, entries);
    basket.correlation.assign(matrix.begin(), matrix.end());
    entry += entries;
    check_correlation(number, basket);
    add_components(number, basket);
    baskets.push_back(std::move(basket));
  }
  return baskets;
}

Basket basket_of_one(Contract const& contract, Surface const* surface) {
  bool const is_local = surface != nullptr;
  bool const has_curve = contract.volatility_curve != nullptr;
  bool const has_forwards = contract.forward_curve != nullptr;
  // alone() makes the row's drift again of rate and yield.
  Underlying const one{.weight = 1,
                       .spot = contract.spot,
                       .dividend_yield = has_forwards ? 0 : contract.rate - contract.drift,
                       .volatility = is_local || has_curve ? 0 : contract.volatility,
                       .yield_curve = contract.yield_curve,
                       .forward_curve = contract.forward_curve,
                       .volatility_curve = is_local ? nullptr : contract.volatility_curve,
                       .dividends = contract.dividends,
                       .surface = surface};
  return {.underlyings = {one},
          .correlation = {1},
          .loading = {1},
          .factors = 1,
          .root = {1},
          .gross = contract.spot,
          .net = contract.spot};
}

bool has_surface(Basket const& basket) {
  return std::ranges::any_of(basket.underlyings,
                             [](Underlying const& one) { return one.surface != nullptr; });
}

Contract alone(Contract const& contract, Underlying const& underlying) {
  Contract out = contract;
  out.basket = nullptr;
  out.spot = underlying.spot;
  bool const has_forwards = underlying.forward_curve != nullptr;
  out.drift = has_forwards ? 0 : contract.rate - underlying.dividend_yield;
  out.drift_given = contract.drift_given;
  out.yield_curve = underlying.yield_curve;
  out.forward_curve = underlying.forward_curve;
  out.volatility_curve = underlying.volatility_curve;
  out.dividends = underlying.dividends;
  out.volatility = underlying.volatility;
  // Of a curve the root mean square, as Contract::volatility has it.
  if (underlying.volatility_curve != nullptr) {
    double const end = horizon(contract);
    out.volatility = end > 0 ? std::sqrt(underlying.volatility_curve->total_at(end) / end) : 0;
  }
  return out;
}

std::vector<double> volatility_times(Contract const& contract) {
  double const end = horizon(contract);
  std::vector<double> times;
  for (Underlying const& one : contract.basket->underlyings) {
    if (one.volatility_curve == nullptr) continue;
    for (double const time : one.volatility_curve->time) {
      if (time < end) times.push_back(time);
    }
  }
  std::ranges::sort(times);
  auto const repeated = std::ranges::unique(times);
  times.erase(repeated.begin(), repeated.end());
  return times;
}

bool basket_stands_still(Contract const& contract) {
  double const end = horizon(contract);
  return std::ranges::none_of(contract.basket->underlyings, [&](Underlying const& one) {
    bool const is_local = one.surface != nullptr && end > 0;
    return is_local || has_variance(alone(contract, one), end);
  });
}

}  // namespace makespan::asian
