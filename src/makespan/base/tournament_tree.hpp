// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which of some numbered things has the least key, while keys change and things stay.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace makespan {

// A tournament tree (Knuth, The Art of Computer Programming 3, 5.4.1): each node knows the winner
// of the things below it. Of equal keys the lower number wins. A change costs one comparison for
// each level, whatever the key; looking O(1). Tested by tests/base/tournament_tree_test.cpp.
class TournamentTree {
 public:
  // Things are 0 to `things` - 1, all with key 0. There is to be one at least.
  explicit TournamentTree(std::size_t things)
      : leaves_(std::bit_ceil(things)), ranks_(leaves_, beyond), winner_(leaves_) {
    for (std::size_t thing = 0; thing < things; ++thing) ranks_[thing] = 0;
    for (std::size_t node = leaves_ - 1; node > 0; --node) {
      std::int32_t const left = winner_at(2 * node);
      std::int32_t const right = winner_at(2 * node + 1);
      winner_[node] = rank(right) < rank(left) ? right : left;
    }
  }

  [[nodiscard]] int top() const { return winner_at(1); }
  [[nodiscard]] double key(int thing) const { return std::bit_cast<double>(mirrored(rank(thing))); }

  // Not of what is no number.
  void set(int thing, double key) {
    std::int64_t rank = mirrored(std::bit_cast<std::int64_t>(key + 0.0));  // -0 is 0
    ranks_[static_cast<std::size_t>(thing)] = rank;
    std::int32_t winner = thing;
    for (std::size_t node = leaves_ + static_cast<std::size_t>(thing); node > 1; node /= 2) {
      std::int32_t const other = winner_at(node ^ 1U);
      std::int64_t const other_rank = this->rank(other);
      // Things of a left subtree have lower numbers, and win where keys are equal. No branches: who
      // wins cannot be foretold. The rank of a number is below the largest integer, so 1 can be
      // added to it.
      bool const loses = other_rank < rank + static_cast<std::int64_t>(node & 1U);
      winner = loses ? other : winner;
      rank = loses ? other_rank : rank;
      winner_[node / 2] = winner;
    }
  }

 private:
  static constexpr std::int64_t beyond = std::numeric_limits<std::int64_t>::max();

  // From the bits of a number to a whole one of the same order, and back.
  [[nodiscard]] static std::int64_t mirrored(std::int64_t bits) {
    return bits < 0 ? bits ^ std::numeric_limits<std::int64_t>::max() : bits;
  }
  [[nodiscard]] std::int64_t rank(int thing) const {
    return ranks_[static_cast<std::size_t>(thing)];
  }
  // Nodes from `leaves_` on are the things themselves.
  [[nodiscard]] std::int32_t winner_at(std::size_t node) const {
    return node >= leaves_ ? static_cast<std::int32_t>(node - leaves_) : winner_[node];
  }

  std::size_t leaves_;
  std::vector<std::int64_t> ranks_;   // of keys, by thing; `beyond` beyond the things
  std::vector<std::int32_t> winner_;  // by node, the root is 1
};

}  // namespace makespan
