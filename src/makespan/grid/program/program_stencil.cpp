// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/program/program_stencil.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/grid/program/detail/row_walk.hpp"

namespace makespan::grid {

namespace {

// By field, beyond a face.
std::vector<double> values_at(std::span<FieldView const> views, Face face) {
  std::vector<double> values;
  values.reserve(views.size());
  for (FieldView const& view : views) values.push_back(view.values[static_cast<std::size_t>(face)]);
  return values;
}

// Computes tiles of one sweep.
class TileSweep {
 public:
  TileSweep(CheckedProgram const& program, RowKernel const& kernel, Sweep const& sweep,
            RowStoring storing)
      : program_{program},
        kernel_{kernel},
        sweep_{sweep},
        storing_{storing},
        box_{moved(sweep.box, Point{} - sweep.now.front().box.begin)},
        low_values_{values_at(sweep.now, Face::x_low)},
        high_values_{values_at(sweep.now, Face::x_high)} {
    FieldView const& view = sweep.now.front();
    job_.low_values = low_values_.data();
    job_.high_values = high_values_.data();
    job_.begin = box_.begin.x;
    job_.end = box_.end.x;
    job_.extent = view.box.extent().x;
    job_.low = static_cast<std::int32_t>(view.beyond(Face::x_low));
    job_.high = static_cast<std::int32_t>(view.beyond(Face::x_high));
    job_.x = static_cast<double>(view.box.begin.x);
    job_.step = static_cast<double>(sweep.step);
  }

  void set_parameters(std::vector<double> const& parameters) {
    job_.parameters = parameters.data();
  }

  void run(TileRows tile, std::vector<RowSlot> const& slots, std::vector<RowSlot> const& one) {
    int const planes = kernel_.planes();
    RowWalk walk(program_, slots, planes, sweep_, tile);
    RowWalk walk_one(program_, one, 1, sweep_, tile);
    std::int64_t z = box_.begin.z;
    for (; z + planes <= box_.end.z; z += planes) run_planes(walk, planes, tile, z);
    for (; z < box_.end.z; ++z) run_planes(walk_one, 1, tile, z);
  }

 private:
  void run_planes(RowWalk& walk, int planes, TileRows tile, std::int64_t z) {
    Point const origin = sweep_.now.front().box.begin;
    job_.z = static_cast<double>(origin.z + z);
    for (std::int64_t y = tile.begin; y < tile.end; ++y) {
      walk.go_to(y, z);
      walk.set(job_);
      job_.y = static_cast<double>(origin.y + y);
      kernel_.compute(planes, storing_, job_);
    }
    sweep_.pause();
  }

  CheckedProgram const& program_;
  RowKernel const& kernel_;
  Sweep const& sweep_;
  RowStoring storing_;
  Box box_;
  std::vector<double> low_values_;
  std::vector<double> high_values_;
  RowsJob job_{};
};

}  // namespace

ProgramStencil::ProgramStencil(CheckedProgram program, std::unique_ptr<RowKernel> kernel,
                               std::vector<double> parameters, CacheSizes const& caches)
    : program_{std::move(program)},
      kernel_{std::move(kernel)},
      caches_{caches},
      slots_{row_slots(program_, kernel_->planes())},
      slots_one_{row_slots(program_, 1)} {
  set_parameters(std::move(parameters));
}

void ProgramStencil::set_parameters(std::vector<double> parameters) {
  MAKESPAN_EXPECT(std::ssize(parameters) == program_.program().parameters);
  parameters_ = std::move(parameters);
}

// Of a plane, so many that what a tile reads again is still in the core's cache.
std::int64_t ProgramStencil::tile_rows(Sweep const& sweep) const {
  std::int64_t doubles = 0;
  int const planes = kernel_->planes();
  for (std::size_t field = 0; field < sweep.now.size(); ++field) {
    bool const spreads = shape().fields[field] == FieldRole::spreads;
    std::int64_t const reach = spreads ? shape().halo.width : 0;
    doubles += sweep.now[field].row_pitch * (planes + 2 * reach);
  }
  // Half as much again as the cache has measured best, and below 8 rows a tile reads more of its
  // neighbours than it saves.
  double const rows = 1.5 * static_cast<double>(caches_.core) / static_cast<double>(8 * doubles);
  std::int64_t const rows_max = std::max<std::int64_t>(1, sweep.box.extent().y);
  return std::min(std::max<std::int64_t>(8, static_cast<std::int64_t>(rows)), rows_max);
}

RowStoring ProgramStencil::storing(Sweep const& sweep) const {
  std::int64_t bytes = 0;
  for (std::size_t field = 0; field < sweep.now.size(); ++field) {
    std::int64_t const times = shape().fields[field] == FieldRole::spreads ? 2 : 1;
    FieldView const& view = sweep.now[field];
    bytes += times * view.plane_pitch * view.box.extent().z * 8;
  }
  return bytes > caches_.shared ? RowStoring::past_caches : RowStoring::in_cache;
}

void ProgramStencil::sweep(Sweep const& sweep) const {
  MAKESPAN_EXPECT(sweep.steps == 1);
  if (sweep.box.is_empty()) return;
  TileSweep tiles(program_, *kernel_, sweep, storing(sweep));
  tiles.set_parameters(parameters_);
  std::int64_t const first = sweep.now.front().box.begin.y;
  std::int64_t const begin = sweep.box.begin.y - first;
  std::int64_t const end = sweep.box.end.y - first;
  std::int64_t const rows = tile_rows(sweep);
  for (std::int64_t y = begin; y < end; y += rows) {
    tiles.run({y, std::min(y + rows, end)}, slots_, slots_one_);
  }
  kernel_->finish();
}

}  // namespace makespan::grid
