// SPDX-License-Identifier: Apache-2.0
#include "makespan/cuda/runtime_api.hpp"

#include <cstdint>

#include "makespan/cuda/error.hpp"
#include "makespan/grid/gpu/detail/field_kernels.hpp"

namespace makespan::grid {

namespace {

// A box's points, in its order, and where they lie.
struct BoxPlace {
  double* first;  // the box's first point
  std::int64_t row_pitch;
  std::int64_t plane_pitch;
  std::int64_t row;  // points of one
  std::int64_t rows;
  std::int64_t points;
};

BoxPlace place_of(FieldView const& view, Box const& box) {
  Point const begin = moved(box, Point{} - view.box.begin).begin;
  Point const extent = box.extent();
  return {view.at(begin.y, begin.z) + begin.x,
          view.row_pitch,
          view.plane_pitch,
          extent.x,
          extent.y,
          box.points()};
}

enum class Way { out, in };

template <Way way>
__global__ void copy_box(BoxPlace place, double* line) {
  std::int64_t const step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (; i < place.points; i += step) {
    std::int64_t const row = i / place.row;
    double* const point = place.first + row / place.rows * place.plane_pitch +
                          row % place.rows * place.row_pitch + i % place.row;
    if constexpr (way == Way::out) {
      line[i] = *point;
    } else {
      *point = line[i];
    }
  }
}

constexpr int threads = 256;
constexpr std::int64_t blocks_max = 1024;

template <Way way>
void launch(FieldView const& view, Box const& box, double* line, cuda::Stream const& stream) {
  if (box.is_empty()) return;
  BoxPlace const place = place_of(view, box);
  std::int64_t const wanted = (place.points + threads - 1) / threads;
  auto const blocks = static_cast<unsigned>(wanted < blocks_max ? wanted : blocks_max);
  copy_box<way><<<blocks, threads, 0, stream.get()>>>(place, line);
  cuda::check(cudaGetLastError(), "launch of a copy of a halo");
}

}  // namespace

void launch_pack(FieldView const& view, Box const& box, double* to, cuda::Stream const& stream) {
  launch<Way::out>(view, box, to, stream);
}

void launch_unpack(double const* from, FieldView const& view, Box const& box,
                   cuda::Stream const& stream) {
  launch<Way::in>(view, box, const_cast<double*>(from), stream);
}

}  // namespace makespan::grid
