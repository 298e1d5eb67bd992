// SPDX-License-Identifier: Apache-2.0
#pragma once

// Programs drawn by chance, of all operations, whose values stay finite.

#include <vector>

#include "makespan/base/random_draws.hpp"
#include "makespan/grid/program/program_builder.hpp"

namespace makespan::grid {

struct RandomProgram {
  int fields{2};
  int operations{30};
  int radius{1};
  bool has_corners{false};  // offsets along several axes at once
};

inline Offset random_offset(RandomDraws& draws, RandomProgram const& of) {
  auto const one = [&] { return draws.below(2 * of.radius + 1) - of.radius; };
  if (of.has_corners) return {one(), one(), one()};
  Offset offset{};
  (draws.below(3) == 0 ? offset.x : draws.below(2) == 0 ? offset.y : offset.z) = one();
  return offset;
}

// A number in -4 … 4, of one or two before it.
inline ProgramBuilder::Value random_value(ProgramBuilder& make, RandomDraws& draws,
                                          ProgramBuilder::Value a, ProgramBuilder::Value b) {
  using Value = ProgramBuilder::Value;
  auto const bounded = [&](Value value) {
    return make.make(PointOp::maximum,
                     {make.make(PointOp::minimum, {value, make.constant(4)}), make.constant(-4)});
  };
  Value const above_0 = make.make(PointOp::absolute, {b}) + make.constant(0.25);
  Value const truth = draws.below(3) == 0 ? make.make(PointOp::less, {a, b})
                      : draws.below(2) == 0
                          ? make.make(PointOp::less_equal, {b, make.constant(0.5)})
                          : make.make(PointOp::equal, {make.make(PointOp::floor, {a}),
                                                       make.make(PointOp::floor, {b})});
  switch (draws.below(14)) {
    case 0:
      return bounded(a + b);
    case 1:
      return bounded(a - b);
    case 2:
      return bounded(a * b);
    case 3:
      return bounded(a / above_0);
    case 4:
      return make.make(PointOp::square_root, {above_0});
    case 5:
      return make.make(PointOp::negate, {a});
    case 6:
      return bounded(make.fused(a, b, a));
    case 7:
      return make.make(PointOp::exponent, {above_0});
    case 8:
      return make.make(PointOp::fraction, {above_0});
    case 9:
      return bounded(make.make(PointOp::scale, {a, make.make(PointOp::floor, {b})}));
    case 10:
      return make.make(PointOp::select, {truth, a, b});
    case 11:
      return make.make(PointOp::select,
                       {make.make(PointOp::both, {truth, make.make(PointOp::less, {b, a})}), b, a});
    case 12:
      return make.make(
          PointOp::select,
          {make.make(PointOp::either, {truth, make.make(PointOp::inverse, {truth})}), a, b});
    default:
      return make.make(PointOp::floor, {a});
  }
}

// The last field stays: it is read at the point alone, and changed. Two parameters.
inline PointProgram random_program(RandomDraws& draws, RandomProgram const& of) {
  std::vector<std::string> names;
  for (int field = 0; field < of.fields; ++field) names.push_back("f" + std::to_string(field));
  ProgramBuilder make(names, 2);
  std::vector<ProgramBuilder::Value> values{make.parameter(0), make.parameter(1),
                                            make.load(of.fields - 1),
                                            // Indices small enough for all that follows.
                                            make.make(PointOp::index_x) * make.constant(0x1p-5),
                                            make.make(PointOp::index_y) * make.constant(0x1p-5),
                                            make.make(PointOp::index_z) * make.constant(0x1p-5),
                                            make.make(PointOp::step) * make.constant(0x1p-5)};
  for (int field = 0; field + 1 < of.fields; ++field) {
    for (int count = 0; count < 5; ++count) {
      values.push_back(make.load(field, random_offset(draws, of)));
    }
    values.push_back(make.load(field, {of.radius}));
    values.push_back(make.load(field, {0, 0, -of.radius}));
  }
  auto const any = [&] {
    return values[static_cast<std::size_t>(draws.below(static_cast<int>(values.size())))];
  };
  for (int count = 0; count < of.operations; ++count) {
    values.push_back(random_value(make, draws, any(), any()));
  }
  // All that was made counts.
  for (int field = 0; field < of.fields; ++field) {
    ProgramBuilder::Value sum = make.load(field, {});
    for (std::size_t at = static_cast<std::size_t>(field); at < values.size();
         at += static_cast<std::size_t>(of.fields)) {
      sum = make.fused(values[at], make.constant(0.125), sum);
    }
    make.update(field, sum);
  }
  return make.program();
}

}  // namespace makespan::grid
