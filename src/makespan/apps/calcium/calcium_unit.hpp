// SPDX-License-Identifier: Apache-2.0
#pragma once

// A calcium release unit as a stencil: calcium and four buffers on a grid, the fields of Field in
// their order, in µM.
//
// One sweep makes a whole step of them, reading and writing each once: 80 bytes a point. Its answer
// is the same, to the last bit, for all instruction sets, ways to pass over memory, and cuts of the
// grid. Voxels beyond a face of the domain that keeps a value have the region of the voxel before
// it.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "makespan/apps/calcium/kernels.hpp"
#include "makespan/apps/calcium/settings.hpp"
#include "makespan/grid/field/stencil.hpp"

namespace makespan::calcium {

// How a step goes over memory.
enum class Passes : std::uint8_t {
  fused,  // once
  split,  // diffusion, then the rest: to measure what fusing saves
};

struct CalciumOptions {
  std::string_view isa{"auto"};
  Passes passes{Passes::fused};
  Finding finding{Finding::uniform_pieces};
  // Of one core, and of what it shares with others [bytes]; 0 for those of this machine.
  std::int64_t core_cache{};
  std::int64_t shared_cache{};
};

// What one step of these settings takes of each point.
[[nodiscard]] Factors factors_of(CalciumSettings const& settings);

// Boxes are the grid's, from voxel (0, 0, 0) on. Tested by
// tests/apps/calcium/calcium_unit_test.cpp.
class CalciumUnit final : public grid::Stencil {
 public:
  // Throws InputError for settings that cannot be worked with; see check().
  explicit CalciumUnit(CalciumSettings const& settings, CalciumOptions const& options = {});
  // Of other regions, or other factors, than those of the settings.
  CalciumUnit(CalciumSettings const& settings, VoxelMap map, CalciumOptions const& options = {});

  [[nodiscard]] grid::StencilShape shape() const override;
  void sweep(grid::Sweep const& sweep) const override;

  // By field: a voxel of this region at the beginning.
  [[nodiscard]] std::array<double, field_count> start_of(Region region) const;
  // Sets the points of `box` in the fields to what they are at the beginning.
  void start(grid::Box const& box, std::span<grid::FieldView const> fields) const;

  [[nodiscard]] VoxelMap const& map() const { return map_; }
  [[nodiscard]] Factors const& factors() const { return factors_; }
  [[nodiscard]] Sources const& sources() const { return sources_; }
  // Between two steps: what comes in from now on. For channels that open and close by chance, drawn
  // by the owner.
  void set_sources(std::vector<Source> sources) {
    sources_ = Sources{std::move(sources)};
    ++sources_set_;
  }
  // Likewise the network SR's calcium.
  void set_network_sr(double ca);
  // How often any of these was set.
  [[nodiscard]] std::int64_t sources_set() const { return sources_set_; }

  [[nodiscard]] std::string_view isa() const { return kernels_.isa; }

 private:
  Kernels const& kernels_;
  CalciumSettings settings_;
  VoxelMap map_;
  Factors factors_;
  Sources sources_;
  std::int64_t sources_set_{0};
  CalciumOptions options_;
};

}  // namespace makespan::calcium
