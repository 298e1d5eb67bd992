// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sizes that one image tells the others before it sends, by which they make room: no memory is
// taken for what cannot be.

#include <cstdint>
#include <string_view>

#include "makespan/pgas/operation/waiter.hpp"
#include "makespan/pgas/team.hpp"

namespace makespan::pgas {

struct Announced {
  std::string_view what{};  // as an error calls it: an order, a text
  std::int64_t bytes_max{};
  WaitLimit limit{WaitLimit::option};
};

// The number of bytes that rank `root` gives, at all ranks. Collective, and blocks. Throws
// BadMessage for one below 0 or above the most. Tested by tests/pgas/announced_bytes_test.cpp.
[[nodiscard]] std::int64_t announced_bytes_all(Team& team, Announced const& announced,
                                               std::int64_t bytes, int root);

}  // namespace makespan::pgas
