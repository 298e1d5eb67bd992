// SPDX-License-Identifier: Apache-2.0
// Goal: a book arrives with every column and setting that results depend on, and one that cannot be
// priced is refused. Method: a mixed book there and back, row by row.
#include "makespan/apps/asian/run/detail/book_wire.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "apps/asian/mixed_book.hpp"
#include "makespan/apps/asian/contract/term_structure.hpp"
#include "makespan/base/error.hpp"

namespace makespan::asian {
namespace {

TEST(BookWire, brings_every_column) {
  BookColumns const columns = mixed_book();
  ReceivedBook const received(bytes_of(columns.book(), settings_of(Method::rqmc, true)));

  ContractBook const& book = received.book();
  ASSERT_EQ(book.rows(), columns.book().rows());
  ContractReader const sent_rows{columns.book()};
  ContractReader const got_rows{book};
  for (std::int64_t row = 0; row < book.rows(); ++row) {
    Contract const sent = sent_rows.at(row);
    Contract const got = got_rows.at(row);
    EXPECT_EQ(interest(got), interest(sent));
    EXPECT_EQ(growth_to(got, 0.6), growth_to(sent, 0.6));
    EXPECT_EQ(variance_to(got, 0.6), variance_to(sent, 0.6));
    EXPECT_EQ(got.past_sum, sent.past_sum);
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

TEST(BookWire, refuses_a_book_that_ends_too_early) {
  std::vector<std::byte> const whole = bytes_of(mixed_book().book(), settings_of(Method::mc, true));
  for (std::size_t length = 0; length < whole.size(); length += 8) {
    EXPECT_THROW(ReceivedBook(std::span(whole).first(length)), std::out_of_range) << length;
  }
}

// Also where the bytes of so many would, in 64 bits, be few again.
TEST(BookWire, refuses_columns_longer_than_the_message) {
  std::vector<std::byte> bytes = bytes_of(mixed_book().book(), settings_of(Method::mc, true));
  constexpr std::size_t first_count_at = 24;
  for (std::uint64_t const count : {std::uint64_t{1} << 40U, std::uint64_t{1} << 61U,
                                    (std::uint64_t{1} << 61U) + 1, ~std::uint64_t{0}}) {
    std::memcpy(bytes.data() + first_count_at, &count, sizeof count);
    EXPECT_THROW(ReceivedBook{bytes}, std::out_of_range) << count;
  }
}

TEST(BookWire, refuses_a_method_and_a_precision_that_there_are_not) {
  std::vector<std::byte> const good = bytes_of(mixed_book().book(), settings_of(Method::mc, true));
  constexpr std::size_t method_at = 0;
  constexpr std::size_t precision_at = 12;
  for (std::size_t const at : {method_at, precision_at}) {
    for (std::int32_t const number : {static_cast<std::int32_t>(methods().size()), -1}) {
      std::vector<std::byte> bytes = good;
      std::memcpy(bytes.data() + at, &number, sizeof number);
      EXPECT_THROW(ReceivedBook{bytes}, InputError) << at << ' ' << number;
    }
  }
}

}  // namespace
}  // namespace makespan::asian
