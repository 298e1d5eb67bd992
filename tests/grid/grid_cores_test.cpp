// SPDX-License-Identifier: Apache-2.0
// Goal: a grid's devices are driven on their cores, and their memory is made there. Method:
// stencils and accelerators that note the cores that their thread may use; on 1, 2 and 3 images.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "late_accelerator.hpp"
#include "makespan/grid/grid.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/pgas/runtime.hpp"
#include "weighted_sums.hpp"

namespace makespan::grid {
namespace {

class GridCoresTest : public testing::Test {
 protected:
  // Asked in a thread of its own, and not of a grid: one that ties nothing is no reason to skip.
  void SetUp() override {
    auto outcome = machine::PinOutcome::refused;
    std::thread([&] { outcome = machine::pin_this_thread(allowed_.front()); }).join();
    if (outcome != machine::PinOutcome::pinned) GTEST_SKIP() << "this system does not pin threads";
  }
  void TearDown() override { runtime_.finish_all(); }

  pgas::Runtime runtime_{{.threads = 4}};
  std::vector<int> allowed_{machine::allowed_cores()};
};

// The first device's driver is the caller, and the others' are threads of the grid.
TEST_F(GridCoresTest, Drives_each_device_on_its_first_core) {
  class Watching final : public WeightedSums {
   public:
    void sweep(Sweep const& sweep) const override {
      std::vector<int> const now = machine::allowed_cores();
      cores.insert(now.begin(), now.end());
      WeightedSums::sweep(sweep);
    }
    mutable std::set<int> cores{};  // of one device, so of one thread
  };
  std::array<Watching, 2> watching;
  std::vector<GridDevice> const devices{{.stencil = &watching[0], .cores = {allowed_.back()}},
                                        {.stencil = &watching[1], .cores = {allowed_.front()}}};
  GridProblem const problem{.box = {{}, {13, 7, 40}}, .values = {FaceValues{}, FaceValues{}}};
  Grid grid(runtime_, problem, devices, {.cut = ImageCut::stack});
  grid.fill([](int, Point at) { return whole_number_at(at); });

  grid.run_all(3);

  EXPECT_EQ(watching[0].cores, std::set{allowed_.back()});
  EXPECT_EQ(watching[1].cores, std::set{allowed_.front()});
  EXPECT_EQ(machine::allowed_cores(), allowed_) << "the caller's";
}

// Where a device's memory is touched first it lies, for all its steps.
TEST_F(GridCoresTest, Makes_a_device_s_slabs_on_its_first_core) {
  class Watching final : public LateAccelerator {
   public:
    using LateAccelerator::LateAccelerator;
    [[nodiscard]] FieldMemory memory(std::int64_t doubles) override {
      cores = machine::allowed_cores();
      return LateAccelerator::memory(doubles);
    }
    std::vector<int> cores{};
  };
  SumsAlongZ const sums;
  std::vector<GridDevice> devices;
  std::vector<std::shared_ptr<Watching>> accelerators;
  for (int const core : {allowed_.back(), allowed_.front()}) {
    accelerators.push_back(
        std::make_shared<Watching>([&](Sweep const& sweep) { sums.sweep(sweep); }));
    devices.push_back({.stencil = &sums, .accelerator = accelerators.back(), .cores = {core}});
  }
  GridProblem const problem{.box = {{}, {8, 8, 40}}, .values = {FaceValues{}}};
  Grid grid(runtime_, problem, devices, {.cut = ImageCut::stack});
  EXPECT_EQ(accelerators[0]->cores, std::vector{allowed_.back()});
  EXPECT_EQ(accelerators[1]->cores, std::vector{allowed_.front()});
  EXPECT_EQ(machine::allowed_cores(), allowed_) << "the caller's";
  grid.close_all();
}

}  // namespace
}  // namespace makespan::grid
