// SPDX-License-Identifier: Apache-2.0
#pragma once

// A stencil from a function of one point: what it becomes, from what is around it.
//
//   auto const wave = grid::point_stencil(
//       {.fields = {FieldRole::spreads}, .halo = {.width = 1}}, [=](grid::Around const& u) {
//         return a * u(0, 0, 0) + b * (u(-1, 0, 0) + u(1, 0, 0) + u(0, -1, 0) + u(0, 1, 0) +
//                                      u(0, 0, -1) + u(0, 0, 1));
//       });
//   Grid grid(runtime, problem, {{.stencil = &wave}});
//
// The function is compiled into the loop along x, whose compiler is told that points do not depend
// on one another: with offsets that are constants it computes several at once.
//
// Bits are the same for any cut, as long as the function is pure, is compiled once, and each of its
// operations is rounded by itself: its file is compiled with -ffp-contract=off and without
// -ffast-math. Else a product and a sum may be one operation within a row and two at its end, and
// where a row ends depends on the cut.

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/grid/field/field_view.hpp"
#include "makespan/grid/field/stencil.hpp"

namespace makespan::grid {

// The fields around one point, as they are before the step. Offsets go up to the halo's width: one
// of them at a time with HaloShape::faces, all with HaloShape::box. A field that stays is known at
// the point alone.
class Around {
 public:
  // Where rows that stand around one row begin, all of a field's after all of the field's before.
  // Room for the widest halo, so that a row's place is a constant; null where there is none.
  static constexpr std::int64_t side = 2 * halo_width_max + 1;
  using Rows = std::vector<double const*>;
  [[nodiscard]] static constexpr std::size_t row_at(int field, std::int64_t dy, std::int64_t dz) {
    return static_cast<std::size_t>((field * side + dz + halo_width_max) * side + dy +
                                    halo_width_max);
  }

  // `row_begin` is the row's first point in the grid's numbers, x is counted from there.
  Around(double const* const* rows, Point row_begin, std::int64_t x, std::int64_t step)
      : rows_{rows}, row_begin_{row_begin}, x_{x}, step_{step} {}

  // The value of the first field, or of another one, at an offset.
  [[nodiscard]] double operator()(int dx, int dy, int dz) const { return (*this)(0, dx, dy, dz); }
  [[nodiscard]] double operator()(int field, int dx, int dy, int dz) const {
    double const* const row = rows_[row_at(field, dy, dz)];
    MAKESPAN_EXPECT_COSTLY(row != nullptr);
    return row[x_ + dx];
  }

  // In the grid's numbers.
  [[nodiscard]] Point at() const { return {row_begin_.x + x_, row_begin_.y, row_begin_.z}; }
  // The number of the step that is made, from 0.
  [[nodiscard]] std::int64_t step() const { return step_; }

 private:
  double const* const* rows_;
  Point row_begin_;
  std::int64_t x_;
  std::int64_t step_;
};

// What a function of a point may return: the value of the only field, or of each.
template <class T>
inline constexpr std::size_t values_of_point = 0;
template <>
inline constexpr std::size_t values_of_point<double> = 1;
template <std::size_t count>
inline constexpr std::size_t values_of_point<std::array<double, count>> = count;

template <class T>
concept PointFunction = std::invocable<T const&, Around const&> &&
                        (values_of_point<std::invoke_result_t<T const&, Around const&>> > 0);

// Made by point_stencil(). Tested by tests/grid/point_stencil_test.cpp.
template <PointFunction Function>
class PointStencil final : public Stencil {
 public:
  PointStencil(StencilShape shape, Function function)
      : shape_{std::move(shape)}, function_{std::move(function)} {
    MAKESPAN_EXPECT(shape_.fields.size() == count);
    MAKESPAN_EXPECT(shape_.steps_max == 1);
    MAKESPAN_EXPECT(shape_.halo.width >= 0 && shape_.halo.width <= halo_width_max);
    shape_.reads_row_ends = true;
  }

  [[nodiscard]] StencilShape shape() const override { return shape_; }
  void sweep(Sweep const& sweep) const override;

 private:
  using Result = std::invoke_result_t<Function const&, Around const&>;
  static constexpr std::size_t count = values_of_point<Result>;

  void find_rows(Sweep const& sweep, std::int64_t y, std::int64_t z, Around::Rows& rows) const;
  void compute_row(Sweep const& sweep, Point begin, std::int64_t end,
                   double const* const* rows) const;

  StencilShape shape_;
  Function function_;
};

// Of the shape, `fields` and `halo` are asked for; the rest follows. The function is called as
// function(around) -> double for one field, or std::array<double, n> for n; by several threads at
// once, for each point of each step once.
template <PointFunction Function>
[[nodiscard]] PointStencil<Function> point_stencil(StencilShape shape, Function function) {
  return {std::move(shape), std::move(function)};
}

template <PointFunction Function>
void PointStencil<Function>::sweep(Sweep const& sweep) const {
  // Points between two looks at other things: about 100 µs' worth.
  constexpr std::int64_t points_between_pauses = std::int64_t{1} << 15;
  Box const box = moved(sweep.box, Point{} - sweep.now[0].box.begin);
  if (box.is_empty()) return;
  Around::Rows rows(count * Around::row_at(1, -halo_width_max, -halo_width_max));
  std::int64_t points = 0;
  for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
    for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
      find_rows(sweep, y, z, rows);
      compute_row(sweep, {box.begin.x, y, z}, box.end.x, rows.data());
      points += box.extent().x;
      if (points < points_between_pauses) continue;
      points = 0;
      sweep.pause();
    }
  }
}

template <PointFunction Function>
void PointStencil<Function>::find_rows(Sweep const& sweep, std::int64_t y, std::int64_t z,
                                       Around::Rows& rows) const {
  for (std::size_t field = 0; field < count; ++field) {
    FieldView const& now = sweep.now[field];
    std::int64_t const width = shape_.fields[field] == FieldRole::spreads ? shape_.halo.width : 0;
    for (std::int64_t dz = -width; dz <= width; ++dz) {
      for (std::int64_t dy = -width; dy <= width; ++dy) {
        if (shape_.halo.shape == HaloShape::faces && dy != 0 && dz != 0) continue;
        rows[Around::row_at(static_cast<int>(field), dy, dz)] = now.row(y + dy, z + dz);
      }
    }
  }
}

template <PointFunction Function>
void PointStencil<Function>::compute_row(Sweep const& sweep, Point begin, std::int64_t end,
                                         double const* const* rows) const {
  std::array<double*, count> next;
  for (std::size_t field = 0; field < next.size(); ++field) {
    next[field] = sweep.next[field].at(begin.y, begin.z);
  }
  Point const origin = sweep.now[0].box.begin;
  Point const row_begin{origin.x, origin.y + begin.y, origin.z + begin.z};
  std::int64_t const step = sweep.step;
  // What is written is another memory than what is read, or the same point.
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#elif defined(__GNUC__)
#pragma GCC ivdep
#endif
  for (std::int64_t x = begin.x; x < end; ++x) {
    Result const result = function_(Around(rows, row_begin, x, step));
    if constexpr (std::is_same_v<Result, double>) {
      next[0][x] = result;
    } else {
      for (std::size_t field = 0; field < next.size(); ++field) next[field][x] = result[field];
    }
  }
}

}  // namespace makespan::grid
