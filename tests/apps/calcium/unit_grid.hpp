// SPDX-License-Identifier: Apache-2.0
#pragma once

// Grids for tests of stencils of five fields: in one piece or in several, each with a halo, and
// step by step as an owner would make them.

#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <span>
#include <vector>

#include "makespan/apps/calcium/calcium_unit.hpp"
#include "makespan/grid/cut/faces.hpp"
#include "makespan/grid/field/slab_fields.hpp"

namespace makespan::calcium {

// All points of all fields, field after field, along x first.
using Values = std::vector<double>;

inline bool same_bits(Values const& a, Values const& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

inline std::size_t index_of(grid::Point points, int field, grid::Point at) {
  return static_cast<std::size_t>(((field * points.z + at.z) * points.y + at.y) * points.x + at.x);
}

// What a value face keeps in each field; different on each face.
inline std::vector<grid::FaceValues> face_values() {
  std::vector<grid::FaceValues> values(field_count);
  for (std::size_t field = 0; field < values.size(); ++field) {
    for (std::size_t face = 0; face < values[field].size(); ++face) {
      values[field][face] = 0.1 * static_cast<double>(field + 1) + 0.03 * static_cast<double>(face);
    }
  }
  return values;
}

// A grid as slabs, which are cut in any way; all share the domain's faces.
class UnitGrid {
 public:
  UnitGrid(grid::Stencil const& stencil, grid::Point points, grid::Faces const& faces,
           std::vector<grid::Box> const& boxes,
           std::vector<grid::FaceValues> const& values = face_values())
      : points_{points}, faces_{faces} {
    for (grid::Box const& box : boxes) {
      slabs_.emplace_back(grid::SlabPlan{.box = box,
                                         .sides = sides_of(box),
                                         .halo_width = 1,
                                         .roles = stencil.shape().fields,
                                         .values = values});
      slabs_.back().clear(slabs_.back().first_plane(), slabs_.back().last_plane());
    }
  }
  UnitGrid(grid::Stencil const& stencil, grid::Point points, grid::Faces const& faces = {})
      : UnitGrid(stencil, points, faces, {{{}, points}}) {}

  void set(Values const& values) {
    for (grid::SlabFields& slab : slabs_) {
      for_points(slab.box(), [&](int field, grid::Point at) {
        value_at(slab.now(), field, at) = values[index_of(points_, field, at)];
      });
    }
  }
  void start(CalciumUnit const& unit) {
    for (grid::SlabFields& slab : slabs_) unit.start(slab.box(), slab.now());
  }
  [[nodiscard]] Values values() const {
    Values values(static_cast<std::size_t>(field_count * points_.x * points_.y * points_.z));
    for (grid::SlabFields const& slab : slabs_) {
      for_points(slab.box(), [&](int field, grid::Point at) {
        values[index_of(points_, field, at)] = value_at(slab.now(), field, at);
      });
    }
    return values;
  }
  [[nodiscard]] double at(Field field, grid::Point point) const {
    return value_at(slabs_.front().now(), static_cast<int>(field), point);
  }

  // Each slab in one sweep, or in those parts of `parts` that it has.
  void step(grid::Stencil const& stencil, std::int64_t number,
            std::vector<grid::Box> const& parts = {}) {
    if (slabs_.size() > 1 || has_wraps()) fill_halos();
    for (grid::SlabFields& slab : slabs_) {
      grid::Sweep sweep{.box = slab.box(), .step = number, .now = slab.now(), .next = slab.next()};
      if (parts.empty()) stencil.sweep(sweep);
      for (grid::Box const& part : parts) {
        sweep.box = grid::intersection(part, slab.box());
        stencil.sweep(sweep);
      }
    }
    for (grid::SlabFields& slab : slabs_) slab.advance();
  }
  void steps(grid::Stencil const& stencil, std::int64_t count) {
    for (std::int64_t number = 0; number < count; ++number) step(stencil, number);
  }

 private:
  template <class Call>
  static void for_points(grid::Box const& box, Call const& call) {
    for (int field = 0; field < field_count; ++field) {
      for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
        for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
          for (std::int64_t x = box.begin.x; x < box.end.x; ++x) call(field, {x, y, z});
        }
      }
    }
  }
  static double& value_at(std::span<grid::FieldView const> views, int field, grid::Point at) {
    grid::FieldView const& view = views[static_cast<std::size_t>(field)];
    grid::Point const local = at - view.box.begin;
    return view.at(local.y, local.z)[local.x];
  }
  [[nodiscard]] bool has_wraps() const {
    grid::Wraps const wraps = faces_.wraps();
    return wraps.x || wraps.y || wraps.z;
  }
  [[nodiscard]] grid::Sides sides_of(grid::Box const& box) const {
    std::array<bool, grid::face_count> const at_end{box.begin.x == 0, box.end.x == points_.x,
                                                    box.begin.y == 0, box.end.y == points_.y,
                                                    box.begin.z == 0, box.end.z == points_.z};
    grid::Sides sides{};
    for (std::size_t face = 0; face < sides.size(); ++face) {
      grid::FaceKind const kind = faces_.kinds[face];
      if (!at_end[face] || kind == grid::FaceKind::periodic) {
        sides[face] = grid::Beyond::stored;
      } else {
        sides[face] = kind == grid::FaceKind::value ? grid::Beyond::value : grid::Beyond::mirror;
      }
    }
    return sides;
  }
  // From the points that lie there, straight out of the slabs' sides; all else is not a number.
  void fill_halos() {
    Values const all = values();
    grid::Wraps const wraps = faces_.wraps();
    auto const wrapped = [](std::int64_t i, std::int64_t extent, bool wrap) {
      return wrap ? (i + extent) % extent : i;
    };
    for (grid::SlabFields& slab : slabs_) {
      for_points(grid::grown(slab.box(), 1), [&](int field, grid::Point at) {
        if (slab.box().holds(at)) return;
        grid::Point const from{wrapped(at.x, points_.x, wraps.x), wrapped(at.y, points_.y, wraps.y),
                               wrapped(at.z, points_.z, wraps.z)};
        if (grid::Box{{}, points_}.holds(from)) {
          value_at(slab.now(), field, at) = all[index_of(points_, field, from)];
        }
      });
    }
  }

