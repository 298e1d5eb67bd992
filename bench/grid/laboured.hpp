// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "makespan/apps/diffusion/diffusion.hpp"
#include "makespan/grid/field/stencil.hpp"

namespace makespan::bench {

// Diffusion whose points take `times` as long to compute: kernels with more arithmetic.
class Laboured final : public grid::Stencil {
 public:
  Laboured(diffusion::Lambdas const& lambdas, long times) : diffusion_{lambdas}, times_{times} {}
  [[nodiscard]] grid::StencilShape shape() const override { return diffusion_.shape(); }
  void sweep(grid::Sweep const& sweep) const override {
    for (long i = 0; i < times_; ++i) diffusion_.sweep(sweep);
  }

 private:
  diffusion::Diffusion diffusion_;
  long times_;
};

}  // namespace makespan::bench
