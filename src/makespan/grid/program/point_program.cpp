// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/program/point_program.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/unknown_name.hpp"

namespace makespan::grid {

namespace {

constexpr std::string_view suggestion = "start the same makespan on all images";

[[noreturn]] void refuse(std::string const& problem, std::string const& why) {
  throw InputError(problem, why, suggestion);
}

constexpr std::array<std::string_view, point_ops> op_names{
    "constant", "parameter",  "index_x",     "index_y", "index_z",  "step",     "load",
    "negate",   "absolute",   "square_root", "floor",   "exponent", "fraction", "add",
    "subtract", "multiply",   "divide",      "minimum", "maximum",  "scale",    "fused",
    "less",     "less_equal", "equal",       "both",    "either",   "inverse",  "select"};

// Whether operand number `at` of an operation is a truth.
bool takes_truth(PointOp op, int at) {
  if (op == PointOp::both || op == PointOp::either || op == PointOp::inverse) return true;
  return op == PointOp::select && at == 0;
}

bool is_centre(Offset const& offset) {
  return offset == Offset{};
}

int reach_of(Offset const& offset) {
  return std::max({std::abs(offset.x), std::abs(offset.y), std::abs(offset.z)});
}

bool is_far(Offset const& offset) {
  auto const is = [](int along) {
    return along < -program_radius_max || along > program_radius_max;
  };
  return is(offset.x) || is(offset.y) || is(offset.z);
}

bool is_along_an_axis(Offset const& offset) {
  return (offset.x != 0) + (offset.y != 0) + (offset.z != 0) <= 1;
}

}  // namespace

int operands_of(PointOp op) {
  if (op <= PointOp::load) return 0;
  if (op <= PointOp::fraction || op == PointOp::inverse) return 1;
  return op == PointOp::fused || op == PointOp::select ? 3 : 2;
}

bool is_truth(PointOp op) {
  return op >= PointOp::less && op <= PointOp::inverse;
}

PointOp point_op_named(std::string_view name) {
  auto const at = std::ranges::find(op_names, name);
  if (at == op_names.end()) throw unknown_name("operation", name, op_names);
  return static_cast<PointOp>(at - op_names.begin());
}

CheckedProgram::CheckedProgram(PointProgram program, int steps_at_once)
    : program_{std::move(program)} {
  if (program_.fields.empty()) refuse("a program without fields", "it computes at least one");
  if (program_.updates.size() != program_.fields.size()) {
    refuse(std::to_string(program_.updates.size()) + " updates of " +
               std::to_string(program_.fields.size()) + " fields",
           "each field has one, or -1");
  }
  for (std::size_t number = 0; number < program_.nodes.size(); ++number) {
    check_node(number);
    PointNode& node = program_.nodes[number];
    for (int at = operands_of(node.op); at < std::ssize(node.operands); ++at) {
      node.operands[static_cast<std::size_t>(at)] = 0;  // none looks at them
    }
  }
  for (std::int32_t const update : program_.updates) {
    if (update < -1 || update >= std::ssize(program_.nodes) ||
        (update >= 0 && is_truth(program_.nodes[static_cast<std::size_t>(update)].op))) {
      refuse("update " + std::to_string(update), "it is an operation that gives a number");
    }
  }
  // First: what no update needs must give no field a halo.
  drop_what_is_not_needed();
  keep_what_is_read_around(steps_at_once > 1);
  find_shape(steps_at_once);
}

void CheckedProgram::check_node(std::size_t number) const {
  PointNode const& node = program_.nodes[number];
  std::string const name = "operation " + std::to_string(number);
  if (static_cast<int>(node.op) >= point_ops) refuse(name, "its kind is unknown");
  for (int at = 0; at < operands_of(node.op); ++at) {
    std::int32_t const operand = node.operands[static_cast<std::size_t>(at)];
    if (operand < 0 || static_cast<std::size_t>(operand) >= number) {
      refuse(name, "its operands stand before it");
    }
    bool const is = is_truth(program_.nodes[static_cast<std::size_t>(operand)].op);
    if (is != takes_truth(node.op, at)) refuse(name, "an operand is of the wrong kind");
  }
  if (node.op == PointOp::parameter && (node.field < 0 || node.field >= program_.parameters)) {
    refuse(name, "there is no such parameter");
  }
  if (node.op != PointOp::load) return;
  if (node.field < 0 || node.field >= fields()) refuse(name, "there is no such field");
  if (is_far(node.offset)) {
    refuse(name, "offsets are at most " + std::to_string(program_radius_max));
  }
}

void CheckedProgram::keep_what_is_read_around(bool is_all) {
  for (int field = 0; field < fields(); ++field) {
    std::int32_t& update = program_.updates[static_cast<std::size_t>(field)];
    bool const is_read_around =
        is_all || std::ranges::any_of(program_.nodes, [&](PointNode const& node) {
          return node.op == PointOp::load && node.field == field && !is_centre(node.offset);
        });
    // It is read at neighbours while they are computed, so that it has two memories, the next of
    // which must be set in each step.
    if (update >= 0 || !is_read_around) continue;
    update = static_cast<std::int32_t>(program_.nodes.size());
    program_.nodes.push_back({.op = PointOp::load, .field = field});
  }
}

void CheckedProgram::drop_what_is_not_needed() {
  std::vector<PointNode> const before = std::exchange(program_.nodes, {});
  std::vector<char> is_needed(before.size());
  for (std::int32_t const update : program_.updates) {
    if (update >= 0) is_needed[static_cast<std::size_t>(update)] = 1;
  }
  // Backwards, since operands stand before what uses them.
  for (std::size_t number = before.size(); number-- > 0;) {
    if (is_needed[number] == 0) continue;
    for (int at = 0; at < operands_of(before[number].op); ++at) {
      is_needed[static_cast<std::size_t>(before[number].operands[static_cast<std::size_t>(at)])] =
          1;
    }
  }
  std::vector<std::int32_t> place(before.size());
  for (std::size_t number = 0; number < before.size(); ++number) {
    if (is_needed[number] == 0) continue;
    place[number] = static_cast<std::int32_t>(program_.nodes.size());
    PointNode node = before[number];
    for (int at = 0; at < operands_of(node.op); ++at) {
      auto& operand = node.operands[static_cast<std::size_t>(at)];
      operand = place[static_cast<std::size_t>(operand)];
    }
    program_.nodes.push_back(node);
  }
  for (std::int32_t& update : program_.updates) {
    if (update >= 0) update = place[static_cast<std::size_t>(update)];
  }
}

void CheckedProgram::find_shape(int steps_at_once) {
  bool const is_single = steps_at_once == 1;
  shape_.fields.assign(program_.fields.size(), is_single ? FieldRole::stays : FieldRole::spreads);
  shape_.steps_max = steps_at_once;
  shape_.halo = {.width = 0, .shape = HaloShape::faces};
  for (PointNode const& node : program_.nodes) {
    if (node.op != PointOp::load || is_centre(node.offset)) continue;
    shape_.fields[static_cast<std::size_t>(node.field)] = FieldRole::spreads;
    shape_.halo.width = std::max<std::int64_t>(shape_.halo.width, reach_of(node.offset));
    if (!is_along_an_axis(node.offset)) shape_.halo.shape = HaloShape::box;
  }
  if (steps_at_once < 1 || shape_.halo.width * steps_at_once > halo_width_max) {
    throw InputError("steps_at_once = " + std::to_string(steps_at_once),
                     "a halo is at most " + std::to_string(halo_width_max) +
                         " points wide, and one step reads " + std::to_string(shape_.halo.width),
                     "take 1 to " + std::to_string(halo_width_max /
                                                   std::max<std::int64_t>(1, shape_.halo.width)));
  }
  for (int field = 0; field < fields(); ++field) {
    if (program_.updates[static_cast<std::size_t>(field)] >= 0) updated_.push_back(field);
  }
}

std::vector<RowSlot> row_slots(CheckedProgram const& program, int planes) {
  // Sorted: fetches() in kernel_source.cpp takes the last row of each plane for the newest.
  std::map<std::tuple<int, int, int>, bool> found;  // (field, dz, dy): is shifted
  for (PointNode const& node : program.nodes()) {
    if (node.op != PointOp::load) continue;
    for (int plane = 0; plane < planes; ++plane) {
      found[{node.field, node.offset.z + plane, node.offset.y}] |= node.offset.x != 0;
    }
  }
  std::vector<RowSlot> slots;
  slots.reserve(found.size());
  for (auto const& [at, is_shifted] : found) {
    auto const [field, dz, dy] = at;
    slots.push_back({.field = field, .dy = dy, .dz = dz, .is_shifted = is_shifted});
  }
  return slots;
}

std::size_t slot_of(std::vector<RowSlot> const& slots, int field, int dy, int dz) {
  auto const at = std::ranges::find_if(slots, [&](RowSlot const& slot) {
    return slot.field == field && slot.dy == dy && slot.dz == dz;
  });
  MAKESPAN_EXPECT(at != slots.end());
  return static_cast<std::size_t>(at - slots.begin());
}

}  // namespace makespan::grid
