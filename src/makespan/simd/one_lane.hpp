// SPDX-License-Identifier: Apache-2.0
// The operations that a kernel body may use, on one lane: a CUDA thread, or the host, where it is
// the oracle that every vector version is compared with bit for bit, and the fall-back on
// processors that have no fused multiply-add vectors. The same list as in `ops-inl.hpp`; the names
// are Highway's.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

#include "makespan/simd/detail/lanes.hpp"

#if defined(__CUDACC__) || defined(__HIP__)
#define MAKESPAN_BODY __host__ __device__ __forceinline__
#else
#define MAKESPAN_BODY inline
#endif
#define MAKESPAN_TARGET one_lane
#define MAKESPAN_BEGIN_TARGET
#define MAKESPAN_END_TARGET

namespace makespan::simd::one_lane {

template <class T>
struct Tag {
  using Lane = T;
};
using F32 = Tag<float>;
using I32 = Tag<std::int32_t>;
using U32 = Tag<std::uint32_t>;
using F64 = Tag<double>;
using U64 = Tag<std::uint64_t>;
using F32Half = F32;
using I32Half = I32;
template <class D>
using Vec = typename D::Lane;

inline constexpr int lanes_f32 = 1;
inline constexpr int lanes_f64 = 1;
inline constexpr int halves = 1;
// Vector registers of the machine, for bodies that choose how much to keep in flight.
inline constexpr int registers = 16;

template <class D, class T>
MAKESPAN_BODY Vec<D> Set(D, T value) {
  return static_cast<Vec<D>>(value);
}
template <class D>
MAKESPAN_BODY Vec<D> Zero(D) {
  return Vec<D>{};
}
template <class D, class T>
MAKESPAN_BODY Vec<D> Iota(D, T first) {
  return static_cast<Vec<D>>(first);
}
template <class D>
MAKESPAN_BODY Vec<D> Load(D, Vec<D> const* from) {
  return *from;
}
template <class D>
MAKESPAN_BODY Vec<D> LoadU(D, Vec<D> const* from) {
  return *from;
}
template <class D>
MAKESPAN_BODY void Store(Vec<D> value, D, Vec<D>* to) {
  *to = value;
}
template <class D>
MAKESPAN_BODY void StoreU(Vec<D> value, D, Vec<D>* to) {
  *to = value;
}
template <class D>
MAKESPAN_BODY void Stream(Vec<D> value, D, Vec<D>* to) {
  *to = value;
}
MAKESPAN_BODY void FlushStream() {
}
MAKESPAN_BODY void PrefetchFar(double const*) {
}
MAKESPAN_BODY void PrefetchNear(double const*) {
}
MAKESPAN_BODY double OneBefore(double before, double) {
  return before;
}
MAKESPAN_BODY double OneAfter(double, double after) {
  return after;
}
template <class D, class T>
MAKESPAN_BODY Vec<D> BitCast(D, T value) {
  static_assert(sizeof(Vec<D>) == sizeof(T));
  Vec<D> result;
  std::memcpy(&result, &value, sizeof result);
  return result;
}
template <class D, class T>
MAKESPAN_BODY Vec<D> ConvertTo(D, T value) {
  return static_cast<Vec<D>>(value);  // to nearest, the only mode that the engine runs in
}
template <class D, class T>
MAKESPAN_BODY Vec<D> PromoteTo(D, T value) {
  return static_cast<Vec<D>>(value);
}

template <class T>
MAKESPAN_BODY T Add(T a, T b) {
  return a + b;
}
template <class T>
MAKESPAN_BODY T Sub(T a, T b) {
  return a - b;
}
template <class T>
MAKESPAN_BODY T Mul(T a, T b) {
  return static_cast<T>(a * b);
}
template <class T>
MAKESPAN_BODY T Div(T a, T b) {
  return a / b;
}
MAKESPAN_BODY float MulAdd(float a, float b, float c) {
  return std::fmaf(a, b, c);
}
MAKESPAN_BODY double MulAdd(double a, double b, double c) {
  return std::fma(a, b, c);
}
template <class T>
MAKESPAN_BODY T NegMulAdd(T a, T b, T c) {
  return MulAdd(-a, b, c);
}
MAKESPAN_BODY float Sqrt(float a) {
  return std::sqrt(a);
}
MAKESPAN_BODY double Sqrt(double a) {
  return std::sqrt(a);
}
template <class T>
MAKESPAN_BODY T Max(T a, T b) {
  return a > b ? a : b;
}
template <class T>
MAKESPAN_BODY T Min(T a, T b) {
  return a < b ? a : b;
}
template <class T>
MAKESPAN_BODY bool Gt(T a, T b) {
  return a > b;
}
template <class T>
MAKESPAN_BODY T IfThenElse(bool condition, T yes, T no) {
  return condition ? yes : no;
}
MAKESPAN_BODY bool AnyTrue(F64, bool condition) {
  return condition;
}
template <class T>
MAKESPAN_BODY T IfThenElseZero(bool condition, T yes) {
  return condition ? yes : T{};
}

template <class T>
MAKESPAN_BODY T And(T a, T b) {
  return a & b;
}
template <class T>
MAKESPAN_BODY T Or(T a, T b) {
  return a | b;
}
template <class T>
MAKESPAN_BODY T Xor(T a, T b) {
  return a ^ b;
}
template <class T>
MAKESPAN_BODY T Xor3(T a, T b, T c) {
  return a ^ b ^ c;
}
template <class T>
MAKESPAN_BODY T XorAnd(T x, T mask, T value) {
  return x ^ (mask & value);
}
template <int bits, class T>
MAKESPAN_BODY T ShiftLeft(T a) {
  return static_cast<T>(a << bits);
}
template <int bits, class T>
MAKESPAN_BODY T ShiftRight(T a) {
  return static_cast<T>(a >> bits);
}

MAKESPAN_BODY std::uint64_t MulLow32(std::uint64_t a, std::uint32_t m) {
  return (a & 0xffffffffU) * m;
}
MAKESPAN_BODY std::uint64_t HighHalf(std::uint64_t a) {
  return a >> 32;
}
MAKESPAN_BODY std::uint32_t MergeLow(std::uint64_t const (&part)[halves]) {
  return static_cast<std::uint32_t>(part[0]);
}
MAKESPAN_BODY std::uint32_t MergeHigh(std::uint64_t const (&part)[halves]) {
  return static_cast<std::uint32_t>(part[0] >> 32);
}

MAKESPAN_BODY double SumOfEight(double const (&parts)[8 / lanes_f64]) {
  return ((parts[0] + parts[4]) + (parts[2] + parts[6])) +
         ((parts[1] + parts[5]) + (parts[3] + parts[7]));
}

MAKESPAN_BODY std::int32_t BitsOver075(float x) {
  return (BitCast(I32(), x) & 0x7fffffff) - 0x3ec00000;
}
MAKESPAN_BODY float Mantissa(float x) {
  return BitCast(F32(), (BitsOver075(x) & 0x007fffff) + 0x3f400000);
}
MAKESPAN_BODY float ExponentOfTwice(float x) {
  return static_cast<float>(BitsOver075(x) >> 23);
}

MAKESPAN_BODY float Lookup32(float const* table, std::int32_t index) {
  return table[index];
}

MAKESPAN_BODY double Gather(F64, double const* table, std::uint64_t index) {
  return table[index];
}

struct Quad {
  double part[4];
};
MAKESPAN_BODY Quad GatherQuads(F64, double const* table, std::uint64_t index) {
  double const* const at = table + 4 * index;
  return {{at[0], at[1], at[2], at[3]}};
}

MAKESPAN_BODY std::uint32_t ReverseBits(std::uint32_t x) {
  x = ((x & 0x55555555U) << 1) | ((x >> 1) & 0x55555555U);
  x = ((x & 0x33333333U) << 2) | ((x >> 2) & 0x33333333U);
  x = ((x & 0x0f0f0f0fU) << 4) | ((x >> 4) & 0x0f0f0f0fU);
  x = ((x & 0x00ff00ffU) << 8) | ((x >> 8) & 0x00ff00ffU);
  return (x << 16) | (x >> 16);
}

MAKESPAN_BODY std::uint64_t PathNumbers(std::uint64_t first, int) {
  return first;
}

}  // namespace makespan::simd::one_lane
