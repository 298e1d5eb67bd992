// SPDX-License-Identifier: Apache-2.0
#pragma once

// A kernel's sweeps beside the plainest evaluation of its program, point by point, bit by bit.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "makespan/base/mixed_bits.hpp"
#include "makespan/grid/field/slab_fields.hpp"
#include "makespan/grid/program/program_stencil.hpp"

namespace makespan::grid {

inline std::vector<double> const parameters_of_checks{0.375, -1.625};

// What one point becomes, by the operations' definitions; truths are 1 and 0.
class PlainPoint {
 public:
  PlainPoint(CheckedProgram const& program, SlabFields const& fields, Point at, std::int64_t step)
      : program_{program}, fields_{fields}, at_{at}, step_{step} {
    for (PointNode const& node : program.nodes()) values_.push_back(value(node));
  }

  [[nodiscard]] double updated(int field) const {
    return of(program_.program().updates[static_cast<std::size_t>(field)]);
  }

 private:
  [[nodiscard]] double of(std::int32_t node) const {
    return values_[static_cast<std::size_t>(node)];
  }
  [[nodiscard]] double loaded(PointNode const& node) const {
    FieldView const& view = fields_.now()[static_cast<std::size_t>(node.field)];
    Folded const x = folded(at_.x + node.offset.x, view.axis_x());
    if (x.is_value) return view.values[x.index < 0 ? 0 : 1];
    return view.row(at_.y + node.offset.y, at_.z + node.offset.z)[x.index];
  }
  // Beyond an end without a rule lies the other end.
  static std::int64_t wrapped(std::int64_t i, Axis const& axis) {
    while (i < axis.begin) i += axis.end - axis.begin;
    while (i >= axis.end) i -= axis.end - axis.begin;
    return i;
  }
  // Beyond the powers that there are, what all kernels come to.
  static double scaled(double a, double power) {
    if (power == std::floor(power) && -1022 <= power && power <= 1023) {
      return std::ldexp(a, static_cast<int>(power));
    }
    if (std::isnan(power)) return a * 0.0;
    return a * std::bit_cast<double>(std::bit_cast<std::uint64_t>(power + (0x1p52 + 1023)) << 52U);
  }
  [[nodiscard]] double value(PointNode const& node) const {
    Point const first = fields_.box().begin;
    FieldView const& view = fields_.now().front();
    double const a = operands_of(node.op) > 0 ? of(node.operands[0]) : 0;
    double const b = operands_of(node.op) > 1 ? of(node.operands[1]) : 0;
    double const c = operands_of(node.op) > 2 ? of(node.operands[2]) : 0;
    switch (node.op) {
      case PointOp::constant:
        return node.value;
      case PointOp::parameter:
        return parameters_of_checks[static_cast<std::size_t>(node.field)];
      case PointOp::index_x:
        return static_cast<double>(first.x + wrapped(at_.x, view.axis_x()));
      case PointOp::index_y:
        return static_cast<double>(first.y + wrapped(at_.y, view.axis_y()));
      case PointOp::index_z:
        return static_cast<double>(first.z + wrapped(at_.z, view.axis_z()));
      case PointOp::step:
        return static_cast<double>(step_);
      case PointOp::load:
        return loaded(node);
      case PointOp::negate:
        return -a;
      case PointOp::absolute:
        return std::fabs(a);
      case PointOp::square_root:
        return std::sqrt(a);
      case PointOp::floor:
        return std::floor(a);
      case PointOp::exponent:
        return std::ilogb(a);
      case PointOp::fraction:
        return a / std::exp2(std::ilogb(a));
      case PointOp::add:
        return a + b;
      case PointOp::subtract:
        return a - b;
      case PointOp::multiply:
        return a * b;
      case PointOp::divide:
        return a / b;
      case PointOp::minimum:
        return a < b ? a : b;
      case PointOp::maximum:
        return a > b ? a : b;
      case PointOp::scale:
        return scaled(a, b);
      case PointOp::fused:
        return std::fma(a, b, c);
      case PointOp::less:
        return a < b ? 1 : 0;
      case PointOp::less_equal:
        return a <= b ? 1 : 0;
      case PointOp::equal:
        return a == b ? 1 : 0;
      case PointOp::both:
        return a != 0 && b != 0 ? 1 : 0;
      case PointOp::either:
        return a != 0 || b != 0 ? 1 : 0;
      case PointOp::inverse:
        return a != 0 ? 0 : 1;
      case PointOp::select:
        return a != 0 ? b : c;
    }
    ADD_FAILURE() << "an unknown operation";
    return 0;
  }

