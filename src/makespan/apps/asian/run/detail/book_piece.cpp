// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/run/detail/book_piece.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "makespan/apps/asian/kernel/moment_job.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/number_text.hpp"

namespace makespan::asian {

namespace {

template <class T>
void append_value(std::vector<std::byte>& bytes, T const& value) {
  auto const* const begin = reinterpret_cast<std::byte const*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof value);
}

template <class T>
T take_value(std::span<std::byte const>& bytes) {
  T value;
  if (bytes.size() < sizeof value) throw std::out_of_range("results end before the last one");
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes = bytes.subspan(sizeof value);
  return value;
}

RowResult take_row_result(std::span<std::byte const>& bytes) {
  // To load a bool of another byte is undefined.
  constexpr std::size_t smoothed_at =
      offsetof(RowResult, result) + offsetof(OptionResult, is_smoothed);
  if (smoothed_at < bytes.size() && bytes[smoothed_at] > std::byte{1}) {
    throw InputError("a result", "whether it is smoothed it says by neither 0 nor 1",
                     "start the same executable on all images");
  }
  auto const result = take_value<RowResult>(bytes);
  if (result.status >= RowStatus::ok && result.status < RowStatus::pending) return result;
  throw InputError("status " + std::to_string(static_cast<int>(result.status)) + " of a result",
                   "there is no such status", "start the same executable on all images");
}

// Of what takes at least `each` bytes: before room is made for it.
std::size_t take_count(std::span<std::byte const>& bytes, std::size_t each) {
  auto const count = take_value<std::uint64_t>(bytes);
  if (count > bytes.size() / each) throw std::out_of_range("results end before the last one");
  return static_cast<std::size_t>(count);
}

// A tree adds levels up as far as its blocks go, and sums one by one.
void expect_node(MomentTree::Node const& node, std::size_t moments) {
  // A node of a higher level holds more blocks than 64 bits count.
  constexpr int level_max = 62;
  bool const is_block = node.level >= 0 && node.level <= level_max && node.index >= 0;
  if (is_block && node.moments.size() == moments) return;
  throw InputError("sums of blocks from " + std::to_string(node.index) + " of level " +
                       std::to_string(node.level),
                   "there are no such blocks, or others have more sums",
                   "start the same executable on all images");
}

struct Head {
  std::int64_t row;
  std::int64_t items;
  std::int64_t samples;
  double seconds;
  std::int32_t exact;  // rows
  std::int32_t trees;
};

// A count at least; level, index and a count.
constexpr std::size_t tree_bytes_min = 8;
constexpr std::size_t node_bytes_min = 20;

}  // namespace

void BookPiece::add(BookPiece&& other) {
  MAKESPAN_EXPECT(row == other.row);
  items += other.items;
  samples += other.samples;
  seconds += other.seconds;
  exact.insert(exact.end(), other.exact.begin(), other.exact.end());
  trees.resize(std::max(trees.size(), other.trees.size()));
  for (std::size_t i = 0; i < other.trees.size(); ++i) trees[i].add_all(std::move(other.trees[i]));
}

void add_to(std::vector<BookPiece>& pieces, BookPiece&& piece) {
  // A thread runs pieces of one row after the other: they are kept, and travel, as one.
  if (!pieces.empty() && pieces.back().row == piece.row) {
    pieces.back().add(std::move(piece));
  } else {
    pieces.push_back(std::move(piece));
  }
}

void append(BookPiece const& piece, std::vector<std::byte>& bytes) {
  append_value(bytes, Head{.row = piece.row,
                           .items = piece.items,
                           .samples = piece.samples,
                           .seconds = piece.seconds,
                           .exact = static_cast<std::int32_t>(piece.exact.size()),
                           .trees = static_cast<std::int32_t>(piece.trees.size())});
  for (RowResult const& row : piece.exact) append_value(bytes, row);
  for (MomentTree const& tree : piece.trees) {
    append_value(bytes, static_cast<std::uint64_t>(tree.nodes().size()));
    for (MomentTree::Node const& node : tree.nodes()) {
      append_value(bytes, node.level);
      append_value(bytes, node.index);
      append_value(bytes, static_cast<std::uint64_t>(node.moments.size()));
      for (double const moment : node.moments) append_value(bytes, moment);
    }
  }
}