  grid::Point points_;
  grid::Faces faces_;
  std::vector<grid::SlabFields> slabs_;
};

// Regions at random, in lumps along x that end anywhere.
inline VoxelMap random_map(grid::Point points, grid::Wraps wraps, std::uint64_t seed) {
  std::mt19937_64 random{seed};
  std::vector<Region> regions;
  Region region{};
  for (std::int64_t i = 0; i < points.x * points.y * points.z; ++i) {
    if (random() % 5 == 0) region = static_cast<Region>(random() % region_count);
    regions.push_back(region);
  }
  return voxel_map_of(points, wraps, regions);
}

// Amounts at random; fields that a region does not have are 0 there.
inline Values random_values(VoxelMap const& map, std::uint64_t seed) {
  std::mt19937_64 random{seed};
  grid::Point const points = map.points();
  Values values;
  for (int field = 0; field < field_count; ++field) {
    for (std::int64_t z = 0; z < points.z; ++z) {
      for (std::int64_t y = 0; y < points.y; ++y) {
        for (std::int64_t x = 0; x < points.x; ++x) {
          bool const is_cytosol = map.region({x, y, z}) < Region::t_tubule;
          bool const is_there = field == 0 || field == field_count - 1 || is_cytosol;
          double const value = static_cast<double>(random() >> 11) * 0x1p-53;
          values.push_back(is_there ? 20 * value : 0);
        }
      }
    }
  }
  return values;
}

}  // namespace makespan::calcium
