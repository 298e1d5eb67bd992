// SPDX-License-Identifier: Apache-2.0
#include "makespan/cuda/runtime_api.hpp"

#include <cstdint>

#include "makespan/base/digest.hpp"
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

unsigned blocks_for(std::int64_t points) {
  std::int64_t const wanted = (points + threads - 1) / threads;
  return static_cast<unsigned>(wanted < blocks_max ? wanted : blocks_max);
}

template <Way way>
void launch(FieldView const& view, Box const& box, double* line, cuda::Stream const& stream) {
  if (box.is_empty()) return;
  BoxPlace const place = place_of(view, box);
  copy_box<way><<<blocks_for(place.points), threads, 0, stream.get()>>>(place, line);
  cuda::check(cudaGetLastError(), "launch of a copy of a halo");
}

// Of two slabs that have the box: it is walked by the first one's rows.
__global__ void copy_between(BoxPlace from, BoxPlace to) {
  std::int64_t const step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (; i < from.points; i += step) {
    std::int64_t const row = i / from.row;
    std::int64_t const plane = row / from.rows;
    std::int64_t const y = row % from.rows;
    std::int64_t const x = i % from.row;
    to.first[plane * to.plane_pitch + y * to.row_pitch + x] =
        from.first[plane * from.plane_pitch + y * from.row_pitch + x];
  }
}

// A slab's points, and where they are in the whole grid.
struct PlaneSums {
  BoxPlace slab;
  std::int64_t first_place;  // of the slab's first point
  std::int64_t row_places;   // from a row to the next
  std::int64_t plane_places;
};

// Of all threads of a block; what the first thread gets counts.
template <class T>
__device__ T sum_of_block(T const& mine) {
  // Shared memory has no constructors.
  __shared__ std::uint64_t room[threads * sizeof(T) / sizeof(std::uint64_t)];
  auto* const of_threads = reinterpret_cast<T*>(room);
  of_threads[threadIdx.x] = mine;
  for (unsigned half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) of_threads[threadIdx.x] += of_threads[threadIdx.x + half];
  }
  return of_threads[0];
}

__device__ void add_to(std::uint64_t* sum, std::uint64_t value) {
  atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(value));
}

// A plane for each block along x, and rows of it for each along y. Sums of whole numbers are the
// same in any order.
__global__ void add_plane_digests(PlaneSums job, std::uint64_t* sums) {
  std::int64_t const z = blockIdx.x;
  double const* const plane = job.slab.first + z * job.slab.plane_pitch;
  std::int64_t const first = job.first_place + z * job.plane_places;
  Digest sum;
  for (std::int64_t y = blockIdx.y; y < job.slab.rows; y += gridDim.y) {
    for (std::int64_t x = threadIdx.x; x < job.slab.row; x += blockDim.x) {
      sum += digest_of(plane[y * job.slab.row_pitch + x],
                       static_cast<std::uint64_t>(first + y * job.row_places + x));
    }
  }
  Digest const of_block = sum_of_block(sum);
  if (threadIdx.x != 0) return;
  add_to(sums + 2 * z, of_block.first);
  add_to(sums + 2 * z + 1, of_block.second);
}

__global__ void find_bad(BoxPlace slab, std::uint64_t* found) {
  std::int64_t const step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (; i < slab.points; i += step) {
    std::int64_t const row = i / slab.row;
    double const value = slab.first[row / slab.rows * slab.plane_pitch +
                                    row % slab.rows * slab.row_pitch + i % slab.row];
    if (isfinite(value)) continue;
    atomicMin(reinterpret_cast<unsigned long long*>(found), static_cast<unsigned long long>(i));
    return;
  }
}

// The value of point number `i` of a slab.
__device__ double value_at(BoxPlace const& slab, std::int64_t i) {
  std::int64_t const row = i / slab.row;
  return slab
      .first[row / slab.rows * slab.plane_pitch + row % slab.rows * slab.row_pitch + i % slab.row];
}

__global__ void add_range(BoxPlace slab, ValueRange* range) {
  std::int64_t const step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  ValueRange mine;
  for (; i < slab.points; i += step) mine.add(ordered_key(value_at(slab, i)));
  ValueRange const of_block = sum_of_block(mine);
  if (threadIdx.x != 0) return;
  atomicMin(reinterpret_cast<unsigned long long*>(&range->least),
            static_cast<unsigned long long>(of_block.least));
  atomicMax(reinterpret_cast<unsigned long long*>(&range->most),
            static_cast<unsigned long long>(of_block.most));
}

__global__ void add_sum(BoxPlace slab, ScaleFactors factors, FixedSum* sum) {
  std::int64_t const step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  FixedSum mine;
  for (; i < slab.points; i += step) mine.add(factors.of(value_at(slab, i)));
  FixedSum const of_block = sum_of_block(mine);
  if (threadIdx.x != 0) return;
  for (int limb = 0; limb < 3; ++limb) {
    add_to(reinterpret_cast<std::uint64_t*>(&sum->limbs[limb]),
           static_cast<std::uint64_t>(of_block.limbs[limb]));
  }
}

// As many rows of a plane at once as fill a GPU that has few planes.
constexpr unsigned row_blocks = 64;

}  // namespace

void launch_copy(FieldView const& from, FieldView const& to, Box const& box,
                 cuda::Stream const& stream) {
  if (box.is_empty()) return;
  copy_between<<<blocks_for(box.points()), threads, 0, stream.get()>>>(place_of(from, box),
                                                                       place_of(to, box));
  cuda::check(cudaGetLastError(), "launch of a copy of a slab");
}

void launch_digests(FieldView const& view, Box const& domain, std::uint64_t* sums,
                    cuda::Stream const& stream) {
  Point const whole = domain.extent();
  Point const at = view.box.begin - domain.begin;
  PlaneSums const job{.slab = place_of(view, view.box),
                      .first_place = (at.z * whole.y + at.y) * whole.x + at.x,
                      .row_places = whole.x,
                      .plane_places = whole.x * whole.y};
  auto const planes = static_cast<unsigned>(view.box.extent().z);
  add_plane_digests<<<dim3(planes, row_blocks), threads, 0, stream.get()>>>(job, sums);
  cuda::check(cudaGetLastError(), "launch of digests");
}

void launch_find_bad(FieldView const& view, std::uint64_t* place, cuda::Stream const& stream) {
  BoxPlace const slab = place_of(view, view.box);
  find_bad<<<blocks_for(slab.points), threads, 0, stream.get()>>>(slab, place);
  cuda::check(cudaGetLastError(), "launch of a search");
}

void launch_range(FieldView const& view, ValueRange* range, cuda::Stream const& stream) {
  BoxPlace const slab = place_of(view, view.box);
  add_range<<<blocks_for(slab.points), threads, 0, stream.get()>>>(slab, range);
  cuda::check(cudaGetLastError(), "launch of a range");
}

void launch_sum(FieldView const& view, int scale, FixedSum* sum, cuda::Stream const& stream) {
  BoxPlace const slab = place_of(view, view.box);
  add_sum<<<blocks_for(slab.points), threads, 0, stream.get()>>>(slab, ScaleFactors(scale), sum);
  cuda::check(cudaGetLastError(), "launch of a sum");
}

void launch_pack(FieldView const& view, Box const& box, double* to, cuda::Stream const& stream) {
  launch<Way::out>(view, box, to, stream);
}

void launch_unpack(double const* from, FieldView const& view, Box const& box,
                   cuda::Stream const& stream) {
  launch<Way::in>(view, box, const_cast<double*>(from), stream);
}

}  // namespace makespan::grid
