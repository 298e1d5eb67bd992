// SPDX-License-Identifier: Apache-2.0
#pragma once

// Diffusion of one field as a model that the images of a team make alike.

#include "makespan/apps/diffusion/diffusion.hpp"
#include "makespan/grid/grid_options.hpp"
#include "makespan/grid/team/grid_model.hpp"
#include "makespan/grid/team/grid_team.hpp"

namespace makespan::diffusion {

struct DiffusionSettings {
  grid::Point points{};
  grid::Faces faces{};
  grid::FaceValues values{};  // of faces that are `value`
  Lambdas lambdas{};
  std::string isa{"auto"};
  int steps_at_once{1};  // that a sweep makes
};

// The field is 0 at the beginning. Tested by tests/apps/diffusion/model/diffusion_model_test.cpp.
class DiffusionModel final : public grid::GridModel {
 public:
  // Throws as Diffusion's constructor.
  explicit DiffusionModel(DiffusionSettings const& settings);

  [[nodiscard]] grid::GridProblem problem() const override;
  [[nodiscard]] grid::Stencil const& stencil() const override { return stencil_; }
  [[nodiscard]] std::shared_ptr<grid::Accelerator> accelerator(int gpu) const override;
  void start(grid::Box const& box, std::span<grid::FieldView const> fields) const override;
  // It has nothing to be told.
  void heed(std::span<std::byte const> word) override;

 private:
  DiffusionSettings settings_;
  Diffusion stencil_;
};

// What a team is told of it, and how it makes one.
[[nodiscard]] grid::ModelOrder order_of(DiffusionSettings const& settings);
[[nodiscard]] grid::GridModelKind diffusion_kind();

}  // namespace makespan::diffusion
