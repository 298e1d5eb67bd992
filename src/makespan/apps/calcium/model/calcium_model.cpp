// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/calcium/model/calcium_model.hpp"

#include <algorithm>
#include <array>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <memory>
#include <utility>

#include "makespan/apps/calcium/gpu/gpu_calcium.hpp"
#include "makespan/apps/calcium/species.hpp"
#include "makespan/pgas/message/archive.hpp"

namespace makespan::calcium {

namespace {

template <class Archive, pgas::PlainData... Parts>
void archive_plain(Archive& archive, Parts&... parts) {
  (archive(cereal::binary_data(&parts, sizeof parts)), ...);
}

}  // namespace

template <class Archive>
void serialize(Archive& archive, CalciumModelSettings& settings) {
  CalciumSettings& unit = settings.unit;
  archive_plain(archive, unit.voxels, unit.species, unit.geometry);
  archive(unit.time_step, unit.openings, unit.currents, unit.ryr_conductance, unit.lcc_current_pa,
          settings.outside, settings.isa);
}

CalciumModel::CalciumModel(CalciumModelSettings settings)
    : settings_{std::move(settings)}, unit_{settings_.unit, {.isa = settings_.isa}} {
}

grid::GridProblem CalciumModel::problem() const {
  Voxels const& voxels = settings_.unit.voxels;
  auto const otherwise =
      settings_.outside == Outside::nothing ? grid::FaceKind::no_flux : grid::FaceKind::value;
  std::array const wraps{voxels.wraps.x, voxels.wraps.y, voxels.wraps.z};
  grid::GridProblem problem{.box = {{}, voxels.points}};
  for (std::size_t face = 0; face < problem.faces.kinds.size(); ++face) {
    problem.faces.kinds[face] = wraps[face / 2] ? grid::FaceKind::periodic : otherwise;
  }
  for (double const value : unit_.start_of(Region::cytosol)) {
    problem.values.emplace_back().fill(value);
  }
  return problem;
}

std::shared_ptr<grid::Accelerator> CalciumModel::accelerator(int gpu) const {
  return gpu_calcium(unit_, gpu);
}

void CalciumModel::heed(std::span<std::byte const> word) {
  unit_.set_sources(pgas::unpacked<std::vector<Source>>(word));
}

grid::ModelOrder order_of(CalciumModelSettings const& settings) {
  return {.kind = "calcium", .bytes = pgas::packed(settings)};
}

grid::GridModelKind calcium_kind() {
  return {.name = "calcium", .make = [](std::span<std::byte const> order) {
            return std::make_unique<CalciumModel>(pgas::unpacked<CalciumModelSettings>(order));
          }};
}

std::vector<std::byte> word_of(std::vector<Source> const& sources) {
  return pgas::packed(sources);
}

}  // namespace makespan::calcium
