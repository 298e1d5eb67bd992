// SPDX-License-Identifier: Apache-2.0
#pragma once

// What one step makes of a point, as a list of operations: a stencil that is data, so that it can
// be sent to other images, compiled there, or interpreted.
//
// Each operation is one of IEEE 754 in double precision and is rounded by itself, so that whatever
// carries a program out comes to the same bits.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "makespan/grid/field/stencil.hpp"

namespace makespan::grid {

enum class PointOp : std::uint8_t {
  // Without operands.
  constant,   // value
  parameter,  // number `field` of the run's parameters
  index_x,    // of the point, in the grid's numbers
  index_y,
  index_z,
  step,  // its number, from 0
  load,  // field `field` at an offset, as it was before the step
  // Of one number.
  negate,
  absolute,
  square_root,
  floor,
  exponent,  // floor(log2 |a|) of a normal number
  fraction,  // a / 2^exponent(a), with a's sign: 1 up to, but not at, 2
  // Of two numbers.
  add,
  subtract,
  multiply,
  divide,
  minimum,  // a < b ? a : b
  maximum,  // a > b ? a : b
  scale,    // a 2^b for a whole b of -1022 … 1023; of others some number, the same in all kernels
  // Of three.
  fused,  // a b + c, rounded once
  // Truths: of numbers, and of truths.
  less,
  less_equal,
  equal,
  both,
  either,
  inverse,
  // A number: truth a ? b : c.
  select,
};
inline constexpr int point_ops = static_cast<int>(PointOp::select) + 1;

struct Offset {
  int x{};
  int y{};
  int z{};
  friend bool operator==(Offset const&, Offset const&) = default;
};

// An operation; operands are numbers of operations before it.
struct PointNode {
  PointOp op{};
  std::array<std::int32_t, 3> operands{};
  double value{};
  std::int32_t field{};  // or the parameter
  Offset offset{};
  friend bool operator==(PointNode const&, PointNode const&) = default;
};

struct PointProgram {
  std::vector<std::string> fields{};
  std::int32_t parameters{};
  std::vector<PointNode> nodes{};
  // By field: the operation that is its value after the step; -1 where it keeps what it has.
  std::vector<std::int32_t> updates{};
};

// Offsets are no larger.
inline constexpr int program_radius_max = 4;

[[nodiscard]] int operands_of(PointOp op);
[[nodiscard]] bool is_truth(PointOp op);
// Named as the enumerators. Throws InputError for an unknown name.
[[nodiscard]] PointOp point_op_named(std::string_view name);

// A program that was found to make sense: operands are of the right kind and stand before what they
// are used by; each field that is read around a point has an update. Tested by
// tests/grid/program/point_program_test.cpp.
class CheckedProgram {
 public:
  // Throws InputError. A field that is read around a point and never changed is given an update
  // that keeps it; operations that no update needs are dropped. With several steps at once all
  // fields are kept in two memories, since parts of a sweep make some steps of the same points.
  explicit CheckedProgram(PointProgram program, int steps_at_once = 1);

  [[nodiscard]] PointProgram const& program() const { return program_; }
  [[nodiscard]] std::vector<PointNode> const& nodes() const { return program_.nodes; }
  [[nodiscard]] int fields() const { return static_cast<int>(program_.fields.size()); }
  [[nodiscard]] StencilShape const& shape() const { return shape_; }
  // Fields that have an update, in order.
  [[nodiscard]] std::vector<int> const& updated() const { return updated_; }

 private:
  void check_node(std::size_t number) const;
  void keep_what_is_read_around(bool is_all);
  void drop_what_is_not_needed();
  void find_shape(int steps_at_once);

  PointProgram program_;
  StencilShape shape_{};
  std::vector<int> updated_{};
};

// One row of a field that `planes` points above one another read, from the first one's row.
struct RowSlot {
  int field{};
  int dy{};
  int dz{};
  bool is_shifted{};  // some point reads it beside where it stands

  friend bool operator==(RowSlot const&, RowSlot const&) = default;
};

// All of them, each once, by field, dz, dy.
[[nodiscard]] std::vector<RowSlot> row_slots(CheckedProgram const& program, int planes);
// The place of a row in these.
[[nodiscard]] std::size_t slot_of(std::vector<RowSlot> const& slots, int field, int dy, int dz);

}  // namespace makespan::grid
