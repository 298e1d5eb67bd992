// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a process must know to send to a port: a random number that its owner draws.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace makespan::pgas {

using UcxPortKey = std::uint64_t;

// From the system's source of random numbers. Throws std::exception where there is none.
[[nodiscard]] UcxPortKey draw_port_key();

// What images tell each other of a port.
struct UcxPortCard {
  UcxPortKey key{};
  std::vector<std::byte> address{};  // of its worker
};
[[nodiscard]] std::vector<std::byte> bytes_of(UcxPortCard const& card);
// Throws InputError if the bytes are too few.
[[nodiscard]] UcxPortCard port_card_of(std::vector<std::byte> const& bytes);

}  // namespace makespan::pgas
