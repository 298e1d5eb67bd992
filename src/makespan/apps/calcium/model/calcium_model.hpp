// SPDX-License-Identifier: Apache-2.0
#pragma once

// A calcium release unit as a model that the images of a team make alike.

#include <string>
#include <vector>

#include "makespan/apps/calcium/calcium_unit.hpp"
#include "makespan/apps/calcium/settings.hpp"
#include "makespan/grid/team/grid_model.hpp"
#include "makespan/grid/team/grid_team.hpp"

namespace makespan::calcium {

// What lies beyond the faces of the grid where it does not wrap.
enum class Outside : std::uint8_t {
  nothing,  // no flux
  at_rest,  // the cytosol at rest
};

struct CalciumModelSettings {
  CalciumSettings unit{};
  Outside outside{Outside::nothing};
  std::string isa{"auto"};
};

// What it heeds are new sources, or calcium of the network SR. Tested by
// tests/apps/calcium/model/calcium_model_test.cpp.
class CalciumModel final : public grid::GridModel {
 public:
  // Throws InputError for settings that cannot be worked with.
  explicit CalciumModel(CalciumModelSettings settings);

  [[nodiscard]] grid::GridProblem problem() const override;
  [[nodiscard]] grid::Stencil const& stencil() const override { return unit_; }
  [[nodiscard]] std::shared_ptr<grid::Accelerator> accelerator(int gpu) const override;
  void start(grid::Box const& box, std::span<grid::FieldView const> fields) const override {
    unit_.start(box, fields);
  }
  void heed(std::span<std::byte const> word) override;

 private:
  CalciumModelSettings settings_;
  CalciumUnit unit_;
};

// What a team is told of it, how it makes one, and what it is told of sources and of the network SR
// [µM, from 0].
[[nodiscard]] grid::ModelOrder order_of(CalciumModelSettings const& settings);
[[nodiscard]] grid::GridModelKind calcium_kind();
[[nodiscard]] std::vector<std::byte> word_of(std::vector<Source> const& sources);
[[nodiscard]] std::vector<std::byte> word_of_network_sr(double ca);

}  // namespace makespan::calcium
