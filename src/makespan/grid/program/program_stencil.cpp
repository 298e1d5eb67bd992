// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/program/program_stencil.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/grid/program/detail/row_walk.hpp"
#include "makespan/grid/program/detail/step_rows.hpp"
#include "makespan/simd/aligned_buffer.hpp"

namespace makespan::grid {

namespace {

// By field, beyond a face.
std::vector<double> values_at(std::span<FieldView const> views, Face face) {
  std::vector<double> values;
  values.reserve(views.size());
  for (FieldView const& view : views) values.push_back(view.values[static_cast<std::size_t>(face)]);
  return values;
}

bool reads_index(CheckedProgram const& program, PointOp index) {
  return std::ranges::any_of(program.nodes(),
                             [&](PointNode const& node) { return node.op == index; });
}

// Points beyond a periodic end are computed, too, where several steps are made at once: they are
// those at the other end. How many times the domain lies between; other ends are not left.
std::int64_t turns(std::int64_t i, Axis const& axis) {
  std::int64_t const size = axis.end - axis.begin;
  std::int64_t const from = i - axis.begin;
  if (from >= 0 && from < size) return 0;
  return from >= 0 ? from / size : -((size - 1 - from) / size);
}
// Where it is in the domain.
std::int64_t turned_back(std::int64_t i, Axis const& axis) {
  return i - turns(i, axis) * (axis.end - axis.begin);
}

// All steps of one tile.
class TileSweep {
 public:
  TileSweep(CheckedProgram const& program, RowKernel const& kernel, StepRows const& rows,
            RowStoring storing)
      : program_{program},
        kernel_{kernel},
        rows_{rows},
        storing_{storing},
        reads_x_{reads_index(program, PointOp::index_x)},
        reads_z_{reads_index(program, PointOp::index_z)},
        low_values_{values_at(rows.sweep().now, Face::x_low)},
        high_values_{values_at(rows.sweep().now, Face::x_high)} {
    FieldView const& view = rows.sweep().now.front();
    job_.low_values = low_values_.data();
    job_.high_values = high_values_.data();
    job_.extent = view.box.extent().x;
    Axis const axis = view.axis_x();
    job_.domain_begin = axis.begin;
    job_.domain_end = axis.end;
    job_.low = static_cast<std::int32_t>(axis.low);
    job_.high = static_cast<std::int32_t>(axis.high);
  }

  void set_parameters(std::vector<double> const& parameters) {
    job_.parameters = parameters.data();
  }

  // Slots of kernel.planes(), and of one plane.
  void run(std::vector<RowSlot> const& slots, std::vector<RowSlot> const& one) {
    int const steps = rows_.sweep().steps;
    int const planes = kernel_.planes();
    std::vector<RowWalk> walks;
    std::vector<RowWalk> walks_one;
    for (int step = 1; step <= steps; ++step) {
      walks.emplace_back(program_, slots, planes, rows_, step);
      walks_one.emplace_back(program_, one, 1, rows_, step);
    }
    std::int64_t const radius = program_.shape().halo.width;
    // The last step is so many radii behind the first one.
    std::int64_t const end = rows_.planes_of(steps).end + (steps - 1) * radius;
    for (std::int64_t z = rows_.planes_of(1).begin; z < end; z += planes) {
      for (int step = 1; step <= steps; ++step) {
        auto const at = static_cast<std::size_t>(step - 1);
        Reach const whole = rows_.planes_of(step);
        // A step follows the one before it at the distance that it reads, so that it finds what
        // that one gave in the cache.
        std::int64_t const first = z - (step - 1) * radius;
        std::int64_t const begin = std::max(first, whole.begin);
        std::int64_t const last = std::min(first + planes, whole.end);
        if (last - begin == planes && are_numbered_on(begin, last)) {
          run_planes(walks[at], walks_one[at], step, begin);
        } else {
          for (std::int64_t plane = begin; plane < last; ++plane) {
            run_plane(walks_one[at], step, rows_.rows_of(step), plane);
          }
        }
      }
      rows_.sweep().pause();
    }
  }

