// SPDX-License-Identifier: Apache-2.0
#pragma once

// A whole field and its step in the plainest way: what every cut, device and schedule must agree
// with.

#include <cmath>
#include <cstdint>
#include <vector>

#include "makespan/apps/diffusion/diffusion.hpp"
#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/cut/faces.hpp"

namespace makespan::diffusion {

class PlainField {
 public:
  PlainField(grid::Point size, grid::Faces faces, grid::FaceValues values)
      : size_{size},
        faces_{faces},
        values_{values},
        now_(static_cast<std::size_t>(size.x * size.y * size.z)) {}

  [[nodiscard]] std::vector<double>& values() { return now_; }
  [[nodiscard]] double& at(grid::Point p) {
    return now_[static_cast<std::size_t>((p.z * size_.y + p.y) * size_.x + p.x)];
  }

  void step(Factors const& f) {
    std::vector<double> next(now_.size());
    std::size_t i = 0;
    for (std::int64_t z = 0; z < size_.z; ++z) {
      for (std::int64_t y = 0; y < size_.y; ++y) {
        for (std::int64_t x = 0; x < size_.x; ++x, ++i) {
          double const sum_x = around({x - 1, y, z}) + around({x + 1, y, z});
          double const sum_y = around({x, y - 1, z}) + around({x, y + 1, z});
          double const sum_z = around({x, y, z - 1}) + around({x, y, z + 1});
          next[i] =
              std::fma(f.z, sum_z, std::fma(f.y, sum_y, std::fma(f.x, sum_x, f.centre * now_[i])));
        }
      }
    }
    now_ = std::move(next);
  }

 private:
  // One point at most is outside along one axis.
  double around(grid::Point p) {
    std::int64_t* const along[3] = {&p.x, &p.y, &p.z};
    std::int64_t const extent[3] = {size_.x, size_.y, size_.z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      bool const is_low = *along[axis] < 0;
      if (!is_low && *along[axis] < extent[axis]) continue;
      std::size_t const face = 2 * axis + (is_low ? 0 : 1);
      if (faces_.kinds[face] == grid::FaceKind::value) return values_[face];
      bool const wraps = faces_.kinds[face] == grid::FaceKind::periodic;
      std::int64_t const last = extent[axis] - 1;
      *along[axis] = is_low == wraps ? last : 0;
    }
    return at(p);
  }

  grid::Point size_;
  grid::Faces faces_;
  grid::FaceValues values_;
  std::vector<double> now_;
};

// A number for each point, the same on all images.
inline double drawn_at(grid::Point p) {
  std::uint64_t word = static_cast<std::uint64_t>((p.z * 4099 + p.y) * 4099 + p.x) + 1;
  word ^= word >> 33;
  word *= 0xff51afd7ed558ccd;
  word ^= word >> 33;
  word *= 0xc4ceb9fe1a85ec53;
  word ^= word >> 33;
  return static_cast<double>(word >> 11) * 0x1p-53;
}

}  // namespace makespan::diffusion
