// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bitmaps of vertices: words of 64.

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "makespan/apps/graph500/detail/vertex.hpp"

namespace makespan::graph500 {

[[nodiscard]] inline std::uint64_t bit_of(Vertex vertex) {
  return std::uint64_t{1} << (vertex % 64U);
}

[[nodiscard]] inline bool has_bit(std::uint64_t const* words, Vertex vertex) {
  return ((words[vertex / 64U] >> (vertex % 64U)) & 1U) != 0;
}

// While other threads of this image set bits, too. True where it was not set.
inline bool set_bit(std::uint64_t* words, Vertex vertex) {
  // Relaxed: bitmaps are read behind the end of the phase in which bits are set. Most bits are set
  // already, and a load leaves their cache lines shared.
  std::atomic_ref<std::uint64_t> const word(words[vertex / 64U]);
  std::uint64_t const bit = bit_of(vertex);
  if ((word.load(std::memory_order_relaxed) & bit) != 0) return false;
  return (word.fetch_or(bit, std::memory_order_relaxed) & bit) == 0;
}

// Calls use(number) for each bit that is set, `first` being that of bit 0.
template <class Use>
void each_bit(std::uint64_t word, std::int64_t first, Use const& use) {
  while (word != 0) {
    use(first + std::countr_zero(word));
    word &= word - 1;
  }
}

}  // namespace makespan::graph500
