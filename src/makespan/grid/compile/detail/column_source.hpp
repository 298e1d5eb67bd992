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
DEVICE D scale(D a, D power) { return a * of_bits(((I)power + 1023) << 52); }
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

}  // namespace makespan::grid
