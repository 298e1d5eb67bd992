// SPDX-License-Identifier: Apache-2.0
#pragma once

// SHA-1 (FIPS 180-4) of messages that fit one block: random numbers of a tree, and no security.

#include <array>
#include <cstddef>
#include <span>

namespace makespan::uts {

using Digest = std::array<std::byte, 20>;
inline constexpr std::size_t one_block_max = 55;

// Of at most one_block_max bytes (EXPECT). By the processor's SHA instructions where it has them.
// Tested by tests/apps/uts/sha1_block_test.cpp.
[[nodiscard]] Digest sha1_of(std::span<std::byte const> message);
// The same in plain C++, for comparison.
[[nodiscard]] Digest sha1_in_plain_of(std::span<std::byte const> message);

}  // namespace makespan::uts
