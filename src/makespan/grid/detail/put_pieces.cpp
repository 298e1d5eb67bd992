// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/detail/put_pieces.hpp"

#include <algorithm>
#include <cstddef>

namespace makespan::grid {

namespace {
// 64 KiB: a longer put-with-signal would wait until its first parts are there
// (docs/decisions/0069).
constexpr std::int64_t piece_doubles = (std::int64_t{64} << 10) / 8;
}  // namespace

std::int64_t pieces_of(std::int64_t doubles) {
  return (doubles + piece_doubles - 1) / piece_doubles;
}

void put_pieces(pgas::Endpoint& here, pgas::GlobalPtr<double> to, std::span<double const> values,
                pgas::GlobalPtr<std::uint64_t> word, std::vector<pgas::Future<void>>& futures) {
  std::int64_t const count = std::ssize(values);
  for (std::int64_t at = 0; at < count; at += piece_doubles) {
    auto const piece =
        values.subspan(static_cast<std::size_t>(at),
                       static_cast<std::size_t>(std::min(piece_doubles, count - at)));
    futures.push_back(here.put_signal_async(to + at, piece, word));
  }
}

}  // namespace makespan::grid
