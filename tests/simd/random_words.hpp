// SPDX-License-Identifier: Apache-2.0
#pragma once

// Words to try the bodies on: random ones, and those at which something could break.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "simd/bodies.hpp"

namespace makespan::simd {

// Values of one call of a body, a multiple of lanes_max.
inline constexpr std::size_t batch = std::size_t{1} << 14;

template <class Word>
std::vector<Word> random_words(std::uint64_t seed, std::size_t count = batch) {
  std::mt19937_64 random{seed};
  std::vector<Word> words(count);
  for (Word& word : words) word = static_cast<Word>(random());
  return words;
}

// Neighbours of each power of two, of its complement, and the ends.
template <class Word>
std::vector<Word> edge_words() {
  std::vector<Word> words{0, static_cast<Word>(~Word{0})};
  for (int bit = 0; bit < static_cast<int>(8 * sizeof(Word)); ++bit) {
    auto const power = static_cast<Word>(Word{1} << bit);
    for (auto const word : {power - 1, power, power + 1}) {
      words.push_back(static_cast<Word>(word));
      words.push_back(static_cast<Word>(~static_cast<Word>(word)));
    }
  }
  while (words.size() % lanes_max != 0) words.push_back(0);
  return words;
}

// Every pair of two edge words.
template <class Word>
void edge_pairs(std::vector<Word>& first, std::vector<Word>& second) {
  std::vector<Word> const edges = edge_words<Word>();
  for (Word const a : edges) {
    first.insert(first.end(), edges.size(), a);
    second.insert(second.end(), edges.begin(), edges.end());
  }
}

// Whether two results are the same number to the last bit; -0 is not 0 then.
template <class T>
bool same_bits(std::vector<T> const& a, std::vector<T> const& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

}  // namespace makespan::simd
