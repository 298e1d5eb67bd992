// SPDX-License-Identifier: Apache-2.0
#include <span>
#include <utility>
#include <vector>

#include "gpus_of_test.hpp"

namespace makespan::asian {

namespace {

class CudaDeviceOfTest final : public BlockDevice {
 public:
  CudaDeviceOfTest(int threads, std::function<void(BlockLaunch const&)> begin_launch)
      : device_{cuda_gpus().open(0, threads)}, begin_launch_{std::move(begin_launch)} {}

  void run(BlockLaunch const& launch, std::span<double> moments) override {
    if (begin_launch_) begin_launch_(launch);
    device_->run(launch, moments);
  }

 private:
  std::unique_ptr<BlockDevice> device_;
  std::function<void(BlockLaunch const&)> begin_launch_;
};

// The first GPU, several times.
class CudaGpusOfTest final : public BlockGpus {
 public:
  CudaGpusOfTest(int count, std::function<void(BlockLaunch const&)> begin_launch)
      : begin_launch_{std::move(begin_launch)},
        list_(static_cast<std::size_t>(count), cuda_gpus().list().at(0)) {}

  [[nodiscard]] std::vector<BlockGpu> const& list() const override { return list_; }
  [[nodiscard]] std::string why_none() const override { return "none was wanted"; }
  [[nodiscard]] std::unique_ptr<BlockDevice> open(int /*gpu*/, int threads) const override {
    return std::make_unique<CudaDeviceOfTest>(threads * static_cast<int>(list_.size()),
                                              begin_launch_);
  }

 private:
  std::function<void(BlockLaunch const&)> begin_launch_;
  std::vector<BlockGpu> list_;
};

}  // namespace

std::unique_ptr<BlockGpus> gpus_of_test(int count,
                                        std::function<void(BlockLaunch const&)> begin_launch) {
  return std::make_unique<CudaGpusOfTest>(count, std::move(begin_launch));
}

std::string why_no_gpus_of_test() {
  return cuda_gpus().why_none();
}

int contracts_of_test() {
  return 250;
}

}  // namespace makespan::asian