  CheckedProgram const& program_;
  SlabFields const& fields_;
  Point at_;
  std::int64_t step_;
  std::vector<double> values_{};
};

// A slab in the middle of a domain, at its low or high ends, or all of it.
struct CheckedSlab {
  Point extent{};
  Sides sides{};
  bool is_low_end{true};
  bool is_high_end{true};
  std::int64_t low_gap{0};  // points along x to the domain's end, where that is no end of the slab
  std::int64_t high_gap{0};
  Box part{};  // that is swept, in the slab's numbers; empty: all
};

// With values for so many steps.
inline SlabFields fields_of(CheckedSlab const& slab, StencilShape const& shape, int steps = 1) {
  std::int64_t const width = steps * shape.halo.width;
  Point const begin{8, 16, 24};
  Box const box{begin, begin + slab.extent};
  Point const more{20, 20, 20};
  Box domain{slab.is_low_end ? box.begin : box.begin - more,
             slab.is_high_end ? box.end : box.end + more};
  domain.begin.x -= slab.low_gap;
  domain.end.x += slab.high_gap;
  std::vector<FaceValues> values;
  for (std::size_t field = 0; field < shape.fields.size(); ++field) {
    double const base = 0.5 + static_cast<double>(field);
    values.push_back({base, base + 1, base + 2, base + 3, base + 4, base + 5});
  }
  SlabFields fields({.box = box,
                     .domain = domain,
                     .sides = slab.sides,
                     .halo_width = width,
                     .roles = shape.fields,
                     .values = values});
  fields.clear(fields.first_plane(), fields.last_plane());
  Box const around = grown({{}, slab.extent}, width);
  std::uint64_t number = 0;
  for (std::size_t field = 0; field < shape.fields.size(); ++field) {
    bool const spreads = shape.fields[field] == FieldRole::spreads;
    Box const filled = spreads ? around : Box{{}, slab.extent};
    for (std::int64_t z = filled.begin.z; z < filled.end.z; ++z) {
      for (std::int64_t y = filled.begin.y; y < filled.end.y; ++y) {
        for (std::int64_t x = filled.begin.x; x < filled.end.x; ++x) {
          double const unit = static_cast<double>(mixed_bits(++number) >> 11U) * 0x1p-53;
          fields.now()[field].at(y, z)[x] = 4 * unit - 2;
        }
      }
    }
  }
  return fields;
}

// Points that a step must know for `more` points around a part: those beyond ends with a rule are
// not of the domain.
inline Box known_around(Box const& part, std::int64_t more, FieldView const& view) {
  Box box = grown(part, more);
  auto const clip = [](std::int64_t& begin, std::int64_t& end, Axis const& axis) {
    if (axis.low != Beyond::stored) begin = std::max(begin, axis.begin);
    if (axis.high != Beyond::stored) end = std::min(end, axis.end);
  };
  clip(box.begin.x, box.end.x, view.axis_x());
  clip(box.begin.y, box.end.y, view.axis_y());
  clip(box.begin.z, box.end.z, view.axis_z());
  return box;
}

// Calls work(field, point) for the points of a box, by field, z, y, x.
template <class Work>
void each_value(std::vector<int> const& fields, Box const& box, Work const& work) {
  for (int const field : fields) {
    for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
      for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
        for (std::int64_t x = box.begin.x; x < box.end.x; ++x) work(field, Point{x, y, z});
      }
    }
  }
}

// All values that a sweep must come to, by updated field, then z, y, x of the part. Changes fields.
inline std::vector<double> plain_values(CheckedProgram const& program, SlabFields& fields,
                                        Box const& part, std::int64_t step, int steps) {
  std::vector<double> values;
  for (int made = 1; made <= steps; ++made) {
    values.clear();
    Box const box =
        known_around(part, (steps - made) * program.shape().halo.width, fields.now().front());
    each_value(program.updated(), box, [&](int field, Point at) {
      values.push_back(PlainPoint(program, fields, at, step + made - 1).updated(field));
    });
    std::size_t at = 0;
    each_value(program.updated(), box, [&](int field, Point point) {
      fields.next()[static_cast<std::size_t>(field)].at(point.y, point.z)[point.x] = values[at++];
    });
    fields.advance();
  }
  return values;
}

// Of the fields that stay, by field, z, y, x.
inline std::vector<double> all_values(SlabFields const& fields, Point const& extent,
                                      StencilShape const& shape) {
  std::vector<double> values;
  for (std::size_t field = 0; field < shape.fields.size(); ++field) {
    if (shape.fields[field] == FieldRole::spreads) continue;
    for (std::int64_t z = 0; z < extent.z; ++z) {
      for (std::int64_t y = 0; y < extent.y; ++y) {
        double const* const row = fields.now()[field].at(y, z);
        values.insert(values.end(), row, row + extent.x);
      }
    }
  }
  return values;
}