BookPiece take_piece(std::span<std::byte const>& bytes) {
  auto const head = take_value<Head>(bytes);
  BookPiece piece{
      .row = head.row, .items = head.items, .samples = head.samples, .seconds = head.seconds};
  if (head.exact < 0 || static_cast<std::size_t>(head.exact) > bytes.size() / sizeof(RowResult)) {
    throw std::out_of_range("results end before the last one");
  }
  for (std::int32_t i = 0; i < head.exact; ++i) piece.exact.push_back(take_row_result(bytes));
  if (head.trees < 0 || static_cast<std::size_t>(head.trees) > bytes.size() / tree_bytes_min) {
    throw std::out_of_range("results end before the last one");
  }
  piece.trees.resize(static_cast<std::size_t>(head.trees));
  std::optional<std::size_t> moments;
  for (MomentTree& tree : piece.trees) {
    for (std::size_t nodes = take_count(bytes, node_bytes_min); nodes > 0; --nodes) {
      MomentTree::Node node{};
      node.level = take_value<int>(bytes);
      node.index = take_value<std::int64_t>(bytes);
      node.moments.resize(take_count(bytes, sizeof(double)));
      for (double& moment : node.moments) moment = take_value<double>(bytes);
      // Trees add node to node, so all need as many sums as the first one; whether the book has as
      // many expect_within() says.
      if (!moments) moments = node.moments.size();
      expect_node(node, *moments);
      tree.add_node(std::move(node));
    }
  }
  return piece;
}

void expect_within(PieceBounds const& bounds, BookPiece const& piece) {
  auto const has_all_moments = [&](MomentTree const& tree) {
    return std::ranges::all_of(tree.nodes(), [&](MomentTree::Node const& node) {
      return node.moments.size() == bounds.moments;
    });
  };
  bool const is_there = piece.row >= 0 && piece.row < bounds.rows;
  bool const is_counted = piece.items >= 1 && piece.items <= bounds.count_max &&
                          piece.samples >= 0 && piece.samples <= bounds.count_max;
  // Replicates without a block have an empty tree, or none.
  bool const are_rows = std::ranges::all_of(
      piece.exact, [&](RowResult const& one) { return one.row >= 0 && one.row < bounds.rows; });
  bool const is_whole = !piece.exact.empty()
                            ? are_rows && piece.trees.empty()
                            : piece.trees.size() <= bounds.replicates &&
                                  std::ranges::all_of(piece.trees, has_all_moments);
  if (is_there && is_counted && is_whole) return;
  // The row as it came: any number, to which nothing can be added.
  throw InputError("results of row " + std::to_string(piece.row) + " (the first is 0) of a book",
                   "it has " + std::to_string(bounds.rows) + " rows, and each result up to " +
                       std::to_string(bounds.replicates) + " times " +
                       std::to_string(bounds.moments) + " sums",
                   "start the same executable on all images");
}

namespace {

[[noreturn]] void refuse(std::int64_t row, std::string const& why) {
  throw InputError("results of row " + std::to_string(row) + " (the first is 0) of a book", why,
                   "start the same executable on all images");
}

// Those that its nodes hold, or more than `most` where it is more.
std::int64_t blocks_of(BookPiece const& piece, std::int64_t most) {
  std::int64_t blocks = 0;
  for (MomentTree const& tree : piece.trees) {
    for (MomentTree::Node const& node : tree.nodes()) {
      bool const is_beyond = node.level >= 62 || (most - blocks) >> node.level == 0;
      if (is_beyond) return most + 1;
      blocks += std::int64_t{1} << node.level;
    }
  }
  return blocks;
}

}  // namespace

void expect_within(RowBounds const& bounds, BookPiece const& piece) {
  if (bounds.kind != RowKind::simulated) {
    if (piece.exact.empty()) refuse(piece.row, "it is not simulated");
    return;
  }
  if (!piece.exact.empty()) refuse(piece.row, "it is simulated");
  if (piece.trees.size() > bounds.replicates || blocks_of(piece, piece.items) != piece.items) {
    refuse(piece.row, "they are sums of other blocks than the " + std::to_string(piece.items) +
                          " that they are said to be of");
  }
  // Blocks are whole but for the last: so no sum of samples is above what the row is to have.
  if (piece.samples > piece.items * bounds.samples_of_block) {
    refuse(piece.row, std::to_string(piece.samples) + " samples are more than " +
                          std::to_string(piece.items) + " blocks have");
  }
}

std::vector<std::vector<double>> totals_of(BookPiece const& sum, std::size_t replicates,
                                           std::int64_t samples) {
  std::vector<std::vector<double>> totals;
  if (sum.trees.size() != replicates) refuse(sum.row, "sums of a replicate are missing");
  for (MomentTree const& tree : sum.trees) {
    if (tree.empty()) refuse(sum.row, "sums of a replicate are missing");
    std::vector<double> const& total = totals.emplace_back(tree.total());
    // Becomes a whole number. Other sums may be none, where a row is out of range.
    double const count = total[exercised];
    if (count >= 0.0 && count <= static_cast<double>(samples)) continue;
    refuse(sum.row, "of " + std::to_string(samples) + " samples " + short_text(count) +
                        " have been exercised");
  }
  return totals;
}

}  // namespace makespan::asian
