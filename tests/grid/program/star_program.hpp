// SPDX-License-Identifier: Apache-2.0
#pragma once

// Programs of one field that read a point's neighbours along the axes.

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

}  // namespace makespan::grid