inline void expect_unchanged_outside(SlabFields const& fields, Point const& extent, Box const& part,
                                     StencilShape const& shape, std::vector<double> const& before) {
  std::vector<double> const after = all_values(fields, extent, shape);
  for (std::size_t at = 0; at < after.size(); ++at) {
    auto const number = static_cast<std::int64_t>(at);
    Point const point{number % extent.x, number / extent.x % extent.y,
                      number / (extent.x * extent.y) % extent.z};
    if (part.holds(point)) continue;
    ASSERT_EQ(after[at], before[at]) << "at x " << point.x;
  }
}

struct CheckedRun {
  bool is_past_caches{false};
  int steps{1};
};

// A stencil that computes the program with parameters_of_checks.
inline void expect_sweep_right(CheckedProgram const& program, Stencil const& stencil,
                               CheckedSlab const& slab, int steps = 1) {
  SlabFields const fields = fields_of(slab, stencil.shape(), steps);
  SlabFields plain = fields_of(slab, stencil.shape(), steps);
  Box const part = slab.part.is_empty() ? Box{{}, slab.extent} : slab.part;
  constexpr std::int64_t step = 7;
  std::vector<double> const expected = plain_values(program, plain, part, step, steps);
  // Outside of the part a field that is changed where it lies stays what it is.
  std::vector<double> const before = all_values(fields, slab.extent, program.shape());
  stencil.sweep({.box = moved(part, fields.box().begin),
                 .step = step,
                 .steps = steps,
                 .now = fields.now(),
                 .next = fields.next()});
  std::size_t at = 0;
  int wrong = 0;
  each_value(program.updated(), part, [&](int field, Point point) {
    double const found =
        fields.next()[static_cast<std::size_t>(field)].at(point.y, point.z)[point.x];
    double const right = expected[at++];
    bool const is_same = std::bit_cast<std::uint64_t>(found) == std::bit_cast<std::uint64_t>(right);
    if (is_same || ++wrong > 3) return;
    ADD_FAILURE() << "field " << field << " at x " << point.x << ", y " << point.y << ", z "
                  << point.z << ": " << found << ", not " << right;
  });
  EXPECT_EQ(wrong, 0);
  expect_unchanged_outside(fields, slab.extent, part, program.shape(), before);
}

inline void expect_right(PointProgram const& of, std::unique_ptr<RowKernel> kernel,
                         CheckedSlab const& slab, CheckedRun const& run = {}) {
  CheckedProgram const program(of, run.steps);
  std::int64_t const shared = run.is_past_caches ? 0 : std::int64_t{1} << 30;
  // A small cache: tiles of eight rows.
  ProgramStencil const stencil(program, std::move(kernel), parameters_of_checks,
                               {.core = 1024, .shared = shared});
  expect_sweep_right(program, stencil, slab, run.steps);
}

// Slabs of odd sizes, at all kinds of ends, whole and in part.
inline std::vector<CheckedSlab> slabs_for(std::int64_t radius) {
  using enum Beyond;
  Sides const mirrors{mirror, mirror, mirror, mirror, mirror, mirror};
  Sides const values{value, value, value, value, value, value};
  Sides const halos{stored, stored, stored, stored, stored, stored};
  Sides const mixed{mirror, value, value, mirror, stored, value};
  std::vector<CheckedSlab> slabs;
  for (std::int64_t const x : {1, 3, 7, 8, 9, 15, 16, 17, 23, 24, 31, 40}) {
    for (Sides const& sides : {mirrors, values, halos, mixed}) {
      if (x < radius && sides == halos) continue;
      slabs.push_back({.extent = {x, 3, 5}, .sides = sides});
    }
  }
  slabs.push_back({.extent = {37, 19, 6}, .sides = mirrors, .is_low_end = false});
  slabs.push_back({.extent = {37, 19, 6}, .sides = values, .is_high_end = false});
  slabs.push_back({.extent = {33, 6, 9}, .sides = mixed, .part = {{5, 1, 2}, {30, 5, 8}}});
  slabs.push_back({.extent = {33, 6, 9}, .sides = mirrors, .part = {{0, 0, 0}, {3, 6, 9}}});
  slabs.push_back({.extent = {33, 6, 9}, .sides = values, .part = {{3, 0, 0}, {33, 6, 9}}});
  slabs.push_back({.extent = {32, 6, 9}, .sides = mixed, .part = {{8, 0, 3}, {16, 6, 4}}});
  // The domain ends within the halo of a slab, and what lies beyond it there is not to be read.
  for (std::int64_t const gap :
       std::set<std::int64_t>{1, std::min<std::int64_t>(3, radius), radius}) {
    for (std::int64_t const x : {5, 8, 23}) {
      for (Sides const& sides : {mirrors, mixed}) {
        slabs.push_back({.extent = {x, 3, 5}, .sides = sides, .low_gap = gap});
        slabs.push_back({.extent = {x, 3, 5}, .sides = sides, .high_gap = gap});
        slabs.push_back({.extent = {x, 3, 5}, .sides = sides, .low_gap = gap, .high_gap = 1});
      }
    }
  }
  return slabs;
}

}  // namespace makespan::grid
