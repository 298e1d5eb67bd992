// SPDX-License-Identifier: Apache-2.0
#pragma once

// The steps that one sweep makes at once (temporal blocking), of one tile of rows: what each of
// them computes, and where its rows lie.
//
// Plane z of the first step is computed, then a plane of the second that is the radius below it, of
// the third, … What lies between two steps is a ring of planes that stays in the cache, so that
// memory sees one step's traffic for all of them; what a tile needs of its neighbours' points in
// between it computes, too.
//
// Source: M. Wittmann, G. Hager, G. Wellein, "Multicore-aware parallel temporal blocking of stencil
// codes for shared and distributed memory", 2010 (https://arxiv.org/abs/0912.4506), in the form for
// one thread; tiles overlap instead of being skewed.

#include <cstdint>
#include <span>

#include "makespan/grid/field/stencil.hpp"

namespace makespan::grid {

// A range of points, rows or planes, in the views' numbers.
struct Reach {
  std::int64_t begin{};
  std::int64_t end{};
};

// Steps are counted from 1; what is after step 0 are the sweep's fields. Tested by
// tests/grid/program/program_stencil_test.cpp.
class StepRows {
 public:
  // `planes` are computed at once. `ring` holds ring_doubles().
  StepRows(Sweep const& sweep, Reach tile, Halo const& halo, int planes, std::span<double> ring);

  [[nodiscard]] static std::int64_t ring_doubles(Sweep const& sweep, Reach tile,
                                                 std::int64_t radius, int planes);

  // What a step computes.
  [[nodiscard]] Reach points_of(int step) const;
  [[nodiscard]] Reach rows_of(int step) const;
  [[nodiscard]] Reach planes_of(int step) const;

  // Where x is 0 in a field's row at (y, z) after `step` steps, inside or outside of the domain.
  [[nodiscard]] double const* after(int step, std::size_t field, std::int64_t y,
                                    std::int64_t z) const;
  // Where a step's results go.
  [[nodiscard]] double* out(int step, std::size_t field, std::int64_t y, std::int64_t z) const;
  // Rows that have, as their neighbours, what lies around them in memory.
  [[nodiscard]] Reach plain_rows() const;
  [[nodiscard]] bool is_value_along_z(std::size_t field, std::int64_t z) const;
  // Rows whose neighbours lie equally far from them in planes z … z + planes - 1 and those around
  // these: not beside a face's value, which is one row for all planes.
  [[nodiscard]] Reach alike_rows(std::int64_t z, int planes) const;

  [[nodiscard]] Sweep const& sweep() const { return sweep_; }

 private:
  [[nodiscard]] FieldView const& view(std::size_t field) const { return sweep_.now[field]; }
  [[nodiscard]] Box box() const;
  [[nodiscard]] double* ring_row(int step, std::size_t field, std::int64_t y, std::int64_t z) const;

  Sweep const& sweep_;
  Reach tile_;
  std::int64_t radius_;
  bool has_corners_;
  std::int64_t ring_planes_;
  std::span<double> ring_;
  Reach ring_rows_{};
};

}  // namespace makespan::grid
