// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/detail/gathered_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "makespan/pgas/announced_bytes.hpp"

namespace makespan::graph {

namespace {

// More than any image has memory for.
constexpr std::int64_t bytes_max = std::int64_t{1} << 40;

// In pieces of which a team makes copies: what MPI still uses when an image is lost is not ours.
using Piece = std::array<char, pgas::Team::copied_bytes_max>;

}  // namespace

std::string gathered_text_all(pgas::Team& team, std::string const& own) {
  std::string all = own;
  auto const piece = std::make_unique<Piece>();
  for (int rank = 1; rank < team.size(); ++rank) {
    std::string_view mine = team.rank() == rank ? std::string_view(own) : std::string_view();
    auto left = static_cast<std::size_t>(pgas::announced_bytes_all(
        team, {.what = "a text", .bytes_max = bytes_max}, std::ssize(mine), rank));
    while (left > 0) {
      auto const part = std::span(*piece).first(std::min(left, piece->size()));
      std::ranges::copy(mine.substr(0, part.size()), part.begin());
      team.broadcast_all(part, rank);
      if (team.rank() == 0) all.append(part.begin(), part.end());
      mine.remove_prefix(std::min(mine.size(), part.size()));
      left -= part.size();
    }
  }
  return all;
}

}  // namespace makespan::graph
