// SPDX-License-Identifier: Apache-2.0
#pragma once

// Diffusion as a program, with the operations of apps/diffusion in their order.

#include <vector>

#include "makespan/apps/diffusion/diffusion.hpp"
#include "makespan/grid/program/program_builder.hpp"

namespace makespan::diffusion {

inline grid::PointProgram diffusion_program() {
  grid::ProgramBuilder make({"u"}, 4);
  auto const u = [&](int x, int y, int z) { return make.load(0, {x, y, z}); };
  auto const here = make.parameter(0) * u(0, 0, 0);
  auto const x = make.fused(make.parameter(1), u(-1, 0, 0) + u(1, 0, 0), here);
  auto const y = make.fused(make.parameter(2), u(0, -1, 0) + u(0, 1, 0), x);
  make.update(0, make.fused(make.parameter(3), u(0, 0, -1) + u(0, 0, 1), y));
  return make.program();
}

inline std::vector<double> diffusion_parameters(Lambdas const& lambdas) {
  Factors const factors = factors_of(lambdas);
  return {factors.centre, factors.x, factors.y, factors.z};
}

}  // namespace makespan::diffusion
