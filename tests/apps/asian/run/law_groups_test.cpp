// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/run/detail/law_groups.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "apps/asian/book_columns.hpp"
#include "apps/asian/sample_contracts.hpp"

namespace makespan::asian {
namespace {

TEST(LawGroups, put_rows_of_one_law_under_the_least) {
  Contract const a = monthly_call();
  Contract b = a;
  b.volatility = 0.3;
  Contract a_again = seasoned(a);
  a_again.strike = 90;
  Contract fine = a;
  fine.paths = 0;
  fine.std_error = 1e-9;
  BookColumns columns;
  for (Contract const& one : {b, a, b, a_again, fine, a}) columns.add(one);
  LawGroups const groups(ContractReader{columns.book()},
                         std::array<std::int64_t, 6>{0, 1, 2, 3, 4, 5});

  auto const rows = [&](std::int64_t first) {
    auto const found = groups.rows_of(first);
    return std::vector<std::int64_t>(found.begin(), found.end());
  };
  EXPECT_EQ(rows(0), (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(rows(1), (std::vector<std::int64_t>{1, 3, 5}));
  EXPECT_EQ(rows(4), (std::vector<std::int64_t>{4}));
  for (std::int64_t const other : {2, 3, 5, 6, -1}) EXPECT_TRUE(rows(other).empty()) << other;
}

TEST(LawGroups, of_no_rows_are_none) {
  EXPECT_TRUE(LawGroups{}.rows_of(0).empty());
}

}  // namespace
}  // namespace makespan::asian
