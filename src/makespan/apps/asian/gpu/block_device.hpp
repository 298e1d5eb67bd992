// SPDX-License-Identifier: Apache-2.0
// GPUs as the pricing code sees them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "makespan/apps/asian/gpu/detail/block_launch.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::asian {

// Runs launches of one thread on a GPU. Launches of several such objects of one GPU overlap: while
// one runs, the next is prepared. For one thread at a time.
class BlockDevice {
 public:
  virtual ~BlockDevice() = default;

  // Makes the launch's blocks and adds them up; `moments`: shape (nodes, launch.moments()). Blocks
  // until they are there. Throws bag::DeviceFailed when the GPU fails or has too little memory.
  virtual void run(BlockLaunch const& launch, std::span<double> moments) = 0;
};

// One GPU, as far as it matters for how much it is given.
struct BlockGpu {
  std::string name;       // as its maker calls it
  int blocks_at_once{};   // that fill it
  Speed nominal_speed{};  // in path-steps per second; what it does is measured
};

// The GPUs that there are.
class BlockGpus {
 public:
  virtual ~BlockGpus() = default;
  // Numbered as the driver numbers them; none where there is no driver.
  [[nodiscard]] virtual std::vector<BlockGpu> const& list() const = 0;
  // Why there are none, for people: what a build or a machine lacks.
  [[nodiscard]] virtual std::string why_none() const = 0;
  // For one thread of `threads` that share the GPU's memory, each with an object of its own. Cheap:
  // what it needs of the GPU it takes when it first runs.
  [[nodiscard]] virtual std::unique_ptr<BlockDevice> open(int gpu, int threads) const = 0;
};

// Those of NVIDIA: none if this build has no CUDA (cuda_gpus.device.cpp, no_cuda_gpus.cpp).
[[nodiscard]] BlockGpus const& cuda_gpus();

}  // namespace makespan::asian
