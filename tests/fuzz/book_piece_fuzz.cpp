// SPDX-License-Identifier: Apache-2.0
// Results of blocks from another image, put together, and the rounds that image 0 orders.
#include <array>

#include "fuzz/fuzz_input.hpp"
#include "makespan/apps/asian/run/book_work.hpp"
#include "makespan/apps/asian/run/detail/book_piece.hpp"

namespace makespan::fuzz::book_piece_target {
namespace {

constexpr asian::PieceBounds bounds{.rows = 4, .replicates = 2, .moments = 2};

void take_pieces(std::span<std::byte const> bytes) {
  std::array<asian::BookPiece, 4> sums;
  while (!bytes.empty()) {
    asian::BookPiece piece = asian::take_piece(bytes);
    asian::expect_within(bounds, piece);
    asian::BookPiece& sum = sums.at(static_cast<std::size_t>(piece.row));
    sum.row = piece.row;
    sum.add(std::move(piece));
    for (asian::MomentTree const& tree : sum.trees) {
      if (!tree.empty()) static_cast<void>(tree.total());
    }
  }
}

void take(std::span<std::byte const> bytes) {
  FuzzInput input(bytes);
  if (input.flag()) return take_pieces(input.rest());
  static_cast<void>(asian::rounds_from(input.rest(), bounds.rows));
}

std::vector<Bytes> seeds() {
  Bytes pieces = FuzzOutput().small(1).bytes();
  for (std::int64_t block = 0; block < 6; block += 2) {
    asian::BookPiece piece{.row = 1, .items = 2, .samples = 300, .seconds = 0.25};
    piece.trees.resize(2);
    for (asian::MomentTree& tree : piece.trees) {
      tree.add(block, std::array{1.0, 2.0});
      tree.add(block + 1, std::array{3.0, 4.0});
    }
    append(piece, pieces);
  }
  asian::BookPiece exact{.row = 2, .items = 1};
  exact.exact.push_back({2, asian::RowStatus::deterministic, {}});
  append(exact, pieces);
  std::vector<asian::BookRound> const rounds{{0, 0, 512}, {3, 512, 1024}};
  return {pieces, FuzzOutput().small(0).column(rounds).bytes()};
}

FuzzTarget const target("book_piece", &take, &seeds);

}  // namespace
}  // namespace makespan::fuzz::book_piece_target
