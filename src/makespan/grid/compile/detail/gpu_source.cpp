// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/compile/detail/gpu_source.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/base/joined.hpp"
#include "makespan/grid/compile/detail/column_queues.hpp"
#include "makespan/grid/compile/detail/column_source.hpp"
#include "makespan/grid/compile/detail/gpu_call.hpp"
#include "makespan/grid/compile/detail/operation_source.hpp"
#include "makespan/grid/compile/detail/pair_source.hpp"

namespace makespan::grid {

namespace {

// What every GPU takes with a launch, less a little for the compiler's own.
constexpr std::size_t arguments_max = 4000;

class ColumnSource {
 public:
  explicit ColumnSource(CheckedProgram const& program);

  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] std::string point() const;
  [[nodiscard]] std::string column() const;
  [[nodiscard]] std::string value_of(PointNode const& node) const;
  [[nodiscard]] std::string load_of(PointNode const& node) const;

  CheckedProgram const& program_;
  std::vector<std::optional<ColumnQueue>> queues_;  // by field
};

// "x", "x + 2", "x - 1".
std::string moved_by(int axis, int offset) {
  static constexpr std::array<std::string_view, 3> names{"x", "y", "z"};
  std::string_view const name = names[static_cast<std::size_t>(axis)];
  if (offset == 0) return std::string(name);
  return joined(name, offset < 0 ? " - " : " + ", std::abs(offset));
}

ColumnSource::ColumnSource(CheckedProgram const& program)
    : program_{program}, queues_{column_queues(program)} {
}

std::string ColumnSource::load_of(PointNode const& node) const {
  bool const is_in_column = node.offset.x == 0 && node.offset.y == 0;
  auto const& queue = queues_[static_cast<std::size_t>(node.field)];
  if (is_in_column && queue) return joined("q", node.field, "[", node.offset.z - queue->low, "]");
  // Where the point itself is there are no ends.
  return joined("load<", node.offset == Offset{} ? "false" : "ends", ">(job.call, job.fields[",
                node.field, "], ", moved_by(0, node.offset.x), ", ", moved_by(1, node.offset.y),
                ", ", moved_by(2, node.offset.z), ")");
}

std::string ColumnSource::value_of(PointNode const& node) const {
  return node.op == PointOp::load ? load_of(node) : node_source(node, "x");
}

// The values of all fields at one point; the newest plane of each queue is loaded first.
std::string ColumnSource::point() const {
  std::string out = "template <bool ends>\nDEVICE void point(const Job& job, I x, I y, I z";
  std::string loads;
  for (std::size_t field = 0; field < queues_.size(); ++field) {
    if (!queues_[field]) continue;
    ColumnQueue const& queue = *queues_[field];
    out += joined(", D* q", field);
    loads += joined("  q", field, "[", queue.planes() - 1, "] = load<ends>(job.call, job.fields[",
                    field, "], x, y, ", moved_by(2, queue.high), ");\n");
  }
  out += joined(") {\n", loads);
  for (std::size_t at = 0; at < program_.nodes().size(); ++at) {
    PointNode const& node = program_.nodes()[at];
    out += joined("  const ", is_truth(node.op) ? "bool" : "D", " n", at, " = ", value_of(node),
                  ";\n");
  }
  for (int const field : program_.updated()) {
    std::string const place = joined("job.fields[", field, "]");
    out += joined("  ", place, ".next[z * ", place, ".plane_pitch + y * ", place,
                  ".row_pitch + x] = n",
                  program_.program().updates[static_cast<std::size_t>(field)], ";\n");
  }
  return out + "}\n";
}

std::string ColumnSource::column() const {
  std::string names;
  std::string moves;
  std::string out =
      "DEVICE void column(const Job& job, I x, I y, I begin, I end) {\n"
      "  if (begin >= end) return;\n";
  for (std::size_t field = 0; field < queues_.size(); ++field) {
    if (!queues_[field]) continue;
    ColumnQueue const& queue = *queues_[field];
    out += joined("  D q", field, "[", queue.planes(), "];\n");
    names += joined(", q", field);
    for (int plane = 1; plane < queue.planes(); ++plane) {
      out += joined("  q", field, "[", plane, "] = at_ends(job.call, job.fields[", field,
                    "], x, y, begin + (", queue.low + plane - 1, "));\n");
      moves += joined("    q", field, "[", plane - 1, "] = q", field, "[", plane, "];\n");
    }
  }
  std::string const inside = joined("is_inside<", program_.shape().halo.width, ">(job.call, ");
  out += joined("  const bool is_row_inside = ", inside, "0, x) && ", inside, "1, y);\n");
  out += joined("  for (I z = begin; z < end; ++z) {\n", moves);
  out += joined("    if (is_row_inside && ", inside, "2, z)) point<false>(job, x, y, z", names,
                ");\n    else point<true>(job, x, y, z", names, ");\n  }\n}\n");
  return out;
}

// A job holds all that a kernel is given: it goes over with the launch.
std::string ColumnSource::text() const {
  int const fields = program_.fields();
  int const parameters = program_.program().parameters;
  std::string out = joined("// Made by makespan from a program of ", program_.nodes().size(),
                           " operations.", column_source);
  out += joined("\nstruct Job {\n  Call call;\n  Field fields[", fields, "];\n  D parameters[",
                std::max(1, parameters), "];\n};\n");
  out += joined(point(), column(), pair_source(program_));
  out += joined("enum { width = ", program_.shape().halo.width, " };", two_columns_source);
  out += joined(
      "\nstatic Job job_of(const Call& call) {\n  Job job;\n  job.call = call;\n"
      "  memcpy(job.fields, call.fields, ",
      fields, " * sizeof(Field));\n");
  if (parameters > 0) {
    out += joined("  memcpy(job.parameters, call.parameters, ", parameters, " * sizeof(D));\n");
  }
  return joined(out, "  return job;\n}\n", launch_source);
}

}  // namespace

std::string gpu_source(CheckedProgram const& program) {
  auto const fields = static_cast<std::size_t>(program.fields());
  auto const parameters = static_cast<std::size_t>(program.program().parameters);
  if (sizeof(GpuCall) + fields * sizeof(GpuField) + parameters * sizeof(double) > arguments_max) {
    throw InputError(
        joined("fields: ", fields, ", parameters: ", parameters),
        joined("a GPU's kernel takes ", arguments_max, " bytes with a launch, ", sizeof(GpuCall),
               " of them for ends, ", sizeof(GpuField), " for a field and 8 for a parameter"),
        "take fewer (parameters that do not change can be constants), or leave GPUs out");
  }
  return ColumnSource(program).text();
}

}  // namespace makespan::grid
