// SPDX-License-Identifier: Apache-2.0
// Goal: a piece of results arrives as it was sent, and pieces of one option add up. Method: pieces
// there and back, several in one message.
#include "makespan/apps/asian/run/detail/book_piece.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>

#include "makespan/base/error.hpp"

namespace makespan::asian {
namespace {

BookPiece some_piece(std::int64_t row, std::int64_t first_block) {
  BookPiece piece{.row = row, .items = 2, .samples = 300, .seconds = 0.25};
  piece.trees.resize(2);
  for (std::size_t replicate = 0; replicate < 2; ++replicate) {
    for (std::int64_t block = first_block; block < first_block + 2; ++block) {
      double const value = static_cast<double>(10 * block) + static_cast<double>(replicate);
      piece.trees[replicate].add(block, std::array{value, value / 3});
    }
  }
  return piece;
}

TEST(BookPiece, arrives_as_it_was_sent) {
  std::vector<std::byte> bytes;
  append(some_piece(7, 0), bytes);
  BookPiece exact{.row = 9, .items = 1};
  OptionResult const result{.value = {1.5, 2.5},
                            .std_error = {},
                            .error_bound = {0.5},
                            .control_beta = 3,
                            .variance_reduction = 4,
                            .is_smoothed = false,
                            .method_price = 5};
  exact.exact = {{9, RowStatus::deterministic, result}, {12, RowStatus::ok, result}};
  append(exact, bytes);

  std::span<std::byte const> rest = bytes;
  BookPiece const first = take_piece(rest);
  BookPiece const second = take_piece(rest);

  EXPECT_TRUE(rest.empty());
  EXPECT_EQ(first.row, 7);
  EXPECT_EQ(first.items, 2);
  EXPECT_EQ(first.samples, 300);
  EXPECT_EQ(first.seconds, 0.25);
  EXPECT_TRUE(first.exact.empty());
  ASSERT_EQ(first.trees.size(), 2U);
  EXPECT_EQ(first.trees[1].total(), some_piece(7, 0).trees[1].total());
  ASSERT_EQ(second.exact.size(), 2U);
  EXPECT_EQ(second.exact[1].row, 12);
  EXPECT_EQ(second.exact[1].status, RowStatus::ok);
  EXPECT_EQ(second.exact[0].result.value, result.value);
  EXPECT_EQ(second.exact[0].result.error_bound, result.error_bound);
  EXPECT_EQ(second.exact[0].result.method_price, 5);
  EXPECT_TRUE(second.trees.empty());
}

TEST(BookPiece, adds_what_came_of_other_blocks) {
  BookPiece sum{.row = 7};
  sum.add(some_piece(7, 2));
  sum.add(some_piece(7, 0));

  EXPECT_EQ(sum.items, 4);
  EXPECT_EQ(sum.samples, 600);
  EXPECT_EQ(sum.seconds, 0.5);
  EXPECT_EQ(sum.trees[0].total().front(), 0 + 10 + 20 + 30);
}

TEST(BookPiece, that_ends_too_early_is_refused) {
  std::vector<std::byte> whole;
  append(some_piece(7, 0), whole);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    std::span<std::byte const> rest = std::span(whole).first(length);
    EXPECT_THROW(static_cast<void>(take_piece(rest)), std::out_of_range) << length;
  }
}

// Before room is made for them.
TEST(BookPiece, of_more_sums_than_there_are_bytes_is_refused) {
  std::vector<std::byte> const whole = [] {
    std::vector<std::byte> bytes;
    append(some_piece(7, 0), bytes);
    return bytes;
  }();
  constexpr std::size_t trees_at = 36;
  constexpr std::size_t nodes_at = 40;
  constexpr std::size_t moments_at = 60;
  auto const refuses = [&](std::size_t at, auto count) {
    std::vector<std::byte> bytes = whole;
    std::memcpy(bytes.data() + at, &count, sizeof count);
    std::span<std::byte const> rest = bytes;
    EXPECT_THROW(static_cast<void>(take_piece(rest)), std::out_of_range) << at;
  };
  refuses(trees_at, std::int32_t{-1});
  refuses(trees_at, std::int32_t{1} << 30);
  refuses(nodes_at, std::uint64_t{1} << 40U);
  refuses(moments_at, std::uint64_t{1} << 61U);
}

TEST(BookPiece, of_blocks_that_there_are_not_is_refused) {
  constexpr std::size_t level_at = 48;
  for (int const level : {-1, 63, std::numeric_limits<int>::max()}) {
    std::vector<std::byte> bytes;
    append(some_piece(7, 0), bytes);
    std::memcpy(bytes.data() + level_at, &level, sizeof level);
    std::span<std::byte const> rest = bytes;
    EXPECT_THROW(static_cast<void>(take_piece(rest)), InputError) << level;
  }
}

// Neighbours would be added up.
TEST(BookPiece, of_blocks_with_unlike_sums_is_refused) {
  BookPiece piece{.row = 7, .items = 2};
  piece.trees.resize(1);
  piece.trees[0].add(0, std::array{1.0});
  piece.trees[0].add(2, std::array{1.0, 2.0});
  std::vector<std::byte> bytes;
  append(piece, bytes);
  std::span<std::byte const> rest = bytes;

  EXPECT_THROW(static_cast<void>(take_piece(rest)), InputError);
}

TEST(BookPiece, with_a_status_that_there_is_not_is_refused) {
  for (auto const status : {static_cast<RowStatus>(-1), RowStatus::pending}) {
    BookPiece piece{.row = 7, .items = 1};
    piece.exact = {{7, status, {}}};
    std::vector<std::byte> bytes;
    append(piece, bytes);
    std::span<std::byte const> rest = bytes;
    EXPECT_THROW(static_cast<void>(take_piece(rest)), InputError);
  }
}

// To the last row that a message can name nothing can be added.
TEST(BookPiece, of_no_row_is_refused_by_the_row_as_it_came) {
  std::int64_t const last = std::numeric_limits<std::int64_t>::max();
  try {
    expect_within({.rows = 8, .replicates = 2, .moments = 2}, some_piece(last, 0));
    FAIL();
  } catch (InputError const& refused) {
    EXPECT_NE(std::string(refused.what()).find("row 9223372036854775807 (the first is 0)"),
              std::string::npos)
        << refused.what();
  }
}

TEST(BookPiece, of_another_book_is_refused) {
  PieceBounds const bounds{.rows = 8, .replicates = 2, .moments = 2};
  EXPECT_NO_THROW(expect_within(bounds, some_piece(7, 0)));

  BookPiece none = some_piece(7, 0);
  none.items = 0;
  BookPiece both = some_piece(7, 0);
  both.exact.push_back({7, RowStatus::ok, {}});
  BookPiece of_other_rows{.row = 7, .items = 1};
  of_other_rows.exact = {{7, RowStatus::ok, {}}, {8, RowStatus::ok, {}}};
  for (BookPiece const& piece : {some_piece(8, 0), some_piece(-1, 0), none, both, of_other_rows}) {
    EXPECT_THROW(expect_within(bounds, piece), InputError);
  }
  EXPECT_THROW(expect_within({.rows = 8, .replicates = 2, .moments = 3}, some_piece(7, 0)),
               InputError);
  EXPECT_THROW(expect_within({.rows = 8, .replicates = 1, .moments = 2}, some_piece(7, 0)),
               InputError);
}

constexpr RowBounds simulated{.kind = RowKind::simulated, .replicates = 2, .samples_of_block = 100};

// Of some_piece(), whose two trees have two blocks each.
BookPiece four_blocks() {
  BookPiece piece = some_piece(7, 0);
  piece.items = 4;
  return piece;
}

TEST(BookPiece, of_other_blocks_than_it_says_is_refused) {
  EXPECT_NO_THROW(expect_within(simulated, four_blocks()));

  BookPiece of_none{.row = 7, .items = 4};
  BookPiece of_empty_trees = of_none;
  of_empty_trees.trees.resize(2);
  BookPiece of_fewer = four_blocks();
  of_fewer.items = 5;
  BookPiece of_more = four_blocks();
  of_more.items = 3;
  BookPiece of_huge = four_blocks();
  of_huge.trees[0].add_node({62, 5, {1, 2}});
  BookPiece of_more_trees = four_blocks();
  of_more_trees.trees.resize(3);
  BookPiece of_more_samples = four_blocks();
  of_more_samples.samples = 401;
  for (BookPiece const& piece :
       {of_none, of_empty_trees, of_fewer, of_more, of_huge, of_more_trees, of_more_samples}) {
    EXPECT_THROW(expect_within(simulated, piece), InputError);
  }
}

TEST(BookPiece, of_a_row_that_is_priced_in_another_way_is_refused) {
  BookPiece exact{.row = 7, .items = 1};
  exact.exact = {{7, RowStatus::ok, {}}};
  for (RowKind const kind : {RowKind::closed_form, RowKind::recursion}) {
    EXPECT_NO_THROW(expect_within({.kind = kind}, exact));
    EXPECT_THROW(expect_within({.kind = kind}, four_blocks()), InputError);
  }
  EXPECT_THROW(expect_within(simulated, exact), InputError);
}

TEST(BookPiece, sums_are_refused_when_a_replicate_is_missing) {
  EXPECT_EQ(totals_of(some_piece(7, 0), 2, 100).at(1).front(), 0 + 1 + 10 + 1);

  EXPECT_THROW(static_cast<void>(totals_of({.row = 7}, 1, 100)), InputError);
  EXPECT_THROW(static_cast<void>(totals_of(some_piece(7, 0), 3, 100)), InputError);
  BookPiece empty = some_piece(7, 0);
  empty.trees.resize(3);
  EXPECT_THROW(static_cast<void>(totals_of(empty, 3, 100)), InputError);
}

// It becomes a whole number.
TEST(BookPiece, sums_are_refused_when_more_samples_were_exercised_than_there_are) {
  for (double const count : {std::numeric_limits<double>::quiet_NaN(), 1e300, 101.0, -1.0}) {
    BookPiece sum{.row = 7};
    sum.trees.resize(1);
    sum.trees[0].add(0, std::array{count, 0.0});
    EXPECT_THROW(static_cast<void>(totals_of(sum, 1, 100)), InputError) << count;
  }
}

}  // namespace
}  // namespace makespan::asian
