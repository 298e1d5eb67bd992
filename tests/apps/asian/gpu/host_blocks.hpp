// SPDX-License-Identifier: Apache-2.0
// A GPU for tests: its block program on the host, and launches of it.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "makespan/apps/asian/gpu/block_device.hpp"

namespace makespan::asian {

// In which order a phase goes over the threads of a block. One that depends on it is wrong on a
// GPU.
enum class Order : bool { rising, falling };

// The moments of a block by the program of the GPU, one thread after the other. `shape`: of the
// launch that the option is of.
std::vector<double> host_block_moments(BlockKind kind, BlockOption const& option,
                                       BlockItem const& item, ScratchShape const& shape,
                                       Order order);

// Runs launches as a GPU does, on a copy of their tables.
class HostBlockDevice final : public BlockDevice {
 public:
  // `begin_launch` is called first, and may throw.
  explicit HostBlockDevice(std::function<void(BlockLaunch const&)> begin_launch = {})
      : begin_launch_{std::move(begin_launch)} {}

  void run(BlockLaunch const& launch, std::span<double> moments) override;

 private:
  std::function<void(BlockLaunch const&)> begin_launch_;
};

// So many of them.
class HostBlockGpus final : public BlockGpus {
 public:
  explicit HostBlockGpus(int count, std::function<void(BlockLaunch const&)> begin_launch = {})
      : begin_launch_{std::move(begin_launch)} {
    for (int gpu = 0; gpu < count; ++gpu) {
      gpus_.push_back({.name = "host", .blocks_at_once = 8, .nominal_speed = Speed{1e8}});
    }
  }

  [[nodiscard]] std::vector<BlockGpu> const& list() const override { return gpus_; }
  [[nodiscard]] std::string why_none() const override { return "none was wanted"; }
  [[nodiscard]] std::unique_ptr<BlockDevice> open(int /*gpu*/, int /*threads*/) const override {
    return std::make_unique<HostBlockDevice>(begin_launch_);
  }

 private:
  std::function<void(BlockLaunch const&)> begin_launch_;
  std::vector<BlockGpu> gpus_;
};

}  // namespace makespan::asian
