// SPDX-License-Identifier: Apache-2.0
// What a GPU is asked for: blocks of samples of several options at once. Plain data, as it lies in
// the GPU's memory.
#pragma once

#include <cstdint>

#include "makespan/apps/asian/kernel/moment_job.hpp"
#include "makespan/apps/asian/kernel/path_job.hpp"

namespace makespan::asian {

// One option. Of the path job `normals`, `sample_first` and `samples`, and the work space of its
// Sobol plan, are not looked at: they are the block's (BlockItem, BlockScratch). Spans are of
// memory that the device that runs the block can read.
struct BlockOption {
  PathJob path;
  MomentJob moments;
};

// One block of an option's samples: the unit of work.
struct BlockItem {
  std::int64_t sample_first;  // a multiple of slab_samples
  int samples;                // 1 .. block_samples
  int option;
  // Of the replicate, with Sobol points.
  std::uint64_t scramble_key;
  std::uint64_t beyond_key;
};

// Work space of one block's threads; shapes with those that the block's options need.
template <class T>
struct BlockScratch {
  T* normals;               // (rows, slab_samples): Sobol's of a path and a row more, or a step's
  std::uint32_t* base;      // (dimensions), of Sobol points
  std::uint32_t* scramble;  // (dimensions)
  T* functionals;           // (functional_count, slab_samples), of models
  T* state;                 // (underlyings, basket_state_rows, slab_samples), of baskets
};

}  // namespace makespan::asian
