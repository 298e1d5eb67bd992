// SPDX-License-Identifier: Apache-2.0
// Goal: rows of a local volatility are priced right, with honest Greeks, by every method that can,
// and with the same bits wherever they were computed. Method: a flat surface against a known
// volatility; plain paths against controlled ones and low-discrepancy ones; Greeks against
// differences of prices from the same random numbers; steps of several lengths against one another.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "apps/asian/mixed_book.hpp"
#include "apps/asian/surface_contracts.hpp"
#include "makespan/apps/asian/run/pricing_run.hpp"
#include "makespan/base/error.hpp"

namespace makespan::asian {
namespace {

std::vector<Contract> surface_rows() {
  Contract late = monthly_call();
  late.last_fixing = 0.75;
  return {monthly_call(), put(seasoned(with_start(monthly_call()))), late, on_strike(late, 1.02),
          put(on_strike(seasoned(with_start(monthly_call())), 0.95))};
}

BookColumns surface_book(std::int64_t paths) {
  BookColumns columns;
  std::uint64_t key = 900;
  for (SurfaceOf const& surface : {skewed(), flat(0.3)}) {
    std::int32_t const number = add_surface(columns, surface);
    for (Contract contract : surface_rows()) {
      contract.key = ++key;
      contract.paths = paths;
      add_surface_row(columns, contract, number, key % 2 == 0 ? 64 : 20);
    }
  }
  add_surface_row(columns, monthly_call(), -1);
  return columns;
}

ResultBook results_of(BookColumns const& columns, Method method, bool greeks = true) {
  PricingRun run{columns.book(), settings_of(method, greeks)};
  EXPECT_TRUE(run.summary().complete);
  return run.results();
}

// Steps of a constant volatility are exact, and the normals are those of a basket's paths.
TEST(SurfacePricing, of_a_flat_surface_is_that_of_a_known_volatility) {
  for (Contract const& contract : surface_rows()) {
    BookColumns local;
    add_surface_row(local, contract, add_surface(local, flat(0.2)), 1);
    BookColumns known;
    add_basket_row(known, contract, add_basket(known, {{asset(1, 100, 0.2, 0.03)}, {1}}));
    for (Method const method : {Method::mc, Method::mc_plain, Method::rqmc}) {
      ResultBook const ours = results_of(local, method);
      ResultBook const theirs = results_of(known, method);
      for (Output const k : {price, delta, vega, rho, dividend_rho, theta}) {
        EXPECT_NEAR(ours.value[k][0], theirs.value[k][0], 1e-9) << k;
        EXPECT_NEAR(ours.std_error[k][0], theirs.std_error[k][0], 1e-9) << k;
      }
    }
  }
}

// Far from the money the volatility is that of the border that is nearest to it.
TEST(SurfacePricing, of_a_surface_on_one_side_of_the_money_is_that_of_its_border) {
  for (auto const& [side, volatility] :
       {std::pair{-1, std::vector{0.4, 0.3, 0.2}}, std::pair{1, std::vector{0.2, 0.3, 0.4}}}) {
    SurfaceOf surface{{0.5}, {}, volatility};
    for (double const x : {0.1, 0.2, 0.3}) surface.log_moneyness.push_back(side * x);
    std::ranges::sort(surface.log_moneyness);
    Contract contract = monthly_call();
    for (double* time : {&contract.expiry, &contract.first_fixing, &contract.last_fixing}) {
      *time *= 1e-3;
    }
    BookColumns ours;
    add_surface_row(ours, contract, add_surface(ours, surface));
    BookColumns of_border;
    add_surface_row(of_border, contract, add_surface(of_border, flat(0.2)));

    EXPECT_NEAR(results_of(ours, Method::mc).value[price][0],
                results_of(of_border, Method::mc).value[price][0], 1e-9)
        << side;
  }
}

TEST(SurfacePricing, agrees_between_plain_controlled_and_low_discrepancy_paths) {
  BookColumns const plain = surface_book(is_small_build ? 1 << 14 : 1 << 17);
  BookColumns const controlled = surface_book(is_small_build ? 1 << 12 : 1 << 14);
  ResultBook const theirs = results_of(plain, Method::mc_plain);
  for (Method const method : {Method::mc, Method::rqmc}) {
    ResultBook const ours = results_of(controlled, method);
    for (std::size_t row = 0; row < plain.spot.size(); ++row) {
      for (std::size_t k = 0; k < output_count; ++k) {
        ASSERT_EQ(std::isnan(ours.value[k][row]), std::isnan(theirs.value[k][row])) << row << k;
        if (std::isnan(ours.value[k][row])) continue;
        double const error = std::hypot(ours.std_error[k][row], theirs.std_error[k][row]);
        EXPECT_NEAR(ours.value[k][row], theirs.value[k][row], 4.8 * error + 1e-9)
            << row << ' ' << k;
      }
      EXPECT_GT(ours.variance_reduction[row], 15) << row;
    }
  }
}

SurfaceOf moved(SurfaceOf surface, double time, double moneyness, double volatility) {
  for (double& t : surface.time) t = std::max(t - time, 0.0);
  for (double& x : surface.log_moneyness) x -= moneyness;
  for (double& value : surface.volatility) value += volatility;
  return surface;
}

double surface_price(SurfaceOf const& surface, Contract const& contract) {
  BookColumns columns;
  add_surface_row(columns, contract, add_surface(columns, surface), 11);
  return results_of(columns, Method::mc, false).value[price][0];
}

TEST(SurfacePricing, has_Greeks_that_are_differences_of_prices) {
  constexpr double h = 1e-3;
  SurfaceOf surface = skewed();
  surface.time[0] = 0.1;  // as it is before that, so that time may pass
  for (Contract contract : {monthly_call(), put(seasoned(with_start(monthly_call()))),
                            put(on_strike(monthly_call(), 0.97))}) {
    contract.paths = is_small_build ? 1 << 13 : 1 << 16;
    BookColumns columns;
    add_surface_row(columns, contract, add_surface(columns, surface), 11);
    ResultBook const results = results_of(columns, Method::mc);
    auto const expect = [&](Output output, auto const& price_at) {
      double const difference = (price_at(h) - price_at(-h)) / (2 * h);
      double const value = results.value[output][0];
      EXPECT_NEAR(value, difference,
                  4.5 * results.std_error[output][0] + 5e-4 * (std::fabs(value) + 0.02))
          << output << ' ' << contract.side;
    };
    // The volatility stays where it is as a function of the price.
    expect(delta, [&](double x) {
      Contract other = contract;
      other.spot *= std::exp(x);
      return surface_price(moved(surface, 0, x, 0), other) / contract.spot;
    });
    expect(vega, [&](double x) { return surface_price(moved(surface, 0, 0, x), contract); });
    expect(dividend_rho, [&](double x) {
      Contract other = contract;
      other.drift -= x;
      return surface_price(surface, other);
    });
    expect(rho, [&](double x) {
      Contract other = contract;
      other.rate += x;
      other.drift += x;
      return surface_price(surface, other);
    });
    if (fixes_now(contract)) continue;  // a day later that fixing is past
    expect(theta, [&](double x) {
      Contract other = contract;
      other.first_fixing -= x;
      other.last_fixing -= x;
      other.expiry -= x;
      return surface_price(moved(surface, x, 0, 0), other);
    });
    EXPECT_TRUE(std::isnan(results.value[gamma][0]));
  }
}

// The usual steps against eight times as many.
TEST(SurfacePricing, is_off_by_nothing_that_is_seen_at_64_steps_a_year) {
  auto const price_with = [](std::int64_t steps) {
    BookColumns columns;
    Contract contract = monthly_call();
    contract.paths = is_small_build ? 1 << 14 : 1 << 19;
    add_surface_row(columns, contract, add_surface(columns, skewed()), steps);
    ResultBook const results = results_of(columns, Method::mc, false);
    return std::pair{results.value[price][0], results.std_error[price][0]};
  };
  auto const fine = price_with(512);
  auto const usual = price_with(64);
  EXPECT_NEAR(usual.first, fine.first, 4.5 * std::hypot(usual.second, fine.second) + 1e-4);
}

// Points far away that say what the border says change nothing.
TEST(SurfacePricing, does_not_depend_on_how_far_the_grid_goes) {
  std::vector<double> values;
  for (double const far : {0.0, 1.0, 20.0}) {
    SurfaceOf surface{{0.5}, {}, {}};
    if (far > 0) surface.log_moneyness.push_back(-far);
    for (int i = -6; i <= 6; ++i) surface.log_moneyness.push_back(0.05 * i);
    if (far > 0) surface.log_moneyness.push_back(far);
    for (double const x : surface.log_moneyness) {
      surface.volatility.push_back(0.2 + 0.05 * std::cos(10 * std::clamp(x, -0.3, 0.3)));
    }
    BookColumns columns;
    Contract contract = monthly_call();
    contract.paths = 1 << 15;
    add_surface_row(columns, contract, add_surface(columns, surface));
    values.push_back(results_of(columns, Method::mc, false).value[price][0]);
  }
  for (double const value : values) EXPECT_NEAR(value, values.front(), 4e-3);
}

TEST(SurfacePricing, has_the_same_bits_for_all_threads_and_instruction_sets) {
  expect_same_bits_everywhere(surface_book(3000),
                              {Method::automatic, Method::mc_plain, Method::rqmc});
}

TEST(SurfacePricing, of_a_basket_mixes_known_and_local_volatilities) {
  BookColumns columns;
  std::int32_t const surface = add_surface(columns, skewed());
  std::int32_t const basket = add_basket(columns, five());
  columns.basket_surface[1] = surface;
  columns.basket_volatility[1] = 0;
  Contract contract = monthly_call();
  contract.paths = 1 << 14;
  add_basket_row(columns, contract, basket);
  ResultBook const controlled = results_of(columns, Method::mc);
  columns.paths[0] = 1 << 17;
  ResultBook const plain = results_of(columns, Method::mc_plain);
  for (Output const k : {price, delta, vega, rho, dividend_rho, theta}) {
    double const error = std::hypot(controlled.std_error[k][0], plain.std_error[k][0]);
    EXPECT_NEAR(controlled.value[k][0], plain.value[k][0], 4.5 * error) << k;
  }
  EXPECT_GT(controlled.variance_reduction[0], 50);
}

TEST(SurfacePricing, refuses_rows_that_say_more_than_they_may) {
  auto const refuses = [](auto const& change, Method method = Method::mc) {
    BookColumns columns;
    add_surface_row(columns, monthly_call(), add_surface(columns, skewed()));
    change(columns);
    EXPECT_THROW((PricingRun{columns.book(), settings_of(method, false)}), InputError);
  };
  refuses([](BookColumns& columns) { columns.volatility[0] = 0.2; });
  refuses([](BookColumns& columns) { columns.average_type[0] = 1; });
  refuses([](BookColumns& columns) { columns.surface[0] = 1; });
  refuses([](BookColumns& columns) { columns.steps_per_year[0] = 0; });
  refuses([](BookColumns& columns) { columns.surface_time[0] = -1; });
  refuses([](BookColumns& /*columns*/) {}, Method::exact);
}

}  // namespace
}  // namespace makespan::asian
