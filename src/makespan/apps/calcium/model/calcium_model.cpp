// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/calcium/model/calcium_model.hpp"

#include <algorithm>
#include <array>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>

#include "makespan/apps/calcium/gpu/gpu_calcium.hpp"
#include "makespan/apps/calcium/species.hpp"
#include "makespan/base/error.hpp"
#include "makespan/pgas/message/archive.hpp"

namespace makespan::calcium {

namespace {

// As they lie in memory; the enumerator among them is settings_from()'s to check.
template <class Archive, pgas::PlainData... Parts>
void archive_plain(Archive& archive, Parts&... parts) {
  (archive(cereal::binary_data(&parts, sizeof parts)), ...);
}

// As bytes that may be any.
template <class Archive, class... Flags>
void archive_flags(Archive& archive, Flags&... flags) {
  auto const archive_one = [&archive](bool& flag) {
    std::uint8_t byte = flag ? 1 : 0;
    archive(byte);
    flag = byte != 0;
  };
  (archive_one(flags), ...);
}

[[noreturn]] void refuse(std::string_view what, std::string_view why) {
  throw InputError(what, why, "start the same executable on all images");
}

void expect_within(Voxels const& voxels, std::span<Source const> sources) {
  for (Source const& source : sources) {
    bool const is_there = grid::Box{{}, voxels.points}.holds(source.voxel) &&
                          source.face <= grid::Face::z_high && source.exchange >= 0 &&
                          std::isfinite(source.exchange) && std::isfinite(source.amount);
    if (!is_there) refuse("a source of calcium", "it is outside of the grid, or no amount");
  }
}

}  // namespace

// What a unit is told between two steps.
struct CalciumChange {
  std::vector<Source> sources{};
  double network_sr_ca{};  // below 0: it is the sources
};
template <class Archive>
void serialize(Archive& archive, CalciumChange& change) {
  archive(change.sources, change.network_sr_ca);
}

template <class Archive>
void serialize(Archive& archive, CalciumModelSettings& settings) {
  CalciumSettings& unit = settings.unit;
  archive_plain(archive, unit.voxels.points, unit.voxels.spacing, unit.species, unit.geometry);
  archive_flags(archive, unit.voxels.wraps.x, unit.voxels.wraps.y, unit.voxels.wraps.z);
  archive_flags(archive, unit.pumps.serca, unit.pumps.membrane_pump, unit.pumps.exchanger,
                unit.pumps.leaks, unit.pumps.network_sr);
  archive(unit.time_step, unit.openings, unit.currents, unit.ryr_conductance, unit.lcc_current_pa,
          settings.outside, settings.isa);
}

namespace {

// An order is of another image: its enumerators may be any.
CalciumModelSettings settings_from(std::span<std::byte const> order) {
  auto settings = pgas::unpacked<CalciumModelSettings>(order);
  bool const is_known = settings.unit.geometry.layout <= Layout::release_unit &&
                        settings.outside <= Outside::at_rest &&
                        std::ranges::all_of(settings.unit.openings, [](Opening const& opening) {
                          return opening.kind <= ChannelKind::lcc;
                        });
  if (!is_known)
    refuse("an order of a calcium release unit", "this build does not know its layout");
  return settings;
}

}  // namespace

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
  auto change = pgas::unpacked<CalciumChange>(word);
  // Neither branch takes what is no number.
  if (change.network_sr_ca < 0) {
    expect_within(settings_.unit.voxels, change.sources);
    unit_.set_sources(std::move(change.sources));
  } else if (change.network_sr_ca <= std::numeric_limits<double>::max()) {
    unit_.set_network_sr(change.network_sr_ca);
  } else {
    refuse("calcium of the network SR", "it is no number");
  }
}

grid::ModelOrder order_of(CalciumModelSettings const& settings) {
  return {.kind = "calcium", .bytes = pgas::packed(settings)};
}

grid::GridModelKind calcium_kind() {
  return {.name = "calcium", .make = [](std::span<std::byte const> order) {
            return std::make_unique<CalciumModel>(settings_from(order));
          }};
}

std::vector<std::byte> word_of(std::vector<Source> const& sources) {
  return pgas::packed(CalciumChange{.sources = sources, .network_sr_ca = -1});
}

std::vector<std::byte> word_of_network_sr(double ca) {
  return pgas::packed(CalciumChange{.sources = {}, .network_sr_ca = ca});
}

}  // namespace makespan::calcium
