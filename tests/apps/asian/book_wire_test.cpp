// SPDX-License-Identifier: Apache-2.0
// Goal: a book arrives with every column and setting that results depend on, and one that cannot be
// priced is refused. Method: a mixed book there and back, row by row.
#include "makespan/apps/asian/book_wire.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "apps/asian/mixed_book.hpp"
#include "makespan/base/error.hpp"

namespace makespan::asian {
namespace {

TEST(BookWire, brings_every_column) {
  BookColumns const columns = mixed_book();
  ReceivedBook const received(bytes_of(columns.book(), settings_of(Method::rqmc, true)));

  ContractBook const& book = received.book();
  ASSERT_EQ(book.rows(), columns.book().rows());
  for (std::int64_t row = 0; row < book.rows(); ++row) {
    Contract const sent = contract_at(columns.book(), row);
    Contract const got = contract_at(book, row);
    EXPECT_EQ(got.key, sent.key);
    EXPECT_EQ(got.spot, sent.spot);
    EXPECT_EQ(got.volatility, sent.volatility);
    EXPECT_EQ(got.fixings, sent.fixings);
    EXPECT_EQ(got.paths, sent.paths);
    EXPECT_EQ(got.std_error, sent.std_error);
    EXPECT_EQ(got.side, sent.side);
    EXPECT_EQ(got.notional, sent.notional);
    EXPECT_TRUE(std::ranges::equal(got.times, sent.times));
  }
}

TEST(BookWire, brings_the_settings_that_results_depend_on) {
  PricingSettings settings = settings_of(Method::rqmc, true);
  settings.precision = PrecisionChoice::fp64;
  settings.philox_rounds = 7;
  settings.replicates = 64;
  ReceivedBook const received(bytes_of(mixed_book().book(), settings));

  EXPECT_EQ(received.settings().method, Method::rqmc);
  EXPECT_TRUE(received.settings().greeks);
  EXPECT_EQ(received.settings().precision, PrecisionChoice::fp64);
  EXPECT_EQ(received.settings().philox_rounds, 7);
  EXPECT_EQ(received.settings().replicates, 64);
}

TEST(BookWire, refuses_what_cannot_be_priced) {
  PricingSettings settings = settings_of(Method::rqmc, true);
  settings.philox_rounds = 8;

  EXPECT_THROW(ReceivedBook(bytes_of(mixed_book().book(), settings)), InputError);
}

}  // namespace
}  // namespace makespan::asian
