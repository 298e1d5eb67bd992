// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/calcium/geometry.hpp"

#include <cmath>
#include <cstdlib>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/base/number_text.hpp"

namespace makespan::calcium {

namespace {

constexpr double pi = 3.14159265358979;

// A point of the unit circle, by its angle from the z axis towards the y axis.
struct Direction {
  double y{};
  double z{};
};

// For angles within ±π. By their series: what a C library makes of them may differ in the last bit
// from machine to machine, and with it a voxel at an edge.
Direction direction_at(double angle) {
  Direction at{};
  double term = 1;
  // For π, the largest angle, what comes after these 40 terms is below 1e-27.
  for (int n = 0; n < 40; n += 2) {
    double const sign = n % 4 == 0 ? 1 : -1;
    at.z += sign * term;
    term *= angle / (n + 1);
    at.y += sign * term;
    term *= angle / (n + 2);
  }
  return at;
}

// Where a voxel's middle is, from the grid's middle.
struct Offset {
  double x{};
  double y{};
  double z{};
};

// The geometry, with what follows from it.
class Shape {
 public:
  Shape(Geometry const& geometry, Voxels const& voxels)
      : geometry_{geometry},
        voxels_{voxels},
        jsr_inner_{geometry.tubule_radius + geometry.cleft_height},
        jsr_outer_{jsr_inner_ + geometry.jsr_thickness},
        sector_z_{direction_at(geometry.jsr_width / 2 / jsr_inner_).z} {}

  [[nodiscard]] double jsr_inner() const { return jsr_inner_; }

  [[nodiscard]] Offset offset_of(grid::Point at) const {
    auto const along = [this](std::int64_t i, std::int64_t points) {
      return static_cast<double>(2 * i + 1 - points) * (voxels_.spacing / 2);
    };
    return {along(at.x, voxels_.points.x), along(at.y, voxels_.points.y),
            along(at.z, voxels_.points.z)};
  }
  // The voxel of a place along an axis of `points` voxels.
  [[nodiscard]] std::int64_t voxel_at(double place, std::int64_t points) const {
    return static_cast<std::int64_t>(
        std::floor(place / voxels_.spacing + static_cast<double>(points) / 2));
  }
  [[nodiscard]] bool is_beside_jsr(std::int64_t x) const {
    return std::abs(offset_of({x, 0, 0}).x) < geometry_.jsr_length / 2;
  }
  [[nodiscard]] Region region(grid::Point at) const {
    Offset const offset = offset_of(at);
    double const r = std::sqrt(offset.y * offset.y + offset.z * offset.z);
    if (r < geometry_.tubule_radius) return Region::t_tubule;
    // The angle is within the sector where its cosine is at least that of the sector's edge.
    if (is_beside_jsr(at.x) && offset.z >= r * sector_z_) {
      if (r < jsr_inner_) return Region::cleft;
      if (r < jsr_outer_) return Region::jsr;
    }
    return r < geometry_.troponin_radius ? Region::near_cytosol : Region::cytosol;
  }

