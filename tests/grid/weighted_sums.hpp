// SPDX-License-Identifier: Apache-2.0
#pragma once

// A stencil without physical meaning: each point becomes a sum of the 125 around it, each with a
// weight of its own, modulo a prime; a second field adds up what the first one was. All numbers are
// whole, so sums are exact in any order, and one wrong point is all wrong a few steps later. A
// point that is computed twice in a step, or not at all, shows in the second field.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "makespan/grid/cut/box.hpp"
#include "makespan/grid/cut/faces.hpp"
#include "makespan/grid/field/stencil.hpp"

namespace makespan::grid {

inline constexpr std::int64_t sums_width = 2;

// Of around(dx, dy, dz), at a step.
template <class Around>
double weighted_sum(Around const& around, std::int64_t step) {
  constexpr double prime = 1048573;
  double sum = static_cast<double>(step);
  double weight = 0;
  for (std::int64_t dz = -sums_width; dz <= sums_width; ++dz) {
    for (std::int64_t dy = -sums_width; dy <= sums_width; ++dy) {
      for (std::int64_t dx = -sums_width; dx <= sums_width; ++dx) {
        sum += ++weight * around(dx, dy, dz);
      }
    }
  }
  return std::fmod(sum, prime);
}

class WeightedSums : public Stencil {
 public:
  [[nodiscard]] StencilShape shape() const override {
    return {.fields = {FieldRole::spreads, FieldRole::stays},
            .halo = {.width = sums_width, .shape = HaloShape::box},
            .reads_row_ends = true};
  }

  void sweep(Sweep const& sweep) const override {
    FieldView const& now = sweep.now[0];
    Box const box = moved(sweep.box, Point{} - now.box.begin);
    for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
      for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
        for (std::int64_t x = box.begin.x; x < box.end.x; ++x) {
          auto const around = [&](std::int64_t dx, std::int64_t dy, std::int64_t dz) {
            return now.row(y + dy, z + dz)[x + dx];
          };
          sweep.next[0].at(y, z)[x] = weighted_sum(around, sweep.step);
          sweep.next[1].at(y, z)[x] += now.at(y, z)[x];
        }
      }
      sweep.pause();
    }
  }
};

// Of the points below and above: no end of a row is read, so that accelerators take it.
class SumsAlongZ final : public Stencil {
 public:
  [[nodiscard]] StencilShape shape() const override {
    return {.fields = {FieldRole::spreads}, .halo = {.width = 1}};
  }
  void sweep(Sweep const& sweep) const override {
    FieldView const& now = sweep.now[0];
    Box const box = moved(sweep.box, Point{} - now.box.begin);
    for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
      for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
        for (std::int64_t x = box.begin.x; x < box.end.x; ++x) {
          double const sum = 3 * now.row(y, z - 1)[x] + now.row(y, z)[x] + 5 * now.row(y, z + 1)[x];
          sweep.next[0].at(y, z)[x] = std::fmod(sum, 1048573.0);
        }
      }
    }
  }
};

// What WeightedSums does, of a whole grid that is in one piece, in the plainest way.
class PlainSums {
 public:
  PlainSums(Point size, Faces const& faces, FaceValues const& values)
      : size_{size},
        faces_{faces},
        values_{values},
        now_(static_cast<std::size_t>(size.x * size.y * size.z)),
        sums_(now_.size()) {}

  [[nodiscard]] std::vector<double>& now() { return now_; }
  [[nodiscard]] std::vector<double>& sums() { return sums_; }

  void step(std::int64_t number) {
    std::vector<double> next(now_.size());
    std::size_t i = 0;
    for (std::int64_t z = 0; z < size_.z; ++z) {
      for (std::int64_t y = 0; y < size_.y; ++y) {
        for (std::int64_t x = 0; x < size_.x; ++x, ++i) {
          auto const around = [&](std::int64_t dx, std::int64_t dy, std::int64_t dz) {
            return value_at({x + dx, y + dy, z + dz});
          };
          next[i] = weighted_sum(around, number);
          sums_[i] += now_[i];
        }
      }
    }
    now_ = next;
  }

 private:
  // Beyond ends along several axes z's rule comes first, then y's.
  double value_at(Point at) const {
    std::array<std::int64_t Point::*, 3> const axes{&Point::z, &Point::y, &Point::x};
    for (std::size_t i = 0; i < axes.size(); ++i) {
      auto const axis = axes[i];
      while (at.*axis < 0 || at.*axis >= size_.*axis) {
        bool const is_low = at.*axis < 0;
        std::size_t const face = 2 * (2 - i) + (is_low ? 0 : 1);
        if (faces_.kinds[face] == FaceKind::value) return values_[face];
        if (faces_.kinds[face] == FaceKind::periodic) {
          at.*axis += is_low ? size_.*axis : -(size_.*axis);
        } else {
          at.*axis = (is_low ? 0 : 2 * size_.*axis) - 1 - at.*axis;
        }
      }
    }
    return now_[static_cast<std::size_t>((at.z * size_.y + at.y) * size_.x + at.x)];
  }

  Point size_;
  Faces faces_;
  FaceValues values_;
  std::vector<double> now_;
  std::vector<double> sums_;
};

// A whole number for each point, the same on all images.
inline double whole_number_at(Point at) {
  return static_cast<double>((at.z * 7919 + at.y * 104729 + at.x * 31) % 1009);
}

}  // namespace makespan::grid
