// SPDX-License-Identifier: Apache-2.0
// The programs of block_program-inl.hpp as CUDA kernels. Addresses are of the GPU's memory, and of
// the GPU that is the calling thread's (cuda/gpu.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "makespan/apps/asian/gpu/detail/block_launch.hpp"
#include "makespan/cuda/stream.hpp"

namespace makespan::asian {

// What a launch works on. Its blocks of threads take items one after the other.
struct BlockArguments {
  BlockOption const* options;
  BlockItem const* items;
  int count;           // of items
  int* taken;          // 0 before: items that a block of threads has begun
  std::byte* scratch;  // scratch_bytes() for each block of threads, where the shape is not empty
  ScratchShape shape;
  double* moments;  // shape (count, moments)
};

// Of one block of threads.
[[nodiscard]] std::size_t scratch_bytes(Precision precision, ScratchShape const& shape);

// How many blocks of threads of this kind run at once on a multiprocessor.
[[nodiscard]] int blocks_per_multiprocessor(BlockKind kind);

// Both return at once; throw CudaFailed if the launch is refused.
void launch_blocks(BlockKind kind, BlockArguments const& arguments, int blocks,
                   cuda::Stream const& stream);
// Adds up the moments of each node's blocks, pair by pair as MomentTree does; they are overwritten.
// `sums`: shape (count, per_block).
void launch_nodes(BlockNode const* nodes, int count, int per_block, double* moments, double* sums,
                  cuda::Stream const& stream);

}  // namespace makespan::asian