 private:
  // Whether each plane's index is that of the one before it, plus 1, if it is read.
  [[nodiscard]] bool are_numbered_on(std::int64_t begin, std::int64_t end) const {
    Axis const axis = rows_.sweep().now.front().axis_z();
    return !reads_z_ || turns(begin, axis) == turns(end - 1, axis);
  }
  // Several planes where they are alike, one by one elsewhere.
  void run_planes(RowWalk& walk, RowWalk& one, int step, std::int64_t z) {
    int const planes = kernel_.planes();
    Reach const rows = rows_.rows_of(step);
    Reach const alike = rows_.alike_rows(z, planes);
    for (std::int64_t y = rows.begin; y < rows.end; ++y) {
      if (planes == 1 || (y >= alike.begin && y < alike.end)) {
        run_row(walk, step, planes, y, z);
      } else {
        for (int plane = 0; plane < planes; ++plane) {
          run_plane(one, step, {y, y + 1}, z + plane);
        }
      }
    }
  }
  void run_plane(RowWalk& walk, int step, Reach const& rows, std::int64_t z) {
    for (std::int64_t y = rows.begin; y < rows.end; ++y) run_row(walk, step, 1, y, z);
  }
  void run_row(RowWalk& walk, int step, int planes, std::int64_t y, std::int64_t z) {
    Sweep const& sweep = rows_.sweep();
    FieldView const& view = sweep.now.front();
    Point const origin = view.box.begin;
    walk.go_to(y, z);
    walk.set(job_);
    job_.y = static_cast<double>(origin.y + turned_back(y, view.axis_y()));
    job_.z = static_cast<double>(origin.z + turned_back(z, view.axis_z()));
    job_.step = static_cast<double>(sweep.step + step - 1);
    // What the steps before the last one give is read again at once.
    RowStoring const storing = step == sweep.steps ? storing_ : RowStoring::in_cache;
    Reach const points = rows_.points_of(step);
    Axis const along_x = view.axis_x();
    std::int64_t const size = along_x.end - along_x.begin;
    for (std::int64_t begin = points.begin; begin < points.end; begin = job_.end) {
      std::int64_t const first = along_x.begin + turns(begin, along_x) * size;
      job_.begin = begin;
      job_.end = reads_x_ ? std::min(points.end, first + size) : points.end;
      job_.x = static_cast<double>(origin.x - (first - along_x.begin));
      kernel_.compute(planes, storing, job_);
    }
  }

  CheckedProgram const& program_;
  RowKernel const& kernel_;
  StepRows const& rows_;
  RowStoring storing_;
  bool reads_x_;
  bool reads_z_;
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

// Of a plane, so many that what a tile reads again is still in the core's cache. With several
// steps at once tiles are higher: they compute less twice, and rings in the shared cache do no
// harm.
std::int64_t ProgramStencil::tile_rows(Sweep const& sweep) const {
  std::int64_t doubles = 0;
  int const planes = kernel_->planes();
  for (std::size_t field = 0; field < sweep.now.size(); ++field) {
    bool const spreads = shape().fields[field] == FieldRole::spreads;
    std::int64_t const reach = spreads ? shape().halo.width : 0;
    doubles += sweep.now[field].row_pitch * (planes + 2 * reach) * sweep.steps;
  }
  // As for the kernels by hand: 1.5 is what docs/decisions/0067 found.
  double const share = sweep.steps > 1 ? 4 : 1.5;
  double const rows = share * static_cast<double>(caches_.core) / static_cast<double>(8 * doubles);
  std::int64_t const rows_max = std::max<std::int64_t>(1, sweep.box.extent().y);
  // Below 8 rows a tile reads more of its neighbours than it saves.
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
  MAKESPAN_EXPECT(sweep.steps >= 1 && sweep.steps <= shape().steps_max);
  if (sweep.box.is_empty()) return;
  std::int64_t const first = sweep.now.front().box.begin.y;
  std::int64_t const end = sweep.box.end.y - first;
  std::int64_t const height = tile_rows(sweep);
  // Kept from sweep to sweep; rings need no first values.
  thread_local simd::AlignedBuffer<double> memory;
  for (std::int64_t y = sweep.box.begin.y - first; y < end; y += height) {
    Reach const tile{y, std::min(y + height, end)};
    std::int64_t const radius = shape().halo.width;
    auto const doubles =
        static_cast<std::size_t>(StepRows::ring_doubles(sweep, tile, radius, kernel_->planes()));
    StepRows const rows(sweep, tile, shape().halo, kernel_->planes(),
                        {memory.reserve(doubles), doubles});
    TileSweep tiles(program_, *kernel_, rows, storing(sweep));
    tiles.set_parameters(parameters_);
    tiles.run(slots_, slots_one_);
  }
  kernel_->finish();
}

}  // namespace makespan::grid
