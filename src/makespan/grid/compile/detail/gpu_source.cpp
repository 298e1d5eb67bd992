// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/compile/detail/gpu_source.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <vector>

#include "makespan/base/error.hpp"
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
  [[nodiscard]] std::string two_columns() const;
  [[nodiscard]] std::string value_of(PointNode const& node) const;
  [[nodiscard]] std::string load_of(PointNode const& node) const;

  CheckedProgram const& program_;
  std::vector<std::optional<ColumnQueue>> queues_;  // by field
};

std::string const& axis_name(int axis) {
  static std::string const names[]{"x", "y", "z"};
  return names[axis];
}

std::string number(int value) {
  return std::to_string(value);
}

// "x", "x + 2", "x - 1".
std::string moved_by(int axis, int offset) {
  if (offset == 0) return axis_name(axis);
  return axis_name(axis) + (offset < 0 ? " - " : " + ") + number(std::abs(offset));
}

ColumnSource::ColumnSource(CheckedProgram const& program)
    : program_{program}, queues_{column_queues(program)} {
}

std::string ColumnSource::load_of(PointNode const& node) const {
  std::string const field = number(node.field);
  bool const is_in_column = node.offset.x == 0 && node.offset.y == 0;
  auto const& queue = queues_[static_cast<std::size_t>(node.field)];
  if (is_in_column && queue) return "q" + field + "[" + number(node.offset.z - queue->low) + "]";
  // Where the point itself is there are no ends.
  std::string const how = node.offset == Offset{} ? "false" : "ends";
  return "load<" + how + ">(job.call, job.fields[" + field + "], " + moved_by(0, node.offset.x) +
         ", " + moved_by(1, node.offset.y) + ", " + moved_by(2, node.offset.z) + ")";
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
    std::string const name = std::to_string(field);
    ColumnQueue const& queue = *queues_[field];
    out += ", D* q" + name;
    loads += "  q" + name + "[" + number(queue.planes() - 1) +
             "] = load<ends>(job.call, job.fields[" + name + "], x, y, " + moved_by(2, queue.high) +
             ");\n";
  }
  out += ") {\n" + loads;
  for (std::size_t at = 0; at < program_.nodes().size(); ++at) {
    PointNode const& node = program_.nodes()[at];
    out += std::string("  const ") + (is_truth(node.op) ? "bool" : "D") + " n" +
           std::to_string(at) + " = " + value_of(node) + ";\n";
  }
  for (int const field : program_.updated()) {
    std::string const place = "job.fields[" + number(field) + "]";
    out += "  " + place + ".next[z * " + place + ".plane_pitch + y * " + place +
           ".row_pitch + x] = n" +
           number(program_.program().updates[static_cast<std::size_t>(field)]) + ";\n";
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
    std::string const name = "q" + std::to_string(field);
    ColumnQueue const& queue = *queues_[field];
    out += "  D " + name + "[" + number(queue.planes()) + "];\n";
    names += ", " + name;
    for (int plane = 1; plane < queue.planes(); ++plane) {
      out += "  " + name + "[" + number(plane) + "] = at_ends(job.call, job.fields[" +
             std::to_string(field) + "], x, y, begin + (" + number(queue.low + plane - 1) + "));\n";
      moves +=
          "    " + name + "[" + number(plane - 1) + "] = " + name + "[" + number(plane) + "];\n";
    }
  }
  std::string const inside =
      "is_inside<" + std::to_string(program_.shape().halo.width) + ">(job.call, ";
  out += "  const bool is_row_inside = " + inside + "0, x) && " + inside + "1, y);\n" +
         "  for (I z = begin; z < end; ++z) {\n" + moves + "    if (is_row_inside && " + inside +
         "2, z)) point<false>(job, x, y, z" + names + ");\n    else point<true>(job, x, y, z" +
         names + ");\n  }\n}\n";
  return out;
}

// Points x and x + 1, as far as they are in the call's box; by pairs where no end's rule is met.
std::string ColumnSource::two_columns() const {
  std::string const width = std::to_string(program_.shape().halo.width);
  return "enum { width = " + width + R"source( };
DEVICE void two_columns(const Job& job, I x, I y, I begin, I end) {
  const Call& call = job.call;
  const bool are_inside = x >= call.begin[0] && x + 1 < call.end[0] && is_inside<width>(call, 0, x) &&
                          is_inside<width>(call, 0, x + 1) && is_inside<width>(call, 1, y);
  I pairs_begin = begin, pairs_end = begin;
  if (are_inside) {
    pairs_end = end;
    while (pairs_begin < end && !is_inside<width>(call, 2, pairs_begin)) ++pairs_begin;
    while (pairs_end > pairs_begin && !is_inside<width>(call, 2, pairs_end - 1)) --pairs_end;
    pairs(job, x, y, pairs_begin, pairs_end);
  }
  for (I i = x; i < x + 2; ++i) {
    if (i < call.begin[0] || i >= call.end[0]) continue;
    column(job, i, y, begin, pairs_begin);
    column(job, i, y, pairs_end, end);
  }
}
)source";
}

