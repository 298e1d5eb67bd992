// SPDX-License-Identifier: Apache-2.0
#pragma once

// Diffusion of one field on a regular grid: forward in time, second order in space, seven points.
//
// u' = u + D Δt ∇²u; with λ = D Δt / h² of each axis, the difference of both neighbours to the
// point, times λ, is added. Stable, and never above or below what was there, where the three λ add
// up to no more than 1/2 (G. D. Smith, "Numerical Solution of Partial Differential Equations:
// Finite Difference Methods", 3rd ed., Oxford 1985, chapter 2).

#include <cstdint>
#include <string_view>

#include "makespan/apps/diffusion/kernels.hpp"
#include "makespan/grid/field/stencil.hpp"

namespace makespan::diffusion {

// λ by axis.
struct Lambdas {
  double x{};
  double y{};
  double z{};
};

[[nodiscard]] Factors factors_of(Lambdas const& lambdas);

struct DiffusionOptions {
  std::string_view isa{"auto"};
  int steps_max{1};  // that a sweep may make at once: 1 … 8
  // Of one core, and of what it shares with others [bytes]; 0 for those of this machine.
  std::int64_t core_cache{};
  std::int64_t shared_cache{};
};

// One field. Tested by tests/apps/diffusion/diffusion_test.cpp.
class Diffusion final : public grid::Stencil {
 public:
  // Throws InputError on unknown instruction sets, on lambdas that are not stable (naming the
  // limit), and on steps out of range.
  explicit Diffusion(Lambdas const& lambdas, DiffusionOptions const& options = {});

  [[nodiscard]] grid::StencilShape shape() const override;
  void sweep(grid::Sweep const& sweep) const override;

  [[nodiscard]] std::string_view isa() const { return kernels_.isa; }

 private:
  Kernels const& kernels_;
  Factors factors_;
  int steps_max_;
  std::int64_t core_cache_;
  std::int64_t shared_cache_;
};

}  // namespace makespan::diffusion
