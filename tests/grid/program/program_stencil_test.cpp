// SPDX-License-Identifier: Apache-2.0
// Goal: an interpreted program comes to what its operations say, at all ends and for all parts of a
// slab. Method: programs drawn by chance beside their evaluation point by point.
#include "makespan/grid/program/program_stencil.hpp"

#include <gtest/gtest.h>

#include "makespan/base/error.hpp"
#include "makespan/grid/program/interpreter.hpp"
#include "program_check.hpp"
#include "random_program.hpp"
#include "star_program.hpp"

namespace makespan::grid {
namespace {

void expect_interpreted_right(RandomProgram const& of, std::uint64_t seed, int steps = 1) {
  RandomDraws draws(seed);
  PointProgram const program = random_program(draws, of);
  for (CheckedSlab const& slab : slabs_for(of.radius * steps)) {
    SCOPED_TRACE("row of " + std::to_string(slab.extent.x));
    expect_right(program, std::make_unique<Interpreter>(CheckedProgram(program, steps)), slab,
                 {.steps = steps});
  }
}

TEST(ProgramStencil, computes_programs_of_the_nearest_points) {
  for (std::uint64_t const seed : {1U, 2U, 3U}) expect_interpreted_right({}, seed);
}

TEST(ProgramStencil, computes_programs_of_far_points) {
  expect_interpreted_right({.fields = 3, .radius = 4}, 4);
}

TEST(ProgramStencil, computes_programs_of_corners) {
  expect_interpreted_right({.radius = 2, .has_corners = true}, 5);
}

// Also those that are no power of 2: a conversion of theirs to a whole number would be undefined.
TEST(ProgramStencil, scales_by_powers_of_all_kinds) {
  PointProgram const program = odd_powers();
  for (CheckedSlab const& slab : slabs_for(1)) {
    expect_right(program, std::make_unique<Interpreter>(CheckedProgram(program)), slab);
  }
}

TEST(ProgramStencil, makes_several_steps_at_once) {
  expect_interpreted_right({.operations = 12}, 6, 2);
  expect_interpreted_right({.fields = 1, .operations = 10}, 7, 5);
  expect_interpreted_right({.operations = 12, .radius = 2, .has_corners = true}, 8, 3);
  expect_interpreted_right({.fields = 3, .operations = 12, .radius = 4}, 9, 2);
}

TEST(ProgramStencil, makes_no_more_steps_than_a_halo_is_wide) {
  ProgramBuilder make({"u"});
  make.update(0, make.load(0, {0, 0, 3}));
  EXPECT_EQ(CheckedProgram(make.program(), 2).shape().steps_max, 2);
  EXPECT_THROW(CheckedProgram(make.program(), 3), InputError);
  EXPECT_THROW(CheckedProgram(make.program(), 0), InputError);
}

TEST(ProgramStencil, takes_new_parameters) {
  ProgramBuilder make({"u"}, 2);
  make.update(0, make.load(0) + make.parameter(1));
  CheckedProgram const program(make.program());
  ProgramStencil stencil(program, std::make_unique<Interpreter>(program), {1, 2});
  CheckedSlab const slab{.extent = {9, 1, 1}};
  SlabFields const fields = fields_of(slab, stencil.shape());
  double const before = fields.now()[0].at(0, 0)[3];
  auto const sweep = [&] {
    stencil.sweep({.box = fields.box(), .now = fields.now(), .next = fields.next()});
  };
  sweep();
  EXPECT_EQ(fields.now()[0].at(0, 0)[3], before + 2);  // it lies where it was
  stencil.set_parameters({1, 4});
  sweep();
  EXPECT_EQ(fields.now()[0].at(0, 0)[3], before + 2 + 4);
}

}  // namespace
}  // namespace makespan::grid
