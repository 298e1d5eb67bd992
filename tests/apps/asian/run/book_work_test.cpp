// SPDX-License-Identifier: Apache-2.0
// Goal: rounds that image 0 sends arrive, and such that are of no book are refused before a row is
// looked up by them. Method: good rounds with one number made wrong.
#include "makespan/apps/asian/run/book_work.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "makespan/base/error.hpp"

namespace makespan::asian {
namespace {

std::vector<BookRound> sent(std::vector<BookRound> const& rounds) {
  return rounds_from(std::as_bytes(std::span(rounds)), 3);
}

TEST(BookWork, takes_rounds_as_they_were_sent) {
  auto const got = sent({{.row = 2, .samples_from = 0, .samples_to = 512},
                         {.row = 0, .samples_from = 512, .samples_to = 1024}});

  ASSERT_EQ(got.size(), 2U);
  EXPECT_EQ(got[0].row, 2);
  EXPECT_EQ(got[0].samples_to, 512);
  EXPECT_EQ(got[1].samples_from, 512);
  EXPECT_TRUE(sent({}).empty());
}

TEST(BookWork, refuses_rounds_of_rows_that_there_are_not) {
  EXPECT_THROW(sent({{.row = 3, .samples_from = 0, .samples_to = 1}}), InputError);
  EXPECT_THROW(sent({{.row = -1, .samples_from = 0, .samples_to = 1}}), InputError);
  BookRound const first{.row = 1, .samples_from = 0, .samples_to = 1};
  EXPECT_THROW(sent({first, first}), InputError);
}

// To the last row that a message can name nothing can be added.
TEST(BookWork, names_the_row_of_a_refused_round_as_it_came) {
  std::int64_t const last = std::numeric_limits<std::int64_t>::max();
  try {
    static_cast<void>(sent({{.row = last, .samples_from = 0, .samples_to = 1}}));
    FAIL();
  } catch (InputError const& refused) {
    EXPECT_NE(std::string(refused.what()).find("row 9223372036854775807 (the first is 0)"),
              std::string::npos)
        << refused.what();
  }
}

TEST(BookWork, refuses_rounds_without_samples_or_with_too_many) {
  for (BookRound const& round : {BookRound{.row = 0, .samples_from = 5, .samples_to = 5},
                                 BookRound{.row = 0, .samples_from = -1, .samples_to = 5},
                                 BookRound{.row = 0, .samples_from = 0, .samples_to = 1LL << 50}}) {
    EXPECT_THROW(sent({round}), InputError) << round.samples_from << ' ' << round.samples_to;
  }
}

}  // namespace
}  // namespace makespan::asian
