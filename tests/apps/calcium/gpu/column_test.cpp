// SPDX-License-Identifier: Apache-2.0
// Goal: what a thread of a GPU computes is what a processor's vectors do, to the last bit. Method:
// the same program on the host, on regions, amounts and sources at random, for all faces and cuts.
#include "makespan/simd/one_lane.hpp"
// (first: it says what the programs are written in)
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "apps/calcium/all_pumps.hpp"
#include "apps/calcium/unit_grid.hpp"
#include "makespan/apps/calcium/calcium_unit.hpp"
#include "makespan/apps/calcium/gpu/detail/column-inl.hpp"

namespace makespan::calcium {
namespace {

using grid::Box;
using grid::Face;
using grid::FaceKind;
using grid::Point;

// A unit as a GPU computes it, with a thread for so many planes of a column.
class Columns final : public grid::Stencil {
 public:
  Columns(CalciumUnit const& unit, Factors const& factors, std::int64_t planes_each)
      : unit_{unit}, factors_{factors}, planes_each_{planes_each} {}

  [[nodiscard]] grid::StencilShape shape() const override { return unit_.shape(); }
  void sweep(grid::Sweep const& sweep) const override {
    Box const& slab = sweep.now[0].box;
    auto const codes = point_codes(unit_.map(), factors_, unit_.sources(), slab);
    auto const sources = unit_.sources().all();
    ColumnJob const job = column_job_of(sweep, {&factors_, factors_.has_pumps, codes.data(),
                                                sources.data(), static_cast<int>(sources.size())});
    Box const& box = job.box;
    for (std::int64_t z = box.begin.z; z < box.end.z; z += planes_each_) {
      for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
        for (std::int64_t x = box.begin.x; x < box.end.x; ++x) {
          std::int64_t const end = std::min(z + planes_each_, box.end.z);
          if (factors_.has_pumps) {
            one_lane::ComputeColumn<true>(job, x, y, z, end);
          } else {
            one_lane::ComputeColumn<false>(job, x, y, z, end);
          }
        }
      }
    }
  }

 private:
  CalciumUnit const& unit_;
  Factors const& factors_;
  std::int64_t planes_each_;
};

constexpr Point points{21, 11, 9};

CalciumSettings settings_of(grid::Wraps wraps) {
  return {.voxels = {.points = points, .spacing = 0.03, .wraps = wraps},
          .time_step = 1e-4,
          .geometry = {.layout = Layout::plain},
          .openings = {}};
}

// All pumps, of a unit that has room here.
CalciumSettings pumped_settings(grid::Wraps wraps) {
  return with_all_pumps(settings_of(wraps), {.tubule_radius = 0.03,
                                             .cleft_height = 0.03,
                                             .jsr_length = 0.1,
                                             .jsr_width = 0.1,
                                             .jsr_thickness = 0.03,
                                             .ryr_per_side = 0,
                                             .lcc_count = 0});
}

// Two in one voxel, one that is open for a step, and one through each face.
std::vector<Source> some_sources() {
  std::vector<Source> sources{
      {.voxel = {3, 4, 5}, .face = Face::y_low, .exchange = 0.2, .step_end = 100},
      {.voxel = {3, 4, 5}, .amount = 0.7, .step_end = 100},
      {.voxel = {20, 10, 8}, .amount = 5, .step_begin = 2, .step_end = 3}};
  for (int face = 0; face < grid::face_count; ++face) {
    sources.push_back({.voxel = {8, 5, 3 + face / 2},
                       .face = static_cast<Face>(face),
                       .exchange = 0.1,
                       .step_end = 100});
  }
  return sources;
}

class CalciumColumn : public testing::TestWithParam<bool> {};

TEST_P(CalciumColumn, has_the_bits_of_vectors) {
  std::vector<Box> const cuts{{{}, {21, 11, 4}}, {{0, 0, 4}, {21, 11, 5}}, {{0, 0, 5}, points}};
  for (FaceKind const kind : {FaceKind::no_flux, FaceKind::value, FaceKind::periodic}) {
    bool const wraps = kind == FaceKind::periodic;
    grid::Wraps const all{wraps, wraps, wraps};
    CalciumSettings const settings = GetParam() ? pumped_settings(all) : settings_of(all);
    VoxelMap const map = random_map(points, settings.voxels.wraps, 7);
    CalciumUnit unit(settings, map);
    unit.set_sources(some_sources());
    Factors const factors = factors_of(settings);
    Values const start = random_values(map, 11);
    grid::Faces const faces = grid::faces_all(kind);
    UnitGrid expected(unit, points, faces);
    expected.set(start);
    expected.steps(unit, 5);
    for (std::int64_t const planes_each : {1, 3, 64}) {
      Columns const columns(unit, factors, planes_each);
      UnitGrid whole(unit, points, faces);
      UnitGrid cut(unit, points, faces, cuts);
      whole.set(start);
      cut.set(start);
      whole.steps(columns, 5);
      cut.steps(columns, 5);

      EXPECT_TRUE(same_bits(whole.values(), expected.values())) << static_cast<int>(kind);
      EXPECT_TRUE(same_bits(cut.values(), expected.values())) << static_cast<int>(kind);
    }
  }
}

TEST_P(CalciumColumn, computes_parts_of_slabs) {
  CalciumSettings const settings = GetParam() ? pumped_settings({}) : settings_of({});
  VoxelMap const map = random_map(points, {}, 3);
  CalciumUnit const unit(settings, map);
  Factors const factors = factors_of(settings);
  Columns const columns(unit, factors, 4);
  Values const start = random_values(map, 5);
  UnitGrid expected(unit, points);
  UnitGrid parts(unit, points);
  expected.set(start);
  parts.set(start);

  for (int step = 0; step < 3; ++step) {
    expected.step(unit, step);
    parts.step(columns, step,
               {{{}, {21, 11, 1}},
                {{0, 0, 8}, points},
                {{0, 0, 1}, {9, 11, 8}},
                {{9, 0, 1}, {21, 11, 8}}});
  }

  EXPECT_TRUE(same_bits(parts.values(), expected.values()));
}

INSTANTIATE_TEST_SUITE_P(Pumps, CalciumColumn, testing::Bool(),
                         [](auto const& tested) { return tested.param ? "on" : "off"; });

}  // namespace
}  // namespace makespan::calcium
