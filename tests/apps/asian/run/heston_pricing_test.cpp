// SPDX-License-Identifier: Apache-2.0
// Goal: rows of a random variance have the same bits wherever they were computed, and are refused
// where no method can. Method: a book under many settings, compared by bits. That their prices are
// right: heston_statistics_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "apps/asian/heston_book.hpp"
#include "apps/asian/mixed_book.hpp"
#include "makespan/apps/asian/run/pricing_run.hpp"
#include "makespan/base/error.hpp"

namespace makespan::asian {
namespace {

TEST(HestonPricing, has_the_same_bits_for_all_threads_and_instruction_sets) {
  expect_same_bits_everywhere(heston_book(1500), {Method::automatic, Method::mc_plain});
}

TEST(HestonPricing, gives_a_row_the_same_price_alone) {
  BookColumns const columns = heston_book(2000);
  PricingRun whole{columns.book(), settings_of(Method::automatic, false)};
  static_cast<void>(whole.summary());
  for (std::int64_t const row : {0, 5, 6, 17, 40}) {
    BookColumns one = columns.only(row);
    PricingRun run{one.book(), settings_of(Method::automatic, false, 1)};
    static_cast<void>(run.summary());
    EXPECT_EQ(run.results().value[price][0],
              whole.results().value[price][static_cast<std::size_t>(row)])
        << row;
  }
}

TEST(HestonPricing, refuses_methods_that_cannot) {
  BookColumns columns;
  add_heston_row(columns, monthly_call(), heston_models[0]);
  for (Method const method : {Method::exact, Method::rqmc}) {
    EXPECT_THROW((PricingRun{columns.book(), settings_of(method, false)}), InputError);
  }
  BookColumns known;
  add_heston_row(known, geometric(monthly_call()), heston_models[0]);
  EXPECT_NO_THROW((PricingRun{known.book(), settings_of(Method::exact, false)}));
}

TEST(HestonPricing, refuses_parameters_that_are_none) {
  for (Heston const& model :
       {Heston{-0.1, 1, 0.04, 0.3, 0}, Heston{0.04, 0, 0.04, 0.3, 0}, Heston{0.04, 1, 0, 0.3, 0},
        Heston{0.04, 1, 0.04, -0.3, 0}, Heston{0.04, 1, 0.04, 0.3, 1.1},
        Heston{0.04, 1, 0.04, std::nan(""), 0}, Heston{std::nan(""), 1, 0.04, 0.3, 0}}) {
    BookColumns columns;
    add_heston_row(columns, monthly_call(), model);
    EXPECT_THROW((PricingRun{columns.book(), settings_of(Method::mc, false)}), InputError);
  }
  BookColumns columns;
  add_heston_row(columns, monthly_call(), heston_models[0]);
  columns.correlation.clear();
  EXPECT_THROW((PricingRun{columns.book(), settings_of(Method::mc, false)}), InputError);
}

}  // namespace
}  // namespace makespan::asian
