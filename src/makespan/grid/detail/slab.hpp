// SPDX-License-Identifier: Apache-2.0
#pragma once

// A slab of the grid that a device of this image has: its fields, what is computed when, and what
// it exchanges.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/grid/cut/exchange_plan.hpp"
#include "makespan/grid/cut/faces.hpp"
#include "makespan/grid/field/accelerator.hpp"
#include "makespan/grid/field/slab_fields.hpp"

namespace makespan::grid {

[[nodiscard]] Sides sides_of(Faces const& faces);

struct Slab {
  int number{};  // in the layout
  SlabFields fields;
  Accelerator* accelerator{};   // that has the fields; none: this image's threads
  double planes{};              // of weight 1, in a plane of its stack, that are as much work
  std::vector<Stage> stages{};  // in which what others wait for is computed and sent
  Box interior{};               // what is computed after that
  std::vector<HaloMessage> sent{};
  std::vector<HaloMessage> received{};
};

// Rows of a box, counted by z, then y: from first up to, but not at, last.
struct Rows {
  std::int64_t first{};
  std::int64_t last{};
};
[[nodiscard]] constexpr Rows rows_of(Box const& box) {
  return {0, box.extent().y * box.extent().z};
}

// Points of `box` of the views in a row: field by field, plane by plane, row by row. `box` in the
// grid's numbers; it may be in the halo.
// Returns how often it copied doubles that lie in a row.
std::int64_t pack(std::span<FieldView const> views, Box const& box, double* to);
void unpack(double const* from, std::span<FieldView const> views, Box const& box);
// The same of some rows of the box, from or to where they are among those of all.
std::int64_t pack(std::span<FieldView const> views, Box const& box, Rows rows, double* to);
void unpack(double const* from, std::span<FieldView const> views, Box const& box, Rows rows);

// From the fields of one slab to those of another that has the box, too.
void copy(std::span<FieldView const> from, std::span<FieldView const> to, Box const& box);

// As pack() and unpack(), by what has the slab's fields, of which `views` are some. Block.
void read_values(Slab const& slab, std::span<FieldView const> views, Box const& box, double* to);
void write_values(double const* from, Slab const& slab, std::span<FieldView const> views,
                  Box const& box);

// Sets what lies beyond the ends of rows that are not stored, `width` points at each end, for
// stencils that read it there: in all rows of the slab and its halo.
void fill_row_ends(std::span<FieldView const> views, std::int64_t width);

}  // namespace makespan::grid
