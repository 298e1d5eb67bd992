// SPDX-License-Identifier: Apache-2.0
// Goal: what a thread of a GPU computes of a program has the bits of its operations, and nothing
// else is written. Method: programs drawn by chance; the source for GPUs compiled for the host,
// which does the threads' work one after the other, beside the evaluation point by point.
#include "makespan/grid/compile/gpu_kernel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/grid/compile/compiler.hpp"
#include "makespan/grid/compile/detail/gpu_source.hpp"
#include "program_check.hpp"
#include "random_program.hpp"
#include "scoped_variable.hpp"
#include "scratch_folder.hpp"
#include "stand_in.hpp"
#include "star_program.hpp"

namespace makespan::grid {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class EmulatedKernel final : public Stencil {
 public:
  EmulatedKernel(CheckedProgram const& program, CompilerOptions const& options)
      : shape_{program.shape()}, kernel_{compiled(gpu_source(program), options)} {}

  [[nodiscard]] StencilShape shape() const override { return shape_; }
  void sweep(Sweep const& sweep) const override {
    EXPECT_EQ(kernel_.launch(sweep, parameters_of_checks, 0, nullptr), 0);
  }

 private:
  StencilShape shape_;
  GpuKernel kernel_;
};

class GpuKernelTest : public testing::Test {
 protected:
  void SetUp() override {
    if (find_compiler().empty()) GTEST_SKIP() << "no C++ compiler";
  }
  void expect_emulated_right(PointProgram const& of, std::int64_t radius) {
    CheckedProgram const program(of);
    CompilerOptions const options{.flags = {"-march=native", "-O1"}, .cache = folder_.path()};
    EmulatedKernel const stencil(program, options);
    for (CheckedSlab const& slab : slabs_for(radius)) {
      SCOPED_TRACE("row of " + std::to_string(slab.extent.x));
      expect_sweep_right(program, stencil, slab);
    }
  }
  void expect_emulated_right(RandomProgram const& of, std::uint64_t seed) {
    RandomDraws draws(seed);
    expect_emulated_right(random_program(draws, of), of.radius);
  }

 private:
  ScratchFolder folder_;
};

TEST_F(GpuKernelTest, computes_programs_of_the_nearest_points) {
  for (std::uint64_t const seed : {11U, 12U}) expect_emulated_right(RandomProgram{}, seed);
}

TEST_F(GpuKernelTest, computes_programs_of_far_points) {
  expect_emulated_right({.fields = 3, .radius = 4}, 14);
}

TEST_F(GpuKernelTest, computes_programs_of_corners) {
  expect_emulated_right({.radius = 2, .has_corners = true}, 15);
}

TEST_F(GpuKernelTest, keeps_planes_of_a_column) {
  expect_emulated_right(star(1), 1);
  expect_emulated_right(star(4), 4);
}

// Planes on one side alone, and fields that are read nowhere but beside a point.
TEST_F(GpuKernelTest, reads_on_one_side) {
  ProgramBuilder make({"u", "v"}, 2);
  make.update(0, make.load(0, {0, 0, 2}) + make.load(1, {1, 0, 0}));
  make.update(1, make.load(0, {0, 0, -1}) - make.load(1, {0, -2, 0}));
  expect_emulated_right(make.program(), 2);
}

TEST_F(GpuKernelTest, goes_up_columns_of_several_threads) {
  CheckedProgram const program(star(1));
  ScratchFolder const folder;
  EmulatedKernel const stencil(program, {.flags = {"-O1"}, .cache = folder.path()});
  for (std::int64_t const planes : {7, 8, 9, 64, 65, 130}) {
    expect_sweep_right(program, stencil, {.extent = {5, 3, planes}});
  }
}

// What C++ has no plain literal for, and what a compiler could lose.
TEST_F(GpuKernelTest, has_constants_of_all_kinds) {
  expect_emulated_right(odd_constants(), 1);
}

TEST_F(GpuKernelTest, scales_by_powers_of_all_kinds) {
  expect_emulated_right(odd_powers(), 1);
}

TEST_F(GpuKernelTest, is_compiled_once_for_each_kind_of_gpu) {
  ScratchFolder const folder;
  std::string const counted = (folder.path() / "count").string();
  std::filesystem::path const compiler =
      stand_in(folder.path() / "nvcc",
               "for word; do source=$before; before=$library; library=$word; done\n"
               "echo one >> " +
                   counted + "\nexec " + find_compiler().string() +
                   " -shared -fPIC -x c++ \"$source\" -o \"$library\"\n");
  auto const count = [&] {
    std::ifstream file(counted);
    return std::count(std::istreambuf_iterator<char>(file), {}, '\n');
  };
  GpuCompilerOptions options{
      .command = compiler.string(), .capability = 80, .cache = folder.path() / "cache"};
  CheckedProgram const program(star(1));
  auto const first = gpu_kernel(program, options);
  EXPECT_EQ(gpu_kernel(program, options), first);
  EXPECT_EQ(count(), 1);
  EXPECT_EQ(first->prepare(0), 0);
  // From the cache, as another process finds it.
  static_cast<void>(GpuKernel(program, options));
  EXPECT_EQ(count(), 1);
  options.capability = 90;
  EXPECT_NE(gpu_kernel(program, options), first);
  EXPECT_EQ(count(), 2);
  ScopedVariable const more("NVCC_APPEND_FLAGS", "-O1");
  static_cast<void>(GpuKernel(program, options));
  EXPECT_EQ(count(), 3);
}

// More rows, and more planes, than a launch has blocks for.
TEST_F(GpuKernelTest, computes_long_axes) {
  CheckedProgram const program(star(1));
  ScratchFolder const folder;
  EmulatedKernel const stencil(program, {.flags = {"-O1"}, .cache = folder.path()});
  expect_sweep_right(program, stencil, {.extent = {1, 262'145, 1}});
  expect_sweep_right(program, stencil, {.extent = {1, 1, 600'000}});
}

TEST_F(GpuKernelTest, refuses_more_than_a_launch_can_carry) {
  ProgramBuilder make({"u"}, 500);
  make.update(0, make.load(0) * make.parameter(499));
  CheckedProgram const program(make.program());
  EXPECT_THAT([&] { static_cast<void>(gpu_source(program)); },
              ThrowsMessage<InputError>(
                  HasSubstr("fields: 1, parameters: 500 (a GPU's kernel takes 4000 bytes")));
}

TEST_F(GpuKernelTest, refuses_another_library) {
  EXPECT_THROW(GpuKernel(compiled("int other;", {.cache = {}})), InputError);
}

}  // namespace
}  // namespace makespan::grid
