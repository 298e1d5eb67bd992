// SPDX-License-Identifier: Apache-2.0
#pragma once

// Orders that image 0 gives to all images of a team, which wait for the next one between them.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "makespan/pgas/team.hpp"

namespace makespan::pgas {

// The longest. What is said to be longer is no order, and no memory is taken for it.
constexpr std::int64_t order_bytes_max = std::int64_t{1} << 28;

// At rank 0, while all others are in await_order_all(). Throws InputError for one that is too long,
// which the others do not hear of. Tested by tests/pgas/team_order_test.cpp, as the function below.
void send_order_all(Team& team, std::vector<std::byte> order);

// At all other ranks. Blocks for as long as rank 0 lives: between two orders it may do other
// things. Throws BadMessage for a length that no order has.
[[nodiscard]] std::vector<std::byte> await_order_all(Team& team);

}  // namespace makespan::pgas
