// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/kneighbor/detail/message_words.hpp"

#include <bit>

#include "makespan/base/random_draws.hpp"

namespace makespan::kneighbor {

std::vector<std::uint64_t> words_of(int index, std::int64_t bytes) {
  RandomDraws draws(static_cast<std::uint64_t>(index));
  std::vector<std::uint64_t> words(static_cast<std::size_t>(bytes) / sizeof(std::uint64_t));
  for (std::uint64_t& word : words) word = std::bit_cast<std::uint64_t>(draws.next());
  return words;
}

std::uint64_t checksum_of(std::span<std::uint64_t const> words) {
  std::uint64_t sum = 0;
  std::uint64_t factor = 1;
  for (std::uint64_t const word : words) {
    sum += word * factor;
    factor += 2;
  }
  return sum;
}

// A linear congruential step, with the constants of D. E. Knuth's MMIX (TAOCP 2, 3.3.4).
std::uint64_t turn(std::uint64_t value, std::int64_t turns) {
  for (std::int64_t at = 0; at < turns; ++at) {
    value = value * 6364136223846793005U + 1442695040888963407U;
  }
  return value;
}

}  // namespace makespan::kneighbor
