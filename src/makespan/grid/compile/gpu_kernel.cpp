// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/compile/gpu_kernel.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/grid/compile/detail/gpu_call.hpp"
#include "makespan/grid/compile/detail/gpu_source.hpp"
#include "makespan/grid/field/column_planes.hpp"

namespace makespan::grid {

namespace {

using Columns = int (*)(GpuCall const* call, void* stream);
using Ready = int (*)(int gpu);

constexpr std::int64_t planes_most = 64;
// A block has eight rows (gpu_source.cpp).
constexpr std::int64_t rows_max = 8 * column_blocks_max;

std::vector<GpuField> fields_of(Sweep const& sweep) {
  std::vector<GpuField> fields;
  fields.reserve(sweep.now.size());
  for (std::size_t at = 0; at < sweep.now.size(); ++at) {
    FieldView const& now = sweep.now[at];
    GpuField field{.now = now.first,
                   .next = sweep.next[at].first,
                   .row_pitch = now.row_pitch,
                   .plane_pitch = now.plane_pitch};
    std::ranges::copy(now.values, field.values);
    fields.push_back(field);
  }
  return fields;
}

void set_axis(GpuCall& call, int number, Axis const& axis) {
  call.first[number] = axis.begin;
  call.last[number] = axis.end;
  call.low[number] = static_cast<std::int32_t>(axis.low);
  call.high[number] = static_cast<std::int32_t>(axis.high);
}

// All fields have their ends at the same places, by the same rules.
void set_axes(GpuCall& call, FieldView const& view) {
  set_axis(call, 0, view.axis_x());
  set_axis(call, 1, view.axis_y());
  set_axis(call, 2, view.axis_z());
  call.origin[0] = static_cast<double>(view.box.begin.x);
  call.origin[1] = static_cast<double>(view.box.begin.y);
  call.origin[2] = static_cast<double>(view.box.begin.z);
}

void set_box(GpuCall& call, Box const& box) {
  call.begin[0] = box.begin.x;
  call.begin[1] = box.begin.y;
  call.begin[2] = box.begin.z;
  call.end[0] = box.end.x;
  call.end[1] = box.end.y;
  call.end[2] = box.end.z;
  call.planes_each = column_planes(box, 2, planes_most);
}

}  // namespace

GpuKernel::GpuKernel(CheckedProgram const& program, GpuCompilerOptions const& options)
    : GpuKernel{gpu_compiled(gpu_source(program), options)} {
}

GpuKernel::GpuKernel(KernelLibrary library)
    : library_{std::move(library)},
      ready_{library_.symbol(gpu_ready_symbol)},
      columns_{library_.symbol(gpu_kernel_symbol)} {
  if (ready_ != nullptr && columns_ != nullptr) return;
  throw InputError("an update compiled for a GPU", "it has no " + std::string(gpu_kernel_symbol),
                   "delete the folder kernels of makespan's cache");
}

int GpuKernel::prepare(int gpu) const {
  return reinterpret_cast<Ready>(ready_)(gpu);
}

int GpuKernel::launch(Sweep const& sweep, std::vector<double> const& parameters, int gpu,
                      void* stream) const {
  MAKESPAN_EXPECT(sweep.steps == 1);
  FieldView const& view = sweep.now.front();
  Box const box = moved(sweep.box, Point{} - view.box.begin);
  if (box.is_empty()) return 0;
  std::vector<GpuField> const fields = fields_of(sweep);
  GpuCall call{.parameters = parameters.data(),
               .fields = fields.data(),
               .step = static_cast<double>(sweep.step),
               .gpu = gpu};
  set_axes(call, view);
  for (std::int64_t y = box.begin.y; y < box.end.y; y += rows_max) {
    Box rows = box;
    rows.begin.y = y;
    rows.end.y = std::min(y + rows_max, box.end.y);
    set_box(call, rows);
    int const status = reinterpret_cast<Columns>(columns_)(&call, stream);
    if (status != 0) return status;
  }
  return 0;
}

std::shared_ptr<GpuKernel const> gpu_kernel(CheckedProgram const& program,
                                            GpuCompilerOptions const& options) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<GpuKernel const>> kernels;
  std::string const source = gpu_source(program);
  std::string const key =
      find_gpu_compiler(options).string() + " " + std::to_string(options.capability) + " " + source;
  // Held while it compiles: devices that ask for the same kernel meanwhile wait, and find it.
  std::scoped_lock const lock(mutex);
  std::shared_ptr<GpuKernel const>& kernel = kernels[key];
  if (!kernel) kernel = std::make_shared<GpuKernel>(gpu_compiled(source, options));
  return kernel;
}

}  // namespace makespan::grid
