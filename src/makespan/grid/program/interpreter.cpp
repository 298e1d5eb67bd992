// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/program/interpreter.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/grid/field/field_view.hpp"

namespace makespan::grid {

namespace {

// Points at once: what an operation gives for so many stays in the cache until the next one.
constexpr std::int64_t piece_points = 128;

// Results of all operations for one piece; truths are 1 and 0.
class Piece {
 public:
  Piece(CheckedProgram const& program, std::vector<std::size_t> const& slots, RowsJob const& job,
        std::vector<double>& memory)
      : program_{program}, slots_{slots}, job_{job}, memory_{memory} {
    memory_.resize(program.nodes().size() * static_cast<std::size_t>(piece_points));
  }

  void compute(std::int64_t begin, std::int64_t end) {
    begin_ = begin;
    points_ = end - begin;
    auto const& nodes = program_.nodes();
    for (std::size_t at = 0; at < nodes.size(); ++at) compute_node(at);
    // All have been read before any is written: a field may be changed where it lies.
    for (std::size_t at = 0; at < program_.updated().size(); ++at) {
      auto const field = static_cast<std::size_t>(program_.updated()[at]);
      double const* const from = row(program_.program().updates[field]);
      std::copy(from, from + points_, job_.out[at] + begin_);
    }
  }

 private:
  [[nodiscard]] double* row(std::int64_t node) const {
    return memory_.data() + node * piece_points;
  }

  template <class Function>
  void each(std::size_t at, Function const& function) {
    PointNode const& node = program_.nodes()[at];
    double* const out = row(static_cast<std::int64_t>(at));
    // Operands that it has not are row 0, which is read and not used.
    double const* const a = row(node.operands[0]);
    double const* const b = row(node.operands[1]);
    double const* const c = row(node.operands[2]);
    for (std::int64_t x = 0; x < points_; ++x) out[x] = function(a[x], b[x], c[x]);
  }

  void load(std::size_t at) {
    PointNode const& node = program_.nodes()[at];
    double const* const from = job_.in[slots_[at]];
    double* const out = row(static_cast<std::int64_t>(at));
    Axis const axis{job_.domain_begin, job_.domain_end, static_cast<Beyond>(job_.low),
                    static_cast<Beyond>(job_.high)};
    std::int64_t const first = begin_ + node.offset.x;
    // All of it lies in memory: in the row, or in a halo beyond its ends.
    if ((first >= axis.begin || axis.low == Beyond::stored) &&
        (first + points_ <= axis.end || axis.high == Beyond::stored)) {
      std::copy(from + first, from + first + points_, out);
      return;
    }
    for (std::int64_t x = 0; x < points_; ++x) {
      Folded const there = folded(first + x, axis);
      if (there.is_value) {
        out[x] = (there.index < axis.begin ? job_.low_values : job_.high_values)[node.field];
      } else {
        out[x] = from[there.index];
      }
    }
  }

  void compute_node(std::size_t at);
  void compute_truth(std::size_t at);
  void compute_number(std::size_t at);