 private:
  Geometry geometry_;
  Voxels voxels_;
  double jsr_inner_;
  double jsr_outer_;
  double sector_z_;  // of the sector's edge, on the unit circle
};

void check_length(std::string_view name, double value, double least, std::string_view why,
                  std::string_view advice) {
  if (value >= least && std::isfinite(value)) return;
  throw InputError(std::string(name) + " = " + short_text(value) + " µm",
                   std::string(why) + " " + short_text(least) + " µm", advice);
}

void check_fits(std::string_view what, double length, double most, std::string_view advice) {
  if (length < most) return;
  throw InputError(std::string(what) + " of " + short_text(length) + " µm",
                   "there is room for " + short_text(most) + " µm", advice);
}

void check_count(std::string_view name, int value) {
  // As docs/reference/python.md has it; the square of it is counted.
  constexpr int most = 1000;
  if (value >= 0 && value <= most) return;
  throw InputError(std::string(name) + " = " + std::to_string(value),
                   "it is at least 0, and at most " + std::to_string(most), "7 is usual");
}

void check_voxels(Voxels const& voxels) {
  if (!(voxels.spacing > 0) || !std::isfinite(voxels.spacing)) {
    throw InputError("spacing = " + short_text(voxels.spacing) + " µm",
                     "a voxel's side is a finite length above 0", "give 0.003 to 0.015");
  }
  for (std::int64_t const count : {voxels.points.x, voxels.points.y, voxels.points.z}) {
    if (count >= 1 && count <= (std::int64_t{1} << 31)) continue;
    throw InputError(std::to_string(count) + " voxels along an axis", "1 to 2^31 are counted",
                     "give the domain's length over the spacing");
  }
  // No product runs over: each is at most 2^31 times what has been found to be small.
  std::int64_t const rows = voxels.points.y * voxels.points.z;
  if (rows <= rows_max && voxels.points.x * rows <= voxels_max) return;
  throw InputError(std::to_string(voxels.points.x) + " x " + std::to_string(voxels.points.y) +
                       " x " + std::to_string(voxels.points.z) + " voxels",
                   "there are at most 2^28 rows along x, and 2^40 voxels",
                   "take a larger spacing, or lay the longest side along x");
}

void check_sizes(Geometry const& geometry, double spacing) {
  std::string_view const voxel = "no voxel is thinner than the spacing,";
  check_length("tubule_radius", geometry.tubule_radius, spacing, voxel, "0.11 is usual");
  check_length("cleft_height", geometry.cleft_height, spacing, voxel,
               "take a smaller spacing, or a higher cleft");
  check_length("jsr_length", geometry.jsr_length, spacing, voxel, "0.465 is usual");
  check_length("jsr_width", geometry.jsr_width, spacing, voxel, "0.465 is usual");
  check_length("jsr_thickness", geometry.jsr_thickness, spacing, voxel, "0.040 is usual");
  check_length("troponin_radius", geometry.troponin_radius, 0, "it is at least", "0.20 is usual");
  check_length("ryr_pitch", geometry.ryr_pitch, spacing, "a channel takes a voxel of its own, of",
               "take a smaller spacing, or fewer channels further apart");
  check_count("ryr_per_side", geometry.ryr_per_side);
  check_count("lcc_count", geometry.lcc_count);
}

void check_room(Geometry const& geometry, Voxels const& voxels) {
  double const inner = geometry.tubule_radius + geometry.cleft_height;
  auto const length = [&voxels](std::int64_t count) {
    return static_cast<double>(count) * voxels.spacing;
  };
  auto const row = [&geometry](int channels) { return (channels - 1) * geometry.ryr_pitch; };
  double const across = 2 * (inner + geometry.jsr_thickness);
  check_fits("an SR across y", across, length(voxels.points.y), "take more voxels along y");
  check_fits("an SR across z", across, length(voxels.points.z), "take more voxels along z");
  check_fits("an SR along x", geometry.jsr_length, length(voxels.points.x),
             "take more voxels along x");
  // Once around.
  check_fits("jsr_width", geometry.jsr_width, 2 * pi * inner,
             "take a narrower SR, or a wider tubule");
  // Outer channels are half a voxel from the edge at least.
  double const edge = voxels.spacing;
  check_fits("a row of RyRs", row(geometry.ryr_per_side), geometry.jsr_length - edge,
             "take fewer, or a longer SR");
  check_fits("a row of RyRs around the tubule", row(geometry.ryr_per_side),
             geometry.jsr_width - edge, "take fewer, or a wider SR");
  check_fits("a row of LCCs", row(geometry.lcc_count), geometry.jsr_length - edge,
             "take fewer, or a longer SR");
}

// The first voxel, from the axis outwards, that is `region` and after which comes `next`. `step` is
// a unit along y or z.
grid::Point last_before(Shape const& shape, grid::Point from, grid::Point step, Region region,
                        Region next) {
  for (grid::Point at = from;; at = at + step) {
    if (shape.region(at) == region && shape.region(at + step) == next) return at;
    // The SR begins at jsr_inner() from the axis: at twice that it has been missed.
    if (std::abs(shape.offset_of(at).y) > 2 * shape.jsr_inner() ||
        std::abs(shape.offset_of(at).z) > 2 * shape.jsr_inner()) {
      throw InputError("a RyR has no place", "no face between cleft and SR is near it",
                       "take a smaller spacing, or a larger SR");
    }
  }
}

// Where a column of voxels begins beside the axis, and where it goes.
struct Column {
  grid::Point first{};
  grid::Point step{};
  grid::Face outwards{};
};
Column column_of(Shape const& shape, grid::Point points, double x, Direction towards) {
  double const r = shape.jsr_inner();
  std::int64_t const at_x = shape.voxel_at(x, points.x);
  if (std::abs(towards.z) >= std::abs(towards.y)) {
    bool const is_up = towards.z > 0;
    return {.first = {at_x, shape.voxel_at(r * towards.y, points.y), points.z / 2},
            .step = {0, 0, is_up ? 1 : -1},
            .outwards = is_up ? grid::Face::z_high : grid::Face::z_low};
  }
  bool const is_up = towards.y > 0;
  return {.first = {at_x, points.y / 2, shape.voxel_at(r * towards.z, points.z)},
          .step = {0, is_up ? 1 : -1, 0},
          .outwards = is_up ? grid::Face::y_high : grid::Face::y_low};
}

double place_in_row(int index, int count, double pitch) {
  return (index - 0.5 * (count - 1)) * pitch;
}

}  // namespace

void check(Geometry const& geometry, Voxels const& voxels) {
  check_voxels(voxels);
  if (geometry.layout == Layout::plain) return;
  check_sizes(geometry, voxels.spacing);
  check_room(geometry, voxels);
  static_cast<void>(ryr_channels(geometry, voxels));  // each has a place
}

Region region_at(Geometry const& geometry, Voxels const& voxels, grid::Point at) {
  if (geometry.layout == Layout::plain) return Region::cytosol;
  return Shape{geometry, voxels}.region(at);
}

VoxelMap voxel_map_of(Geometry const& geometry, Voxels const& voxels) {
  grid::Point const points = voxels.points;
  if (geometry.layout == Layout::plain) {
    return {points, voxels.wraps, [points](std::int64_t, std::int64_t) {
              return std::vector<RegionRun>{{points.x, Region::cytosol}};
            }};
  }
  // Along a row nothing changes but at the ends of the SR.
  Shape const shape{geometry, voxels};
  std::vector<std::int64_t> ends;
  for (std::int64_t x = 1; x < points.x; ++x) {
    if (shape.is_beside_jsr(x) != shape.is_beside_jsr(x - 1)) ends.push_back(x);
  }
  ends.push_back(points.x);
  return {points, voxels.wraps, [&shape, &ends](std::int64_t y, std::int64_t z) {
            std::vector<RegionRun> runs;
            for (std::int64_t const end : ends) {
              Region const region = shape.region({end - 1, y, z});
              if (!runs.empty() && runs.back().region == region) {
                runs.back().end = end;
              } else {
                runs.push_back({end, region});
              }
            }
            return runs;
          }};
}

double tubule_area_share(Geometry const& geometry, Voxels const& voxels) {
  Shape const shape{geometry, voxels};
  auto const is_tubule = [&](std::int64_t y, std::int64_t z) {
    return shape.region({0, y, z}) == Region::t_tubule;
  };
  std::int64_t faces = 0;  // around, of a voxel's length
  // Along x the tubule is the same everywhere.
  for (std::int64_t z = 0; z < voxels.points.z; ++z) {
    for (std::int64_t y = 0; y < voxels.points.y; ++y) {
      if (!is_tubule(y, z)) continue;
      for (int const step : {-1, 1}) {
        faces += (is_tubule(y + step, z) ? 0 : 1) + (is_tubule(y, z + step) ? 0 : 1);
      }
    }
  }
  double const around = static_cast<double>(faces) * voxels.spacing;
  return faces > 0 ? 2 * pi * geometry.tubule_radius / around : 1;
}

std::vector<IonChannel> ryr_channels(Geometry const& geometry, Voxels const& voxels) {
  if (geometry.layout == Layout::plain) return {};
  Shape const shape{geometry, voxels};
  std::vector<IonChannel> channels;
  int const side = geometry.ryr_per_side;
  for (int j = 0; j < side; ++j) {
    double const angle = place_in_row(j, side, geometry.ryr_pitch) / shape.jsr_inner();
    for (int i = 0; i < side; ++i) {
      Column const column = column_of(
          shape, voxels.points, place_in_row(i, side, geometry.ryr_pitch), direction_at(angle));
      channels.push_back({last_before(shape, column.first, column.step, Region::cleft, Region::jsr),
                          column.outwards});
    }
  }
  return channels;
}

std::vector<IonChannel> lcc_channels(Geometry const& geometry, Voxels const& voxels) {
  if (geometry.layout == Layout::plain) return {};
  Shape const shape{geometry, voxels};
  std::vector<IonChannel> channels;
  for (int i = 0; i < geometry.lcc_count; ++i) {
    Column const column = column_of(
        shape, voxels.points, place_in_row(i, geometry.lcc_count, geometry.ryr_pitch), {0, 1});
    grid::Point const membrane =
        last_before(shape, column.first, column.step, Region::t_tubule, Region::cleft);
    channels.push_back({membrane + column.step, grid::Face::z_low});
  }
  return channels;
}

}  // namespace makespan::calcium
