// SPDX-License-Identifier: Apache-2.0
#pragma once

// A step of a hash: every bit of the answer depends on every bit of what went in.

#include <cstdint>

namespace makespan {

// The finaliser of splitmix64: G. L. Steele, D. Lea and C. H. Flood, OOPSLA 2014,
// https://doi.org/10.1145/2660193.2660195. One to one; 0 stays 0.
// Tested by tests/base/mixed_bits_test.cpp.
[[nodiscard]] constexpr std::uint64_t mixed_bits(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31U);
}

}  // namespace makespan
