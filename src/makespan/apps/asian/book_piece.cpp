// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/book_piece.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "makespan/base/contracts.hpp"

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
  MAKESPAN_EXPECT(bytes.size() >= sizeof value);
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes = bytes.subspan(sizeof value);
  return value;
}

struct Head {
  std::int64_t row;
  std::int64_t items;
  std::int64_t samples;
  double seconds;
  std::int32_t is_exact;
  std::int32_t trees;
};

}  // namespace

void BookPiece::add(BookPiece&& other) {
  MAKESPAN_EXPECT(row == other.row);
  items += other.items;
  samples += other.samples;
  seconds += other.seconds;
  if (other.exact) exact = other.exact;
  trees.resize(std::max(trees.size(), other.trees.size()));
  for (std::size_t i = 0; i < other.trees.size(); ++i) trees[i].add_all(std::move(other.trees[i]));
}

void append(BookPiece const& piece, std::vector<std::byte>& bytes) {
  append_value(bytes, Head{.row = piece.row,
                           .items = piece.items,
                           .samples = piece.samples,
                           .seconds = piece.seconds,
                           .is_exact = piece.exact ? 1 : 0,
                           .trees = static_cast<std::int32_t>(piece.trees.size())});
  if (piece.exact) append_value(bytes, *piece.exact);
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
  if (head.is_exact != 0) piece.exact = take_value<OptionResult>(bytes);
  piece.trees.resize(static_cast<std::size_t>(head.trees));
  for (MomentTree& tree : piece.trees) {
    for (auto nodes = take_value<std::uint64_t>(bytes); nodes > 0; --nodes) {
      MomentTree::Node node{};
      node.level = take_value<int>(bytes);
      node.index = take_value<std::int64_t>(bytes);
      node.moments.resize(take_value<std::uint64_t>(bytes));
      for (double& moment : node.moments) moment = take_value<double>(bytes);
      tree.add_node(std::move(node));
    }
  }
  return piece;
}

}  // namespace makespan::asian
