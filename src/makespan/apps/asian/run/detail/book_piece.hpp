// SPDX-License-Identifier: Apache-2.0
// What came of some blocks of one option, and how that travels to the image that keeps the book.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/apps/asian/estimate/moment_tree.hpp"
#include "makespan/apps/asian/run/detail/row_kind.hpp"
#include "makespan/apps/asian/run/option_worker.hpp"
#include "makespan/apps/asian/run/result_book.hpp"

namespace makespan::asian {

// A row that is priced without samples.
struct RowResult {
  std::int64_t row;
  RowStatus status;
  OptionResult result;
};

struct BookPiece {
  std::int64_t row{};               // of a solve: the first of its rows
  std::int64_t items{};             // blocks, or parts of a solve's rows
  std::int64_t samples{};           // in all of them
  double seconds{};                 // of thread time
  std::vector<RowResult> exact{};   // of rows that need no samples
  std::vector<MomentTree> trees{};  // by replicate

  // Takes over what came of other blocks of the same option.
  void add(BookPiece&& other);
};

// Adds a piece to those that a thread has made: to the last one, if that is of the same option.
void add_to(std::vector<BookPiece>& pieces, BookPiece&& piece);

// Appends a piece; as it lies in memory, since all images run the same program. Tested by
// tests/apps/asian/run/book_piece_test.cpp.
void append(BookPiece const& piece, std::vector<std::byte>& bytes);
// Takes the next piece off the front of `bytes`. Throws std::out_of_range where they end too early,
// and InputError for blocks that there are not.
[[nodiscard]] BookPiece take_piece(std::span<std::byte const>& bytes);

// What pieces of a book have.
struct PieceBounds {
  std::int64_t rows{};
  std::size_t replicates{};
  std::size_t moments{};  // of each
  std::int64_t count_max{std::int64_t{1}
                         << 40};  // of blocks, and of samples: far beyond any option
};

// Throws InputError for one that is of no row, or without its sums or results.
void expect_within(PieceBounds const& bounds, BookPiece const& piece);

// What pieces of one row have.
struct RowBounds {
  RowKind kind{};
  std::size_t replicates{};
  std::int64_t samples_of_block{};  // at most
};

// Throws InputError for one whose blocks, samples and results are not those of such a row. Its row
// must be one of the book.
void expect_within(RowBounds const& bounds, BookPiece const& piece);

// The sums of a row whose round is through, by replicate, each of so many samples. Throws
// InputError where they cannot be: pieces of another image have come without blocks of theirs.
[[nodiscard]] std::vector<std::vector<double>> totals_of(BookPiece const& sum,
                                                         std::size_t replicates,
                                                         std::int64_t samples);

}  // namespace makespan::asian
