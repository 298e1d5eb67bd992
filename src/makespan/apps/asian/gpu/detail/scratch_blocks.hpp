// SPDX-License-Identifier: Apache-2.0
// How many blocks of threads a launch has work space for. Blocks take item after item: fewer of
// them do the same launch in less memory.
#pragma once

#include <algorithm>
#include <cstddef>

#include "makespan/cuda/error.hpp"

namespace makespan::asian {

// Of a GPU's memory all threads that share it have one part in so many as work space, each an equal
// share: what else lies there is little, but other processes may use the GPU.
inline constexpr std::size_t scratch_part = 2;

// Of `wanted` blocks, each of which needs `block_bytes`: as many as a thread's share holds, and one
// at least.
[[nodiscard]] constexpr std::size_t scratch_blocks(std::size_t memory_bytes, int threads,
                                                   std::size_t block_bytes, std::size_t wanted) {
  std::size_t const share = memory_bytes / scratch_part / static_cast<std::size_t>(threads);
  return std::clamp<std::size_t>(share / block_bytes, 1, wanted);
}

// How many of `blocks` there is memory for: calls reserve(blocks), and where that throws CudaFailed
// reserves for half as many. Throws what it throws for a single one.
template <class Reserve>
[[nodiscard]] std::size_t reserved_blocks(std::size_t blocks, Reserve const& reserve) {
  for (;; blocks /= 2) {
    try {
      reserve(blocks);
      return blocks;
    } catch (cuda::CudaFailed const&) {
      if (blocks == 1) throw;
    }
  }
}

}  // namespace makespan::asian
