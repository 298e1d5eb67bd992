// SPDX-License-Identifier: Apache-2.0
// Goal: only programs that make sense are carried out, and what they need around a point is found.
// Method: programs with one thing wrong each; and the shapes and rows of known ones.
#include "makespan/grid/program/point_program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "makespan/base/error.hpp"
#include "makespan/grid/program/program_builder.hpp"

namespace makespan::grid {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

PointProgram sum_of_neighbours() {
  ProgramBuilder make({"u", "kept"});
  make.update(0, make.load(0, {-2}) + make.load(0, {0, 1}) * make.load(1));
  return make.program();
}

TEST(PointProgram, finds_what_a_step_reads) {
  CheckedProgram const program(sum_of_neighbours());
  EXPECT_THAT(program.shape().fields, ElementsAre(FieldRole::spreads, FieldRole::stays));
  EXPECT_EQ(program.shape().halo.width, 2);
  EXPECT_EQ(program.shape().halo.shape, HaloShape::faces);
  EXPECT_THAT(program.updated(), ElementsAre(0));
  EXPECT_THAT(row_slots(program, 1), ElementsAre(RowSlot{0, 0, 0, true}, RowSlot{0, 1, 0, false},
                                                 RowSlot{1, 0, 0, false}));
  // Of two planes the rows of both.
  EXPECT_EQ(row_slots(program, 2).size(), 6U);
  EXPECT_EQ(slot_of(row_slots(program, 2), 0, 1, 1), 3U);
}

TEST(PointProgram, needs_corners_where_it_reads_them) {
  ProgramBuilder make({"u"});
  make.update(0, make.load(0, {1, -1}));
  EXPECT_EQ(CheckedProgram(make.program()).shape().halo.shape, HaloShape::box);
}

TEST(PointProgram, keeps_a_field_that_is_read_around_and_never_changed) {
  ProgramBuilder make({"u", "given"});
  make.update(0, make.load(0) + make.load(1, {0, 0, 1}));
  CheckedProgram const program(make.program());
  EXPECT_THAT(program.updated(), ElementsAre(0, 1));
  EXPECT_THAT(program.shape().fields, ElementsAre(FieldRole::stays, FieldRole::spreads));
}

TEST(PointProgram, drops_what_no_update_needs) {
  ProgramBuilder make({"u"});
  ProgramBuilder::Value const unused = make.load(0, {4}) * make.constant(3);
  make.update(0, make.load(0) + make.constant(2));
  static_cast<void>(unused);
  CheckedProgram const program(make.program());
  EXPECT_EQ(program.nodes().size(), 3U);
  EXPECT_EQ(program.shape().halo.width, 0);
}

TEST(PointProgram, has_no_operands_that_nothing_looks_at) {
  PointProgram program = sum_of_neighbours();
  program.nodes[0].operands = {-1, 1 << 30, 7};
  EXPECT_THAT(CheckedProgram(program).nodes()[0].operands, ElementsAre(0, 0, 0));
}

TEST(PointProgram, makes_equal_operations_once) {
  ProgramBuilder make({"u"});
  EXPECT_EQ((make.load(0) + make.constant(1)).node(), (make.load(0) + make.constant(1)).node());
  EXPECT_NE(make.load(0, {1}).node(), make.load(0, {-1}).node());
  EXPECT_NE(make.constant(0.0).node(), make.constant(-0.0).node());
}

void expect_refused(PointProgram program, std::string const& text) {
  EXPECT_THAT([&] { CheckedProgram checked(program); }, ThrowsMessage<InputError>(HasSubstr(text)));
}

TEST(PointProgram, is_refused_where_it_makes_no_sense) {
  PointProgram const good = sum_of_neighbours();
  expect_refused({}, "without fields");
  PointProgram bad = good;
  bad.updates.pop_back();
  expect_refused(bad, "1 updates of 2 fields");
  bad = good;
  bad.updates[1] = 17;
  expect_refused(bad, "update 17");
  bad = good;
  bad.nodes.back().operands[0] = static_cast<std::int32_t>(bad.nodes.size()) - 1;
  expect_refused(bad, "operands stand before it");
  bad = good;
  bad.nodes.back().operands[1] = -1;
  expect_refused(bad, "operands stand before it");
  bad = good;
  bad.nodes[0].offset.z = 5;
  expect_refused(bad, "at most 4");
  bad = good;
  bad.nodes[0].offset.x = std::numeric_limits<int>::min();
  expect_refused(bad, "at most 4");
  bad = good;
  bad.nodes[0].field = 2;
  expect_refused(bad, "no such field");
  bad = good;
  bad.nodes[0].op = static_cast<PointOp>(point_ops);
  expect_refused(bad, "unknown");
  bad = good;
  bad.nodes[0] = {.op = PointOp::parameter};
  expect_refused(bad, "no such parameter");
  bad = good;
  bad.nodes.push_back({.op = PointOp::less});
  bad.nodes.push_back({.op = PointOp::add, .operands = {0, 5, 0}});
  bad.updates[1] = static_cast<std::int32_t>(bad.nodes.size()) - 1;
  expect_refused(bad, "wrong kind");
  bad = good;
  bad.nodes.push_back({.op = PointOp::less});
  bad.updates[1] = static_cast<std::int32_t>(bad.nodes.size()) - 1;
  expect_refused(bad, "gives a number");
}

}  // namespace
}  // namespace makespan::grid
