// SPDX-License-Identifier: Apache-2.0
// Goal: compiled programs have the bits of their operations, for any instruction set. Method:
// programs drawn by chance, compiled for several processors, beside their evaluation point by
// point.
#include "makespan/grid/compile/compiled_kernel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "makespan/base/error.hpp"
#include "makespan/grid/compile/detail/kernel_source.hpp"
#include "program_check.hpp"
#include "random_program.hpp"
#include "scratch_folder.hpp"
#include "star_program.hpp"

namespace makespan::grid {
namespace {

class CompiledKernel : public testing::Test {
 protected:
  void SetUp() override {
    if (find_compiler().empty()) GTEST_SKIP() << "no C++ compiler";
  }
  // Each kernel is loaded anew for each slab, and compiled once.
  void expect_compiled_right(RandomProgram const& of, std::uint64_t seed,
                             std::vector<std::string> const& flags) {
    RandomDraws draws(seed);
    PointProgram const program = random_program(draws, of);
    // Bits depend on no option; compilers take a third of the time with this one.
    std::vector<std::string> quick = flags;
    quick.emplace_back("-O1");
    CompilerOptions const options{.flags = quick, .cache = folder_.path()};
    for (CheckedSlab const& slab : slabs_for(of.radius)) {
      SCOPED_TRACE("row of " + std::to_string(slab.extent.x));
      for (bool const is_past_caches : {false, true}) {
        expect_right(program, compiled_kernel(CheckedProgram(program), options), slab,
                     {.is_past_caches = is_past_caches});
      }
    }
  }

 private:
  ScratchFolder folder_;
};

// One plane at a time.
TEST_F(CompiledKernel, is_right_here) {
  expect_compiled_right({.operations = 14}, 1, {"-march=native"});
}

#if defined(__x86_64__)
TEST_F(CompiledKernel, is_right_without_vectors_of_its_own) {
  expect_compiled_right({.operations = 8, .radius = 2, .has_corners = true}, 5, {});
}

// As GCC before 10, which has no such word.
TEST_F(CompiledKernel, is_right_by_a_compiler_that_cannot_say_what_it_has) {
  expect_compiled_right({.operations = 8, .radius = 2}, 6, {"-U__has_builtin"});
}

TEST_F(CompiledKernel, is_right_with_vectors_of_four) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    GTEST_SKIP() << "no AVX2";
  }
  expect_compiled_right({.fields = 3, .operations = 8, .radius = 4}, 4, {"-mavx2", "-mfma"});
}
#endif

TEST_F(CompiledKernel, is_right_in_several_planes) {
  ScratchFolder const folder;
  CompilerOptions const options{.flags = {"-march=native", "-O1"}, .cache = folder.path()};
  EXPECT_EQ(planes_at_once(CheckedProgram(star(1))), 4);
  EXPECT_EQ(planes_at_once(CheckedProgram(star(4))), 4);
  for (auto const& [radius, steps] : {std::pair{1, 1}, {1, 3}, {4, 1}, {4, 2}}) {
    CheckedProgram const program(star(radius), steps);
    for (CheckedSlab const& slab : slabs_for(radius * steps)) {
      SCOPED_TRACE("row of " + std::to_string(slab.extent.x));
      expect_right(star(radius), compiled_kernel(program, options), slab, {.steps = steps});
    }
  }
}

TEST_F(CompiledKernel, scales_by_powers_of_all_kinds) {
  ScratchFolder const folder;
  // Of this processor, and without vectors of its own.
  for (std::vector<std::string> const& flags :
       std::vector<std::vector<std::string>>{{"-march=native", "-O1"}, {"-O1"}}) {
    CompilerOptions const options{.flags = flags, .cache = folder.path()};
    for (CheckedSlab const& slab : slabs_for(1)) {
      expect_right(odd_powers(), compiled_kernel(CheckedProgram(odd_powers()), options), slab);
    }
  }
}

TEST_F(CompiledKernel, is_chosen_where_there_is_a_compiler) {
  ScratchFolder const folder;
  CheckedProgram const program(star(1));
  CompilerOptions const options{.cache = folder.path()};
  CompilerOptions const none{.command = "/no/such/compiler", .cache = folder.path()};
  EXPECT_EQ(row_kernel(program, KernelChoice::automatic, options)->name(), "compiled");
  EXPECT_EQ(row_kernel(program, KernelChoice::interpreted, options)->name(), "interpreted");
  EXPECT_EQ(row_kernel(program, KernelChoice::automatic, none)->name(), "interpreted");
  EXPECT_THROW(static_cast<void>(row_kernel(program, KernelChoice::compiled, none)), NotConfigured);
}

}  // namespace
}  // namespace makespan::grid
