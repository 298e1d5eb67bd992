// SPDX-License-Identifier: Apache-2.0
#pragma once

// A long put, in pieces that any transport sends without waiting for an answer, each of which
// counts.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/pgas/endpoint.hpp"
#include "makespan/pgas/memory/global_ptr.hpp"
#include "makespan/pgas/operation/future.hpp"

namespace makespan::grid {

// Exchanges whose halos may be under way at once: a neighbour is at most one ahead.
inline constexpr std::int64_t exchanges_kept = 2;

[[nodiscard]] std::int64_t pieces_of(std::int64_t doubles);

// Adds 1 to `word` when a piece is there: pieces_of() in all. Puts at most begin; `values` must
// last until the futures that it adds are ready. Drives progress when there is no room. Tested
// through tests/apps/diffusion/diffusion_grid_test.cpp.
void put_pieces(pgas::Endpoint& here, pgas::GlobalPtr<double> to, std::span<double const> values,
                pgas::GlobalPtr<std::uint64_t> word, std::vector<pgas::Future<void>>& futures);

}  // namespace makespan::grid
