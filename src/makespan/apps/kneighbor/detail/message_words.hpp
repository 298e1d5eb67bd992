// SPDX-License-Identifier: Apache-2.0
#pragma once

// What messages carry, and how it is checked.

#include <cstdint>
#include <span>
#include <vector>

namespace makespan::kneighbor {

// Those of object `index`: look random, and are the same wherever they are made.
[[nodiscard]] std::vector<std::uint64_t> words_of(int index, std::int64_t bytes);

// The sum of words times 1, 3, 5, …, modulo 2^64. Odd factors have inverses, so one word that is
// changed shows always; words that have changed places nearly always do. Half a nanosecond a word,
// where a hash byte by byte would take longer than the message. Tested by
// tests/apps/kneighbor/message_words_test.cpp.
[[nodiscard]] std::uint64_t checksum_of(std::span<std::uint64_t const> words);

// A loop of so many turns, each of which waits for the one before it; what comes out depends on
// all.
[[nodiscard]] std::uint64_t turn(std::uint64_t value, std::int64_t turns);

}  // namespace makespan::kneighbor
