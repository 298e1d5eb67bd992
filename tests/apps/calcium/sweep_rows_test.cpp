// SPDX-License-Identifier: Apache-2.0
// Goal: a step has the same bits for every instruction set, in one pass over memory or in two,
// whether pieces of equal points are found or not, however the grid is cut, with pumps and without.
// Method: each against a
// step that is written down voxel by voxel, on grids of odd sizes whose regions are drawn at
// random, with sources.
#include "makespan/apps/calcium/detail/sweep_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "apps/calcium/all_pumps.hpp"
#include "apps/calcium/plain_step.hpp"
#include "apps/calcium/unit_grid.hpp"

namespace makespan::calcium {
namespace {

using grid::FaceKind;

constexpr std::int64_t step_count = 3;

CalciumSettings settings_of(grid::Point points, grid::Wraps wraps) {
  return {.voxels = {.points = points, .spacing = 0.01, .wraps = wraps},
          .time_step = 7e-5,
          .geometry = {.layout = Layout::plain},
          .openings = {}};
}

// All pumps, of a unit whose T-tubule is as thin as can be.
CalciumSettings pumped_settings(grid::Point points, grid::Wraps wraps) {
  return with_all_pumps(settings_of(points, wraps), {.tubule_radius = 0.01,
                                                     .cleft_height = 0.01,
                                                     .jsr_length = 0.02,
                                                     .jsr_width = 0.02,
                                                     .jsr_thickness = 0.01,
                                                     .troponin_radius = 0.02,
                                                     .ryr_per_side = 0,
                                                     .lcc_count = 0});
}

// A channel between neighbours along each axis, and two sources in one voxel.
std::vector<Source> some_sources(grid::Point points) {
  std::vector<Source> sources;
  auto const add_channel = [&sources](grid::Point at, grid::Face face) {
    Source const channel{
        .voxel = at, .face = face, .exchange = 0.01, .step_begin = 0, .step_end = 2};
    for (Source const& side : both_sides(channel)) sources.push_back(side);
  };
  if (points.x > 9) add_channel({8, 0, 0}, grid::Face::x_low);
  if (points.y > 1) add_channel({points.x - 1, 0, 0}, grid::Face::y_high);
  if (points.z > 1) add_channel({points.x / 2, points.y - 1, 1}, grid::Face::z_low);
  grid::Point const middle{points.x / 2, points.y / 2, points.z / 2};
  sources.push_back({.voxel = middle, .amount = 0.125, .step_begin = 1, .step_end = 9});
  sources.push_back({.voxel = middle, .amount = 0.1, .step_begin = 0, .step_end = 2});
  return sources;
}

struct Case {
  grid::Point points{};
  grid::Faces faces{};
  bool is_pumped{};
};
std::string name_of(testing::TestParamInfo<Case> const& tested) {
  grid::Point const points = tested.param.points;
  return std::to_string(points.x) + "x" + std::to_string(points.y) + "x" +
         std::to_string(points.z) + "_faces_" + std::to_string(tested.index % 4) +
         (tested.param.is_pumped ? "_pumped" : "");
}

std::vector<Case> cases() {
  grid::Faces mixed = grid::faces_all(FaceKind::no_flux);
  mixed.kinds[1] = FaceKind::value;
  mixed.kinds[2] = FaceKind::value;
  mixed.kinds[5] = FaceKind::value;
  std::vector<Case> cases;
  for (grid::Point const points : {grid::Point{1, 1, 1},
                                   {1, 1, 9},
                                   {7, 3, 2},
                                   {8, 4, 1},
                                   {9, 1, 4},
                                   {16, 3, 3},
                                   {37, 6, 5},
                                   {64, 5, 3}}) {
    for (FaceKind const kind : {FaceKind::no_flux, FaceKind::value, FaceKind::periodic}) {
      cases.push_back({points, grid::faces_all(kind)});
    }
    cases.push_back({points, mixed});
  }
  for (grid::Point const points : {grid::Point{5, 7, 8}, {37, 7, 7}}) {
    for (FaceKind const kind : {FaceKind::no_flux, FaceKind::value, FaceKind::periodic}) {
      cases.push_back({points, grid::faces_all(kind), true});
    }
    cases.push_back({points, mixed, true});
  }
  return cases;
}

// Units of a case in each of their ways, with the step that they must make.
class SweepRows : public testing::TestWithParam<Case> {
 protected:
  CalciumSettings settings_ = GetParam().is_pumped
                                  ? pumped_settings(GetParam().points, GetParam().faces.wraps())
                                  : settings_of(GetParam().points, GetParam().faces.wraps());
  VoxelMap map_ = random_map(GetParam().points, GetParam().faces.wraps(), 5);
  Values start_ = random_values(map_, 6);
  Factors factors_ = factors_of(settings_);
  std::vector<Source> sources_ = some_sources(GetParam().points);

