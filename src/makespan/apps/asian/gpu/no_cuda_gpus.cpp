// SPDX-License-Identifier: Apache-2.0
// In place of cuda_gpus.device.cpp, in builds without CUDA.
#include "makespan/apps/asian/gpu/block_device.hpp"
#include "makespan/base/error.hpp"
#include "makespan/cuda/gpu.hpp"

namespace makespan::asian {

namespace {

class NoGpus final : public BlockGpus {
 public:
  [[nodiscard]] std::vector<BlockGpu> const& list() const override { return none_; }
  [[nodiscard]] std::string why_none() const override { return cuda::discover().why_none; }
  [[nodiscard]] std::unique_ptr<BlockDevice> open(int /*gpu*/, int /*threads*/) const override {
    not_configured("CUDA");
  }

 private:
  std::vector<BlockGpu> none_;
};

}  // namespace

BlockGpus const& cuda_gpus() {
  static NoGpus const gpus;
  return gpus;
}

}  // namespace makespan::asian
