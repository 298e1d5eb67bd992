// SPDX-License-Identifier: Apache-2.0
#pragma once

// Programs of one field that read a point's neighbours along the axes.

#include <cmath>
#include <limits>

#include "makespan/grid/program/program_builder.hpp"

namespace makespan::grid {

// The seven points of diffusion and those of a wave of order 8.
inline PointProgram star(int radius) {
  ProgramBuilder make({"u"}, 2);
  ProgramBuilder::Value sum = make.parameter(0) * make.load(0);
  for (int k = 1; k <= radius; ++k) {
    for (Offset const axis : {Offset{k}, Offset{0, k}, Offset{0, 0, k}}) {
      Offset const back{-axis.x, -axis.y, -axis.z};
      sum = make.fused(make.parameter(1), make.load(0, back) + make.load(0, axis), sum);
    }
  }
  make.update(0, sum);
  return make.program();
}

// With an infinity, one that is no number, a zero below 0 and a number that is not normal.
inline PointProgram odd_constants() {
  ProgramBuilder make({"u"}, 2);
  auto const u = make.load(0);
  auto const least = make.make(PointOp::minimum, {u, make.constant(HUGE_VAL)}) +
                     make.constant(std::numeric_limits<double>::denorm_min());
  auto const nan = make.constant(std::numeric_limits<double>::quiet_NaN());
  auto const is_nan = make.make(PointOp::equal, {u, nan});
  auto const above = make.make(PointOp::maximum, {least, make.constant(-HUGE_VAL)});
  make.update(0, make.make(PointOp::select, {is_nan, nan, above * make.constant(-0.0)}) +
                     make.load(0, {1}));
  return make.program();
}

// Scaled by the first and last powers of 2, by what is no whole power or too large, each at one
// point along x, and at all others by what is no number.
inline PointProgram odd_powers() {
  ProgramBuilder make({"u"}, 2);
  ProgramBuilder::Value power = make.constant(std::numeric_limits<double>::quiet_NaN());
  double place = 0;
  for (double const odd : {-1022.0, 1023.0, -1023.0, 1024.0, 2.5, -3.5, 5000.0, 1e15, 1e19, 1e300,
                           -1e300, HUGE_VAL, -HUGE_VAL}) {
    auto const is_here =
        make.make(PointOp::equal, {make.make(PointOp::index_x), make.constant(8 + place++)});
    power = make.make(PointOp::select, {is_here, make.constant(odd), power});
  }
  make.update(0, make.make(PointOp::scale, {make.load(0), power}));
  return make.program();
}

}  // namespace makespan::grid
