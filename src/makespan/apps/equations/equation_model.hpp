// SPDX-License-Identifier: Apache-2.0
#pragma once

// A user's own equations as a model that the images of a team make alike: each image has the
// program compiled by its own machine, or interprets it.

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "makespan/grid/compile/compiled_kernel.hpp"
#include "makespan/grid/cut/faces.hpp"
#include "makespan/grid/program/program_stencil.hpp"
#include "makespan/grid/team/grid_model.hpp"
#include "makespan/grid/team/grid_team.hpp"

namespace makespan::equations {

struct EquationSettings {
  grid::Point points{};
  grid::Faces faces{};
  std::vector<grid::FaceValues> values{};  // by field, of faces that are `value`
  grid::PointProgram program{};
  std::vector<double> parameters{};
  grid::KernelChoice kernel{grid::KernelChoice::automatic};
  int steps_at_once{1};  // that a sweep can make
  // Asked while the program is compiled, which ends where it says so or throws. Told no team.
  std::function<bool()> is_stopped{};
};

// Its fields are 0 at the beginning. Tested by tests/apps/equations/equation_model_test.cpp.
class EquationModel final : public grid::GridModel {
 public:
  // Throws InputError for a program that is invalid or does not compile, and where the numbers of
  // parameters or of FaceValues are not the program's; NotConfigured where the settings ask for a
  // compiler and there is none.
  explicit EquationModel(EquationSettings settings);

  [[nodiscard]] grid::GridProblem problem() const override;
  [[nodiscard]] grid::Stencil const& stencil() const override { return *stencil_; }
  // Throws as gpu_equations(), and InputError where the settings ask for the interpreter.
  [[nodiscard]] std::shared_ptr<grid::Accelerator> accelerator(int gpu) const override;
  void start(grid::Box const& box, std::span<grid::FieldView const> fields) const override;
  // New parameters, from word_of().
  void heed(std::span<std::byte const> word) override;

  // "compiled" or "interpreted".
  [[nodiscard]] std::string_view kernel() const { return stencil_->kernel().name(); }

 private:
  EquationSettings settings_;
  std::unique_ptr<grid::ProgramStencil> stencil_;
};

// What a team is told of it, and how it makes one.
[[nodiscard]] grid::ModelOrder order_of(EquationSettings const& settings);
// From an order's bytes. Throws std::out_of_range where they end too early, and InputError for
// enumerators that there are not.
[[nodiscard]] EquationSettings settings_from(std::span<std::byte const> order);
[[nodiscard]] std::vector<std::byte> word_of(std::vector<double> const& parameters);
[[nodiscard]] grid::GridModelKind equation_kind();

}  // namespace makespan::equations