  [[nodiscard]] Values expected() const {
    PlainStep const plain{factors_, map_, GetParam().faces, sources_};
    Values values = start_;
    for (std::int64_t step = 0; step < step_count; ++step) values = plain.after(values, step);
    return values;
  }
  [[nodiscard]] std::unique_ptr<CalciumUnit> unit_of(CalciumOptions const& options) const {
    auto unit = std::make_unique<CalciumUnit>(settings_, map_, options);
    unit->set_sources(sources_);
    return unit;
  }
  [[nodiscard]] Values found(CalciumOptions const& options, std::vector<grid::Box> const& slabs,
                             std::vector<grid::Box> const& parts) const {
    auto const unit = unit_of(options);
    UnitGrid grid{*unit, GetParam().points, GetParam().faces, slabs};
    grid.set(start_);
    for (std::int64_t step = 0; step < step_count; ++step) grid.step(*unit, step, parts);
    return grid.values();
  }
  [[nodiscard]] grid::Box whole() const { return {{}, GetParam().points}; }
};

// Along each axis at these; those without points are left out.
std::vector<grid::Box> cut_at(grid::Point points, grid::Point at) {
  std::vector<grid::Box> boxes;
  for (int k = 0; k < 8; ++k) {
    auto const part = [k](int axis, std::int64_t cut, std::int64_t end) {
      bool const is_second = (k >> axis) % 2 == 1;
      return std::pair{is_second ? std::min(cut, end) : 0, is_second ? end : std::min(cut, end)};
    };
    auto const [x0, x1] = part(0, at.x, points.x);
    auto const [y0, y1] = part(1, at.y, points.y);
    auto const [z0, z1] = part(2, at.z, points.z);
    grid::Box const box{{x0, y0, z0}, {x1, y1, z1}};
    if (!box.is_empty()) boxes.push_back(box);
  }
  return boxes;
}

TEST_P(SweepRows, all_ways_to_make_a_step_have_the_same_bits) {
  Values const values = expected();

  for (Kernels const* const kernels : Kernels::available()) {
    for (Passes const passes : {Passes::fused, Passes::split}) {
      for (Finding const finding : {Finding::uniform_pieces, Finding::mixed_only}) {
        for (std::int64_t const shared_cache : {std::int64_t{1}, std::int64_t{1} << 40}) {
          CalciumOptions const options{.isa = kernels->isa,
                                       .passes = passes,
                                       .finding = finding,
                                       .core_cache = 1,
                                       .shared_cache = shared_cache};
          EXPECT_TRUE(same_bits(found(options, {whole()}, {}), values))
              << kernels->isa << ", passes " << static_cast<int>(passes) << ", finding "
              << static_cast<int>(finding) << ", shared cache " << shared_cache;
        }
      }
    }
  }
}

TEST_P(SweepRows, parts_of_a_box_make_the_whole) {
  Values const values = expected();
  grid::Point const points = GetParam().points;

  for (Passes const passes : {Passes::fused, Passes::split}) {
    for (Kernels const* const kernels : Kernels::available()) {
      CalciumOptions const options{.isa = kernels->isa, .passes = passes};
      for (grid::Point const at : {grid::Point{8, 1, 1}, {5, 2, 1}, {13, 1, 2}, {32, 3, 1}}) {
        EXPECT_TRUE(same_bits(found(options, {whole()}, cut_at(points, at)), values))
            << kernels->isa << ", cut at " << at.x << ", passes " << static_cast<int>(passes);
      }
    }
  }
}

TEST_P(SweepRows, slabs_of_any_cut_make_the_whole) {
  Values const values = expected();
  grid::Point const points = GetParam().points;

  for (grid::Point const at : {grid::Point{100, 100, 1}, {100, 2, 1}, {5, 1, 2}, {16, 3, 1}}) {
    EXPECT_TRUE(same_bits(found({}, cut_at(points, at), {}), values)) << "cut at " << at.x;
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, SweepRows, testing::ValuesIn(cases()), name_of);

TEST(SweepRowsAlone, a_row_of_one_region_beside_others_is_found_as_a_piece) {
  // The middle row of a map that changes along y and z, but not along x.
  grid::Point const points{40, 5, 5};
  VoxelMap const map{points, {}, [](std::int64_t y, std::int64_t z) {
                       return std::vector<RegionRun>{{40, static_cast<Region>((y + 2 * z) % 5)}};
                     }};
  CalciumSettings const settings = settings_of(points, {});
  CalciumUnit const unit{settings, map};
  Values const start = random_values(map, 8);
  UnitGrid grid{unit, points};
  grid.set(start);

  grid.step(unit, 0);

  Factors const factors = factors_of(settings);
  EXPECT_TRUE(same_bits(grid.values(), PlainStep(factors, map, {}, {}).after(start, 0)));
}

TEST(SweepRowsAlone, pauses_every_now_and_then) {
  grid::Point const points{8, 40, 5};
  CalciumUnit const unit{settings_of(points, {})};
  UnitGrid grid{unit, points};
  grid::SlabFields fields{{.box = {{}, points},
                           .halo_width = 1,
                           .roles = unit.shape().fields,
                           .values = face_values()}};
  fields.clear(fields.first_plane(), fields.last_plane());
  int pauses = 0;
  grid::Pause const pause{[](void* count) { ++*static_cast<int*>(count); }, &pauses};

  unit.sweep({.box = {{}, points}, .now = fields.now(), .next = fields.next(), .pause = pause});

  EXPECT_EQ(pauses, 200 / 32 + 1);
}

}  // namespace
}  // namespace makespan::calcium