  CheckedProgram const& program_;
  std::vector<std::size_t> const& slots_;
  RowsJob const& job_;
  std::vector<double>& memory_;
  std::int64_t begin_{};
  std::int64_t points_{};
};

// By the bits, as vector_source.hpp has it: so it is the same for numbers that are not normal, too.
std::int64_t exponent_bits(double a) {
  return static_cast<std::int64_t>((std::bit_cast<std::uint64_t>(a) >> 52) & 0x7ff);
}
double exponent_of(double a) {
  return static_cast<double>(exponent_bits(a) - 1023);
}
double fraction_of(double a) {
  std::uint64_t const bits = std::bit_cast<std::uint64_t>(a) & ~(std::uint64_t{0x7ff} << 52);
  return std::bit_cast<double>(bits | (std::uint64_t{1023} << 52));
}
// 2^52 and more, whose last bits are those of power + 1023: no conversion to a whole number, which
// would be undefined where the power is none, or too large.
double scaled(double a, double power) {
  auto const bits = std::bit_cast<std::uint64_t>(power + (0x1p52 + 1023)) << 52;
  return a * std::bit_cast<double>(bits);
}

void Piece::compute_node(std::size_t at) {
  PointNode const& node = program_.nodes()[at];
  auto const all = [&](double value) { each(at, [&](double, double, double) { return value; }); };
  switch (node.op) {
    case PointOp::constant:
      return all(node.value);
    case PointOp::parameter:
      return all(job_.parameters[node.field]);
    case PointOp::index_y:
      return all(job_.y);
    case PointOp::index_z:
      return all(job_.z);
    case PointOp::step:
      return all(job_.step);
    case PointOp::index_x: {
      double* const out = row(static_cast<std::int64_t>(at));
      for (std::int64_t x = 0; x < points_; ++x) out[x] = job_.x + static_cast<double>(begin_ + x);
      return;
    }
    case PointOp::load:
      return load(at);
    default:
      break;
  }
  if (is_truth(node.op) || node.op == PointOp::select) return compute_truth(at);
  compute_number(at);
}

void Piece::compute_truth(std::size_t at) {
  using D = double;
  switch (program_.nodes()[at].op) {
    case PointOp::less:
      return each(at, [](D a, D b, D) { return a < b ? 1.0 : 0.0; });
    case PointOp::less_equal:
      return each(at, [](D a, D b, D) { return a <= b ? 1.0 : 0.0; });
    case PointOp::equal:
      return each(at, [](D a, D b, D) { return a == b ? 1.0 : 0.0; });
    case PointOp::both:
      return each(at, [](D a, D b, D) { return a * b; });
    case PointOp::either:
      return each(at, [](D a, D b, D) { return std::max(a, b); });
    case PointOp::inverse:
      return each(at, [](D a, D, D) { return 1.0 - a; });
    default:
      return each(at, [](D a, D b, D c) { return a != 0 ? b : c; });
  }
}

void Piece::compute_number(std::size_t at) {
  using D = double;
  switch (program_.nodes()[at].op) {
    case PointOp::negate:
      return each(at, [](D a, D, D) { return -a; });
    case PointOp::absolute:
      return each(at, [](D a, D, D) { return std::fabs(a); });
    case PointOp::square_root:
      return each(at, [](D a, D, D) { return std::sqrt(a); });
    case PointOp::floor:
      return each(at, [](D a, D, D) { return std::floor(a); });
    case PointOp::exponent:
      return each(at, [](D a, D, D) { return exponent_of(a); });
    case PointOp::fraction:
      return each(at, [](D a, D, D) { return fraction_of(a); });
    case PointOp::add:
      return each(at, [](D a, D b, D) { return a + b; });
    case PointOp::subtract:
      return each(at, [](D a, D b, D) { return a - b; });
    case PointOp::multiply:
      return each(at, [](D a, D b, D) { return a * b; });
    case PointOp::divide:
      return each(at, [](D a, D b, D) { return a / b; });
    case PointOp::minimum:
      return each(at, [](D a, D b, D) { return a < b ? a : b; });
    case PointOp::maximum:
      return each(at, [](D a, D b, D) { return a > b ? a : b; });
    case PointOp::scale:
      return each(at, [](D a, D b, D) { return scaled(a, b); });
    case PointOp::fused:
      return each(at, [](D a, D b, D c) { return std::fma(a, b, c); });
    default:
      MAKESPAN_EXPECT(false);
  }
}

}  // namespace

Interpreter::Interpreter(CheckedProgram program) : program_{std::move(program)} {
  auto const slots = row_slots(program_, 1);
  slots_.resize(program_.nodes().size());
  for (std::size_t at = 0; at < slots_.size(); ++at) {
    PointNode const& node = program_.nodes()[at];
    if (node.op != PointOp::load) continue;
    slots_[at] = slot_of(slots, node.field, node.offset.y, node.offset.z);
  }
}

void Interpreter::compute(int planes, RowStoring, RowsJob const& job) const {
  MAKESPAN_EXPECT(planes == 1);
  // Kept, since a call is for one row.
  thread_local std::vector<double> memory;
  Piece piece(program_, slots_, job, memory);
  for (std::int64_t x = job.begin; x < job.end; x += piece_points) {
    piece.compute(x, std::min(x + piece_points, job.end));
  }
}

}  // namespace makespan::grid
