// SPDX-License-Identifier: Apache-2.0
// Goal: rows come out of the columns as they went in, and no value that a kernel could not run on
// gets past the check, which names row and column. Method: one spoiled value at a time.
#include "makespan/apps/asian/contract/contract_book.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "apps/asian/book_columns.hpp"
#include "apps/asian/sample_contracts.hpp"
#include "makespan/base/error.hpp"

namespace makespan::asian {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> const times{0, 0.25, 0.5};

Contract explicitly_fixed() {
  Contract contract = monthly_call();
  contract.times = times;
  contract.fixings = 3;
  return contract;
}

BookColumns three_rows() {
  BookColumns columns;
  columns.add(monthly_call());
  columns.add(explicitly_fixed());
  columns.add(on_strike(seasoned(put(geometric(monthly_call()))), 1.2));
  return columns;
}

TEST(ContractBook, gives_back_the_rows) {
  BookColumns const columns = three_rows();
  ContractBook const book = columns.book();
  check(book);

  ASSERT_EQ(book.rows(), 3);
  Contract const first = contract_at(book, 0);
  EXPECT_EQ(first.key, monthly_call().key);
  EXPECT_EQ(first.seed, 7U);
  EXPECT_EQ(first.side, 1);
  EXPECT_EQ(first.average, Average::arithmetic);
  EXPECT_EQ(first.payoff, Payoff::average_price);
  EXPECT_EQ(first.strike, 100);
  EXPECT_EQ(first.rate, 0.06);
  EXPECT_EQ(first.drift, 0.03);
  EXPECT_EQ(first.fixings, 12);
  EXPECT_TRUE(first.times.empty());
  EXPECT_EQ(first.paths, 4096);
  EXPECT_EQ(first.max_paths, 1 << 20);
  EXPECT_EQ(std::vector(contract_at(book, 1).times.begin(), contract_at(book, 1).times.end()),
            times);
  Contract const last = contract_at(book, 2);
  EXPECT_TRUE(last.times.empty());
  EXPECT_EQ(last.side, -1);
  EXPECT_EQ(last.average, Average::geometric);
  EXPECT_EQ(last.payoff, Payoff::average_strike);
  EXPECT_EQ(last.multiplier, 1.2);
  EXPECT_EQ(last.past_count, 2);
  EXPECT_EQ(last.past_sum, 201);
}

TEST(ContractBook, without_rows_is_good) {
  EXPECT_NO_THROW(check(BookColumns{}.book()));
}

struct Spoiled {
  char const* column;
  void (*spoil)(Contract& contract);
};

// Contracts, each with one value that cannot be priced.
std::vector<Spoiled> spoiled_values() {
  return {{"spot", [](Contract& c) { c.spot = 0; }},
          {"spot", [](Contract& c) { c.spot = -1; }},
          {"spot", [](Contract& c) { c.spot = nan; }},
          {"spot", [](Contract& c) { c.spot = infinity; }},
          {"strike", [](Contract& c) { c.strike = -1; }},
          {"strike", [](Contract& c) { c.strike = nan; }},
          {"strike_multiplier", [](Contract& c) { c = on_strike(c, 0); }},
          {"strike_multiplier", [](Contract& c) { c = on_strike(c, nan); }},
          {"rate", [](Contract& c) { c.rate = nan; }},
          {"rate", [](Contract& c) { c.rate = -601; }},
          {"drift", [](Contract& c) { c.drift = infinity; }},
          {"drift", [](Contract& c) { c.drift = 601; }},
          {"volatility", [](Contract& c) { c.volatility = -0.1; }},
          {"volatility", [](Contract& c) { c.volatility = nan; }},
          {"volatility", [](Contract& c) { c.volatility = 35; }},
          {"expiry", [](Contract& c) { c.expiry = infinity; }},
          {"fixings", [](Contract& c) { c.fixings = -1; }},
          {"fixings", [](Contract& c) { c.fixings = 1'000'001; }},
          {"fixings", [](Contract& c) { c.fixings = 0; }},
          {"first_fixing", [](Contract& c) { c.first_fixing = -0.1; }},
          {"first_fixing", [](Contract& c) { c.first_fixing = 1; }},
          {"first_fixing", [](Contract& c) { c.first_fixing = nan; }},
          {"first_fixing", [](Contract& c) { c.last_fixing = 1.1; }},
          {"first_fixing", [](Contract& c) { c.last_fixing = nan; }},
          {"first_fixing", [](Contract& c) { c.fixings = 1; }},
          {"first_fixing", [](Contract& c) { c.expiry = nan; }},
          {"past_count", [](Contract& c) { c.past_count = -1; }},
          {"past_sum", [](Contract& c) { c.past_sum = -1; }},
          {"past_sum", [](Contract& c) { c.past_sum = nan; }},
          {"past_log_sum", [](Contract& c) { c.past_log_sum = infinity; }},
          {"notional", [](Contract& c) { c.notional = nan; }},
          {"paths", [](Contract& c) { c.paths = 0; }},
          {"paths", [](Contract& c) { c.paths = -1; }},
          {"paths", [](Contract& c) { c.std_error = 0.01; }},
          {"paths", [](Contract& c) { c.paths = 0, c.std_error = nan; }},
          {"paths", [](Contract& c) { c.paths = 0, c.std_error = infinity; }},
          {"paths", [](Contract& c) { c.paths = (std::int64_t{1} << 32) + 1; }},
          {"max_paths", [](Contract& c) { c.max_paths = 0; }},
          {"max_paths", [](Contract& c) { c.max_paths = (std::int64_t{1} << 32) + 1; }}};
}

TEST(ContractBook, refuses_each_wrong_value_by_row_and_column) {
  for (auto const& [column, spoil] : spoiled_values()) {
    Contract contract = monthly_call();
    spoil(contract);
    BookColumns columns;
    columns.add(monthly_call());
    columns.add(contract);
    EXPECT_THAT([&] { check(columns.book()); },
                ThrowsMessage<InputError>(
                    StartsWith("row 2: " + std::string(column) + " cannot be priced (")));
  }
}

TEST(ContractBook, refuses_a_type_that_is_none) {
  BookColumns columns = three_rows();
  columns.option_type[1] = 0;
  EXPECT_THAT([&] { check(columns.book()); },
              ThrowsMessage<InputError>(HasSubstr("row 2: option_type")));
  for (int const value : {-1, 2, 127}) {
    columns = three_rows();
    columns.average_type[1] = static_cast<std::int8_t>(value);
    EXPECT_THAT([&] { check(columns.book()); },
                ThrowsMessage<InputError>(HasSubstr("row 2: average_type")));
    columns = three_rows();
    columns.averaging[1] = static_cast<std::int8_t>(value);
    EXPECT_THAT([&] { check(columns.book()); },
                ThrowsMessage<InputError>(HasSubstr("row 2: averaging")));
  }
}

TEST(ContractBook, refuses_times_that_do_not_increase_up_to_expiry) {
  for (std::vector<double> const& wrong :
       {std::vector{-0.1, 0.2, 0.3}, std::vector{0.1, 0.1, 0.3}, std::vector{0.3, 0.2, 0.5},
        std::vector{0.1, 0.2, 1.1}, std::vector{0.1, nan, 0.3}}) {
    Contract contract = explicitly_fixed();
    contract.times = wrong;
    BookColumns columns;
    columns.add(contract);
    EXPECT_THAT([&] { check(columns.book()); },
                ThrowsMessage<InputError>(HasSubstr("row 1: fixing_times")));
  }
}

TEST(ContractBook, refuses_offsets_that_point_elsewhere) {
  for (std::vector<std::int64_t> const& wrong : {std::vector<std::int64_t>{0, 0, 4, 4},
                                                 {-1, 0, 3, 3},
                                                 {0, 3, 0, 3},
                                                 {0, 0, 2, 3},
                                                 {0, 0, 3, 2}}) {
    BookColumns columns = three_rows();
    columns.times_offset = wrong;
    EXPECT_THROW(check(columns.book()), InputError);
  }
}

TEST(ContractBook, refuses_columns_of_another_length) {
  BookColumns columns = three_rows();
  columns.notional.pop_back();
  EXPECT_THAT([&] { check(columns.book()); },
              ThrowsMessage<InputError>(
                  AllOf(HasSubstr("column notional has 2 values"), HasSubstr("give 3 values"))));
  columns = three_rows();
  columns.times_offset.pop_back();
  EXPECT_THAT([&] { check(columns.book()); },
              ThrowsMessage<InputError>(HasSubstr("column times_offset has 3 values")));
}

TEST(ContractBook, takes_what_is_only_just_right) {
  BookColumns columns;
  Contract contract = monthly_call();
  contract.strike = 0;
  contract.volatility = 0;
  contract.paths = std::int64_t{1} << 32;
  contract.max_paths = std::int64_t{1} << 32;
  columns.add(contract);
  contract = seasoned(monthly_call());
  contract.fixings = 0;
  contract.expiry = 0;
  contract.notional = -3;
  columns.add(contract);

  EXPECT_NO_THROW(check(columns.book()));
}

}  // namespace
}  // namespace makespan::asian