// A job holds all that a kernel is given: it goes over with the launch.
std::string ColumnSource::text() const {
  std::string const parameters = number(program_.program().parameters);
  std::string const fields = number(program_.fields());
  std::string const longest = number(std::max(1, program_.program().parameters));
  std::string out = "// Made by makespan from a program of " +
                    std::to_string(program_.nodes().size()) + " operations.";
  out += column_source;
  out += "\nstruct Job {\n  Call call;\n  Field fields[" + fields + "];\n  D parameters[" +
         longest + "];\n};\n";
  out += point() + column() + pair_source(program_) + two_columns();
  out += R"source(
static Job job_of(const Call& call) {
  Job job;
  job.call = call;
)source";
  out += "  memcpy(job.fields, call.fields, " + fields + " * sizeof(Field));\n";
  if (program_.program().parameters > 0) {
    out += "  memcpy(job.parameters, call.parameters, " + parameters + " * sizeof(D));\n";
  }
  out += R"source(  return job;
}

#if ON_GPU
enum { threads_x = 32, threads_y = 8 };
__global__ void __launch_bounds__(threads_x* threads_y) columns(Job job) {
  const I x = job.call.begin[0] / 2 * 2 + 2 * ((I)blockIdx.x * threads_x + threadIdx.x);
  const I y = job.call.begin[1] + (I)blockIdx.y * threads_y + threadIdx.y;
  if (x >= job.call.end[0] || y >= job.call.end[1]) return;
  const I begin = job.call.begin[2] + (I)blockIdx.z * job.call.planes_each;
  const I end = begin + job.call.planes_each;
  two_columns(job, x, y, begin, end < job.call.end[2] ? end : job.call.end[2]);
}
static unsigned blocks_along(const Call& call, int axis, I each) {
  return (unsigned)((call.end[axis] - call.begin[axis] + each - 1) / each);
}
#endif

extern "C" __attribute__((visibility("default"))) int makespan_ready_1(int gpu) {
#if ON_GPU && !defined(__HIP__)
  const cudaError_t chosen = cudaSetDevice(gpu);
  if (chosen != cudaSuccess) return (int)chosen;
  cudaFuncAttributes about;
  return (int)cudaFuncGetAttributes(&about, (const void*)columns);
#else
  (void)gpu;
  return 0;
#endif
}

extern "C" __attribute__((visibility("default"))) int makespan_columns_1(const Call* call,
                                                                         void* stream) {
  const Job job = job_of(*call);
#if ON_GPU
  const cudaError_t chosen = cudaSetDevice(call->gpu);
  if (chosen != cudaSuccess) return (int)chosen;
  // The first of two points may lie before the box.
  const I pairs_along_x = (call->end[0] - call->begin[0]) / 2 + 1;
  const dim3 blocks((unsigned)((pairs_along_x + threads_x - 1) / threads_x),
                    blocks_along(*call, 1, threads_y), blocks_along(*call, 2, call->planes_each));
  columns<<<blocks, dim3(threads_x, threads_y), 0, (cudaStream_t)stream>>>(job);
  return (int)cudaGetLastError();
#else
  for (I z = call->begin[2]; z < call->end[2]; z += call->planes_each) {
    const I end = z + call->planes_each;
    for (I y = call->begin[1]; y < call->end[1]; ++y) {
      for (I x = call->begin[0] / 2 * 2; x < call->end[0]; x += 2) {
        two_columns(job, x, y, z, end < call->end[2] ? end : call->end[2]);
      }
    }
  }
  (void)stream;
  return 0;
#endif
}
)source";
  return out;
}

}  // namespace

std::string gpu_source(CheckedProgram const& program) {
  auto const fields = static_cast<std::size_t>(program.fields());
  auto const parameters = static_cast<std::size_t>(program.program().parameters);
  if (sizeof(GpuCall) + fields * sizeof(GpuField) + parameters * sizeof(double) > arguments_max) {
    throw InputError(
        "fields: " + std::to_string(fields) + ", parameters: " + std::to_string(parameters),
        "a GPU's kernel takes " + std::to_string(arguments_max) + " bytes with a launch, " +
            std::to_string(sizeof(GpuCall)) + " of them for ends, " +
            std::to_string(sizeof(GpuField)) + " for a field and 8 for a parameter",
        "take fewer (parameters that do not change can be constants), or leave GPUs out");
  }
  return ColumnSource(program).text();
}

}  // namespace makespan::grid
