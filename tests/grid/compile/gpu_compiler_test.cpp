// SPDX-License-Identifier: Apache-2.0
// Goal: CUDA's compiler is found where users have it, is told what keeps the bits, and compiles
// what we write. Method: programs that stand in for it; nvcc itself where it is here.
#include "makespan/grid/compile/gpu_compiler.hpp"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/grid/compile/detail/gpu_source.hpp"
#include "makespan/grid/compile/gpu_kernel.hpp"
#include "random_program.hpp"
#include "scoped_variable.hpp"
#include "scratch_folder.hpp"
#include "stand_in.hpp"

namespace makespan::grid {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(GpuCompiler, is_found_where_users_have_it) {
  ScratchFolder const folder;
  fs::path const installed = stand_in(folder.path() / "cuda" / "bin" / "nvcc", "");
  fs::path const named = stand_in(folder.path() / "other", "");
  ScopedVariable const path("PATH", "/nowhere");
  ScopedVariable const unset("MAKESPAN_NVCC", "");
  for (char const* const variable : {"CUDA_PATH", "CUDA_HOME"}) {
    ScopedVariable const none("CUDA_HOME", "");
    ScopedVariable const home(variable, (folder.path() / "cuda").string());
    EXPECT_EQ(find_gpu_compiler(), installed) << variable;
  }
  ScopedVariable const chosen("MAKESPAN_NVCC", named.string());
  EXPECT_EQ(find_gpu_compiler(), named);
  EXPECT_EQ(find_gpu_compiler({.command = installed.string()}), installed);
}

TEST(GpuCompiler, that_is_named_and_not_there_is_an_error) {
  ScopedVariable const chosen("MAKESPAN_NVCC", "/no/such/nvcc");
  EXPECT_THAT([] { static_cast<void>(find_gpu_compiler()); },
              ThrowsMessage<InputError>(
                  AllOf(HasSubstr("MAKESPAN_NVCC=/no/such/nvcc"), HasSubstr("no such program"))));
}

TEST(GpuCompiler, that_is_not_there_is_an_error) {
  EXPECT_THROW(static_cast<void>(gpu_compiled("", {.command = "/no/such/nvcc", .cache = {}})),
               NotConfigured);
}

TEST(GpuCompiler, says_what_the_compiler_says) {
  ScratchFolder const folder;
  fs::path const failing =
      stand_in(folder.path() / "nvcc", "echo \"no GPU like that: $*\"\nexit 1\n");
  auto const compile = [&] {
    static_cast<void>(gpu_compiled(
        "source",
        {.command = failing.string(), .capability = 70, .cache = folder.path() / "cache"}));
  };
  EXPECT_THAT(compile, ThrowsMessage<InputError>(
                           AllOf(HasSubstr("failed to compile an update"), HasSubstr("-fmad=false"),
                                 HasSubstr("-arch=sm_70"), HasSubstr("leave GPUs out"))));
}

TEST(GpuCompiler, compiles_what_is_written_for_it) {
  if (find_gpu_compiler().empty()) GTEST_SKIP() << "no nvcc";
  ScratchFolder const folder;
  RandomDraws draws(3);
  CheckedProgram const program(
      random_program(draws, {.fields = 3, .radius = 2, .has_corners = true}));
  EXPECT_NO_THROW(GpuKernel(program, {.capability = 90, .cache = folder.path()}));
  // A runtime may remember its kernels: it stays when the kernel is gone.
  fs::path const library = fs::directory_iterator(folder.path() / "kernels")->path();
  EXPECT_NE(::dlopen(library.c_str(), RTLD_NOW | RTLD_NOLOAD), nullptr);
}

}  // namespace
}  // namespace makespan::grid
