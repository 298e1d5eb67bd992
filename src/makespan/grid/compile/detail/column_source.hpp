// SPDX-License-Identifier: Apache-2.0
#pragma once

// The beginning of the source of all updates for GPUs: operations with the bits of their scalar
// forms, and what a point sees beyond the ends.

#include <string_view>

namespace makespan::grid {

inline constexpr std::string_view column_source = R"source(
#if defined(__CUDACC__) || defined(__HIP__)
#define ON_GPU 1
#define DEVICE static __device__ __forceinline__
#define UNROLL _Pragma("unroll")
#else
#define ON_GPU 0
#define DEVICE static inline
#define UNROLL
#endif
#include <cmath>
#include <cstring>
#if defined(__clang__)
#pragma clang fp contract(off)
#endif

typedef double D;
typedef long long I;

// Two neighbours along x, of which the first has an even place in its row: loaded and stored as one.
struct alignas(16) P {
  D low, high;
};

struct Field {
  const D* now;
  D* next;
  I row_pitch, plane_pitch;
  D values[6];
};
struct Call {
  const D* parameters;
  const Field* fields;
  I begin[3], end[3], first[3], last[3];
  int low[3], high[3];
  D origin[3];
  D step;
  I planes_each;
  int gpu;
};

DEVICE I bits_of(D a) {
  I bits;
  memcpy(&bits, &a, sizeof bits);
  return bits;
}
DEVICE D of_bits(I bits) {
  D a;
  memcpy(&a, &bits, sizeof a);
  return a;
}
DEVICE D negate(D a) { return -0.0 - a; }
DEVICE D absolute(D a) { return of_bits(bits_of(a) & 0x7fffffffffffffffLL); }
DEVICE D square_root(D a) { return sqrt(a); }
DEVICE D floor_of(D a) { return floor(a); }
DEVICE D exponent(D a) { return (D)(((bits_of(a) >> 52) & 0x7ff) - 1023); }
DEVICE D fraction(D a) {
  return of_bits((bits_of(a) & ~0x7ff0000000000000LL) | 0x3ff0000000000000LL);
}
// As vector_source.hpp; but what is no number has other bits on a GPU than on a processor.
DEVICE D scale(D a, D power) {
  D const there = power == power ? power + (4503599627370496.0 + 1023) : 0.0;
  return a * of_bits((I)((unsigned long long)bits_of(there) << 52));
}
DEVICE D minimum(D a, D b) { return a < b ? a : b; }
DEVICE D maximum(D a, D b) { return a > b ? a : b; }
DEVICE D fused(D a, D b, D c) { return fma(a, b, c); }
DEVICE bool less(D a, D b) { return a < b; }
DEVICE bool less_equal(D a, D b) { return a <= b; }
DEVICE bool equal(D a, D b) { return a == b; }
DEVICE bool both(bool a, bool b) { return a && b; }
DEVICE bool either(bool a, bool b) { return a || b; }
DEVICE bool inverse(bool a) { return !a; }
DEVICE D select(bool a, D b, D c) { return a ? b : c; }

struct Seen {
  I index;
  int face;  // whose value is seen; -1: none
};
// Rules of ends: 0 what is stored there, 1 mirrored, 2 a value.
DEVICE Seen seen(const Call& call, int axis, I at) {
  for (;;) {
    if (at < call.first[axis] && call.low[axis] != 0) {
      if (call.low[axis] == 2) return {0, 2 * axis};
      at = 2 * call.first[axis] - 1 - at;
    } else if (at >= call.last[axis] && call.high[axis] != 0) {
      if (call.high[axis] == 2) return {0, 2 * axis + 1};
      at = 2 * call.last[axis] - 1 - at;
    } else {
      return {at, -1};
    }
  }
}
// Of the faces of a corner the one along x comes first, then z, then y.
DEVICE D at_ends(const Call& call, const Field& field, I x, I y, I z) {
  const Seen along_x = seen(call, 0, x), along_z = seen(call, 2, z), along_y = seen(call, 1, y);
  if (along_x.face >= 0) return field.values[along_x.face];
  if (along_z.face >= 0) return field.values[along_z.face];
  if (along_y.face >= 0) return field.values[along_y.face];
  return field.now[along_z.index * field.plane_pitch + along_y.index * field.row_pitch +
                   along_x.index];
}
// Whether nothing that is read along the axis lies beyond an end with a rule.
template <int radius>
DEVICE bool is_inside(const Call& call, int axis, I at) {
  return (call.low[axis] == 0 || at - radius >= call.first[axis]) &&
         (call.high[axis] == 0 || at + radius < call.last[axis]);
}
DEVICE P pair_at(const D* at) { return *(const P*)at; }
template <bool ends>
DEVICE D load(const Call& call, const Field& field, I x, I y, I z) {
  if (ends) return at_ends(call, field, x, y, z);
  return field.now[z * field.plane_pitch + y * field.row_pitch + x];
}
)source";

// Points x and x + 1, as far as they are in the call's box; by pairs where no end's rule is met.
inline constexpr std::string_view two_columns_source = R"source(
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

// How a kernel is launched, or the loop that stands in for it where there is no GPU.
inline constexpr std::string_view launch_source = R"source(
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

}  // namespace makespan::grid
