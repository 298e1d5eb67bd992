// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/compile/detail/operation_source.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/base/joined.hpp"

namespace makespan::grid {

namespace {

constexpr std::array<std::string_view, point_ops> calls{
    "",         "",         "",           "",         "",
    "",         "",         "negate",     "absolute", "square_root",
    "floor_of", "exponent", "fraction",   "+",        "-",
    "*",        "/",        "minimum",    "maximum",  "scale",
    "fused",    "less",     "less_equal", "equal",    "both",
    "either",   "inverse",  "select"};

}  // namespace

std::string number_source(double value) {
  if (std::isnan(value)) return "__builtin_nan(\"\")";
  if (std::isinf(value)) return value < 0 ? "-__builtin_inf()" : "__builtin_inf()";
  // In hexadecimal: exactly the number that the interpreter computes with.
  std::array<char, 40> text{};
  auto const end = std::to_chars(text.data(), text.data() + text.size(), std::fabs(value),
                                 std::chars_format::hex);
  return (std::signbit(value) ? "-0x" : "0x") + std::string(text.data(), end.ptr);
}

std::string operation_source(PointOp op, std::span<std::string const> operands) {
  std::string_view const call = calls[static_cast<std::size_t>(op)];
  if (call.size() == 1) return joined(operands[0], " ", call, " ", operands[1]);
  std::string out = joined(call, "(");
  for (std::string const& one : operands) out += joined(&one == operands.data() ? "" : ", ", one);
  return out + ")";
}

std::string node_source(PointNode const& node, std::string const& x) {
  switch (node.op) {
    case PointOp::constant:
      return number_source(node.value);
    case PointOp::parameter:
      return joined("job.parameters[", node.field, "]");
    case PointOp::index_x:
      return "job.call.origin[0] + (D)" + x;
    case PointOp::index_y:
      return "job.call.origin[1] + (D)y";
    case PointOp::index_z:
      return "job.call.origin[2] + (D)z";
    case PointOp::step:
      return "job.call.step";
    default:
      break;
  }
  MAKESPAN_EXPECT(node.op != PointOp::load);
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(operands_of(node.op)));
  for (int i = 0; i < operands_of(node.op); ++i) {
    names.push_back(joined("n", node.operands[static_cast<std::size_t>(i)]));
  }
  return operation_source(node.op, names);
}

}  // namespace makespan::grid
