// SPDX-License-Identifier: Apache-2.0
#pragma once

// In which order an idle thread looks for work at the other threads of its image. Pure.
//
// A round begins at a random thread and goes on with the next higher, past the end to 0: thieves
// that become idle together spread over the victims, and each round meets every other thread once.
// One thread may have all the work, so a random choice each time (R. D. Blumofe and C. E.
// Leiserson, "Scheduling Multithreaded Computations by Work Stealing", J. ACM 46(5), 1999) would
// find it late.

#include <cstdint>

#include "makespan/base/contracts.hpp"

namespace makespan::pgas {

// One round: victims 0 … count()-1 in their order.
class VictimRound {
 public:
  constexpr VictimRound(int thief, int threads, int begin)
      : thief_{thief}, threads_{threads}, begin_{begin} {}

  [[nodiscard]] constexpr int count() const { return threads_ - 1; }

  // A thread other than the thief.
  [[nodiscard]] constexpr int victim(int index) const {
    MAKESPAN_EXPECT(0 <= index && index < count());
    // Counted from the thief on, so that the thief itself, at distance 0, is left out.
    int const distance = 1 + (begin_ + index) % count();
    return (thief_ + distance) % threads_;
  }

 private:
  int thief_;
  int threads_;
  int begin_;  // 0 … count()-1, or 0
};

// Not for several threads: each thief has its own.
class Victims {
 public:
  // For thread `thief` of `threads`; the same arguments give the same rounds.
  constexpr Victims(int thief, int threads, std::uint64_t seed)
      : thief_{thief}, threads_{threads}, state_{seed} {
    MAKESPAN_EXPECT(0 <= thief && thief < threads);
    // Thieves that were given one seed must not go the same way: far from each other in the
    // sequence.
    state_ += static_cast<std::uint64_t>(thief) * 0xD1B5'4A32'D192'ED03U;
  }

  [[nodiscard]] constexpr VictimRound next_round() {
    std::uint64_t const random = next_random();
    if (threads_ < 3) return {thief_, threads_, 0};
    // The high half has the better bits; the bias of the remainder, threads / 2^32, is nothing.
    int const begin = static_cast<int>((random >> 32U) % static_cast<std::uint64_t>(threads_ - 1));
    return {thief_, threads_, begin};
  }

 private:
  // SplitMix64 of G. L. Steele, D. Lea and C. H. Flood, "Fast Splittable Pseudorandom Number
  // Generators" (OOPSLA 2014), with the constants that Java's SplittableRandom mixes with.
  constexpr std::uint64_t next_random() {
    state_ += 0x9E37'79B9'7F4A'7C15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58'476D'1CE4'E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D0'49BB'1331'11EBU;
    return mixed ^ (mixed >> 31U);
  }

  int thief_;
  int threads_;
  std::uint64_t state_;
};

}  // namespace makespan::pgas
