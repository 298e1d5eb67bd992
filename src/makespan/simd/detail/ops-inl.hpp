// SPDX-License-Identifier: Apache-2.0
// The operations that a kernel body may use, on Highway vectors. `one_lane.hpp` has the same list
// on one lane; what is not in both is not in the language. Every floating-point operation here is
// one that IEEE 754 rounds correctly, so that a body gives the same bits on every instruction set.
#include <cstddef>
#include <cstdint>

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "makespan/simd/detail/lanes.hpp"

#if defined(MAKESPAN_SIMD_OPS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_SIMD_OPS_INL_HPP
#undef MAKESPAN_SIMD_OPS_INL_HPP
#else
#define MAKESPAN_SIMD_OPS_INL_HPP
#endif

#undef MAKESPAN_TARGET
#undef MAKESPAN_BODY
#undef MAKESPAN_BEGIN_TARGET
#undef MAKESPAN_END_TARGET
#define MAKESPAN_TARGET HWY_NAMESPACE
#define MAKESPAN_BODY HWY_API
#define MAKESPAN_BEGIN_TARGET HWY_BEFORE_NAMESPACE();
#define MAKESPAN_END_TARGET HWY_AFTER_NAMESPACE();

MAKESPAN_BEGIN_TARGET
namespace makespan::simd::MAKESPAN_TARGET {
namespace hn = hwy::HWY_NAMESPACE;

using F32 = hn::ScalableTag<float>;
using I32 = hn::ScalableTag<std::int32_t>;
using U32 = hn::ScalableTag<std::uint32_t>;
using F64 = hn::ScalableTag<double>;
using U64 = hn::ScalableTag<std::uint64_t>;
using F32Half = hn::Half<F32>;  // as many lanes as F64 has
using I32Half = hn::Half<I32>;
template <class D>
using Vec = hn::Vec<D>;

inline constexpr int lanes_f32 = HWY_MAX_BYTES / 4;
inline constexpr int lanes_f64 = HWY_MAX_BYTES / 8;
// How many vectors of 64-bit lanes it takes to fill one of 32-bit lanes.
inline constexpr int halves = 2;
// Vector registers of the machine, for bodies that choose how much to keep in flight.
inline constexpr int registers = HWY_TARGET <= HWY_AVX3 || HWY_TARGET == HWY_NEON ? 32 : 16;

using hn::Add;
using hn::And;
using hn::BitCast;
using hn::ConvertTo;
using hn::Div;
using hn::Gt;
using hn::IfThenElse;
using hn::IfThenElseZero;
using hn::Iota;
using hn::Load;
using hn::LoadU;
using hn::Max;
using hn::Min;
using hn::Mul;
using hn::MulAdd;
using hn::NegMulAdd;
using hn::Or;
using hn::PromoteTo;
using hn::Set;
using hn::ShiftLeft;
using hn::ShiftRight;
using hn::Sqrt;
using hn::Store;
using hn::StoreU;
using hn::Sub;
using hn::Xor;
using hn::Xor3;
using hn::Zero;

// Whether the condition holds in any lane.
template <class Mask>
MAKESPAN_BODY bool AnyTrue(F64 d, Mask mask) {
  return !hn::AllFalse(d, mask);
}

// Past the caches, to memory that is not read soon. After the last one of a thread FlushStream(),
// before others read what it wrote.
using hn::Stream;
MAKESPAN_BODY void FlushStream() {
  hwy::FlushStream();
}
// Brings the cache line at `from` into the second-level cache. Any address will do.
MAKESPAN_BODY void PrefetchFar(double const* from) {
  __builtin_prefetch(from, 0, 2);
}
// As PrefetchFar, into the first-level cache.
MAKESPAN_BODY void PrefetchNear(double const* from) {
  __builtin_prefetch(from, 0, 3);
}

// Of vectors side by side in memory: that which begins one lane before `here`, and one lane after.
#if HWY_TARGET <= HWY_AVX3
MAKESPAN_BODY Vec<F64> OneBefore(Vec<F64> before, Vec<F64> here) {
  return BitCast(F64(), Vec<U64>{_mm512_alignr_epi64(BitCast(U64(), here).raw,
                                                     BitCast(U64(), before).raw, 7)});
}
MAKESPAN_BODY Vec<F64> OneAfter(Vec<F64> here, Vec<F64> after) {
  return BitCast(
      F64(), Vec<U64>{_mm512_alignr_epi64(BitCast(U64(), after).raw, BitCast(U64(), here).raw, 1)});
}
#elif HWY_MAX_BYTES == 32
MAKESPAN_BODY Vec<F64> OneBefore(Vec<F64> before, Vec<F64> here) {
  F64 const d;
  return hn::CombineShiftRightLanes<1>(d, here, hn::ConcatLowerUpper(d, here, before));
}
MAKESPAN_BODY Vec<F64> OneAfter(Vec<F64> here, Vec<F64> after) {
  F64 const d;
  return hn::CombineShiftRightLanes<1>(d, hn::ConcatLowerUpper(d, after, here), here);
}
#else
MAKESPAN_BODY Vec<F64> OneBefore(Vec<F64> before, Vec<F64> here) {
  return hn::CombineShiftRightLanes<1>(F64(), here, before);
}
MAKESPAN_BODY Vec<F64> OneAfter(Vec<F64> here, Vec<F64> after) {
  return hn::CombineShiftRightLanes<1>(F64(), after, here);
}
#endif

// x ^ (mask & value), one operation where the machine has it.
template <class V>
MAKESPAN_BODY V XorAnd(V x, V mask, V value) {
  return Xor(x, And(mask, value));
}

// Each 64-bit lane: the product of the low halves of `a` and the constant `m`.
MAKESPAN_BODY Vec<U64> MulLow32(Vec<U64> a, std::uint32_t m) {
  U32 const d;
  return hn::MulEven(BitCast(d, a), Set(d, m));
}

// Each 64-bit lane: its high half moved into its low half; what is above is unspecified.
MAKESPAN_BODY Vec<U64> HighHalf(Vec<U64> a) {
  return BitCast(U64(), hn::DupOdd(BitCast(U32(), a)));
}

#if HWY_TARGET <= HWY_AVX3
// 32-bit lanes 2i and 2i+1 from the low halves of lanes i of `even` and `odd`.
MAKESPAN_BODY Vec<U32> MergeLow(Vec<U64> even, Vec<U64> odd) {
  return Vec<U32>{_mm512_mask_shuffle_epi32(even.raw, 0xAAAA, odd.raw, _MM_PERM_CCAA)};
}
// The same from the high halves.
MAKESPAN_BODY Vec<U32> MergeHigh(Vec<U64> even, Vec<U64> odd) {
  return Vec<U32>{_mm512_mask_shuffle_epi32(odd.raw, 0x5555, even.raw, _MM_PERM_DDBB)};
}
#else
MAKESPAN_BODY Vec<U32> MergeLow(Vec<U64> even, Vec<U64> odd) {
  U32 const d;
  return hn::OddEven(hn::DupEven(BitCast(d, odd)), BitCast(d, even));
}
MAKESPAN_BODY Vec<U32> MergeHigh(Vec<U64> even, Vec<U64> odd) {
  U32 const d;
  return hn::OddEven(BitCast(d, odd), hn::DupOdd(BitCast(d, even)));
}
#endif
MAKESPAN_BODY Vec<U32> MergeLow(Vec<U64> const (&part)[halves]) {
  return MergeLow(part[0], part[1]);
}
MAKESPAN_BODY Vec<U32> MergeHigh(Vec<U64> const (&part)[halves]) {
  return MergeHigh(part[0], part[1]);
}

// The sum of the eight doubles that `parts` hold side by side, in a fixed tree: lane i with lane
// i + 4, these with those two further, the last two.
MAKESPAN_BODY double SumOfEight(Vec<F64> const (&parts)[8 / lanes_f64]) {
#if HWY_MAX_BYTES == 64
  hn::Half<F64> const half;
  auto const four = Add(hn::LowerHalf(half, parts[0]), hn::UpperHalf(half, parts[0]));
#elif HWY_MAX_BYTES == 32
  F64 const half;
  auto const four = Add(parts[0], parts[1]);
#endif
#if HWY_MAX_BYTES >= 32
  hn::Half<decltype(half)> const quarter;
  auto const two = Add(hn::LowerHalf(quarter, four), hn::UpperHalf(quarter, four));
#else
  F64 const quarter;
  auto const two = Add(Add(parts[0], parts[2]), Add(parts[1], parts[3]));
#endif
  hn::Half<decltype(quarter)> const one;
  return hn::GetLane(Add(hn::LowerHalf(one, two), hn::UpperHalf(one, two)));
}

// |2 x| = mantissa · 2^exponent with mantissa in [0.75, 1.5), for normal x. (Twice, so that the
// exponent of a full-scale 31-bit integer is 32 and its logarithm cancels exactly; it costs
// nothing.)
#if HWY_TARGET <= HWY_AVX3
MAKESPAN_BODY Vec<F32> Mantissa(Vec<F32> x) {
  return Vec<F32>{_mm512_getmant_ps(x.raw, _MM_MANT_NORM_p75_1p5, _MM_MANT_SIGN_zero)};
}
MAKESPAN_BODY Vec<F32> ExponentOfTwice(Vec<F32> x) {
  // The float above 8/3 carries every mantissa from 1.5 upwards, and none below, over the next
  // power of two.
  return Vec<F32>{_mm512_getexp_ps(Mul(x, Set(F32(), 2.66666675F)).raw)};
}
#else
MAKESPAN_BODY Vec<I32> BitsOver075(Vec<F32> x) {
  I32 const d;
  return Sub(And(BitCast(d, x), Set(d, 0x7fffffff)), Set(d, 0x3ec00000));
}
MAKESPAN_BODY Vec<F32> Mantissa(Vec<F32> x) {
  I32 const d;
  auto const fraction = And(BitsOver075(x), Set(d, 0x007fffff));
  return BitCast(F32(), Add(fraction, Set(d, 0x3f400000)));
}
MAKESPAN_BODY Vec<F32> ExponentOfTwice(Vec<F32> x) {
  return ConvertTo(F32(), ShiftRight<23>(BitsOver075(x)));
}
#endif

// table[index] for an aligned table of 32 floats; index in [0, 32).
MAKESPAN_BODY Vec<F32> Lookup32(float const* HWY_RESTRICT table, Vec<I32> index) {
#if HWY_TARGET <= HWY_AVX3
  return Vec<F32>{
      _mm512_permutex2var_ps(_mm512_load_ps(table), index.raw, _mm512_load_ps(table + 16))};
#else
  return hn::GatherIndex(F32(), table, index);
#endif
}

// table[index] of each lane; any table.
MAKESPAN_BODY Vec<F64> Gather(F64 d, double const* HWY_RESTRICT table, Vec<U64> index) {
  return hn::GatherIndex(d, table, BitCast(hn::ScalableTag<std::int64_t>(), index));
}

// Four doubles that lie together, for each lane: out[k] = table[4 · index + k]. One load for each
// lane and a transpose: a gather would load each double by itself.
struct Quad {
  Vec<F64> part[4];
};
#if HWY_TARGET <= HWY_AVX3
MAKESPAN_BODY Quad GatherQuads(F64, double const* HWY_RESTRICT table, Vec<U64> index) {
  alignas(64) std::uint64_t at[8];
  Store(index, U64(), at);
  auto const row = [&](int lane) { return _mm256_loadu_pd(table + 4 * at[lane]); };
  auto const pair = [&](int lane) {  // rows of a lane and of that four further
    return _mm512_insertf64x4(_mm512_castpd256_pd512(row(lane)), row(lane + 4), 1);
  };
  auto const a = pair(0);
  auto const b = pair(1);
  auto const c = pair(2);
  auto const d = pair(3);
  auto const even_ab = _mm512_unpacklo_pd(a, b);
  auto const odd_ab = _mm512_unpackhi_pd(a, b);
  auto const even_cd = _mm512_unpacklo_pd(c, d);
  auto const odd_cd = _mm512_unpackhi_pd(c, d);
  auto const low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
  auto const high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
  return {{Vec<F64>{_mm512_permutex2var_pd(even_ab, low, even_cd)},
           Vec<F64>{_mm512_permutex2var_pd(odd_ab, low, odd_cd)},
           Vec<F64>{_mm512_permutex2var_pd(even_ab, high, even_cd)},
           Vec<F64>{_mm512_permutex2var_pd(odd_ab, high, odd_cd)}}};
}
#elif HWY_TARGET <= HWY_AVX2
MAKESPAN_BODY Quad GatherQuads(F64, double const* HWY_RESTRICT table, Vec<U64> index) {
  alignas(32) std::uint64_t at[4];
  Store(index, U64(), at);
  auto const row = [&](int lane) { return _mm256_loadu_pd(table + 4 * at[lane]); };
  auto const even_01 = _mm256_unpacklo_pd(row(0), row(1));
  auto const odd_01 = _mm256_unpackhi_pd(row(0), row(1));
  auto const even_23 = _mm256_unpacklo_pd(row(2), row(3));
  auto const odd_23 = _mm256_unpackhi_pd(row(2), row(3));
  return {{Vec<F64>{_mm256_permute2f128_pd(even_01, even_23, 0x20)},
           Vec<F64>{_mm256_permute2f128_pd(odd_01, odd_23, 0x20)},
           Vec<F64>{_mm256_permute2f128_pd(even_01, even_23, 0x31)},
           Vec<F64>{_mm256_permute2f128_pd(odd_01, odd_23, 0x31)}}};
}
#else
MAKESPAN_BODY Quad GatherQuads(F64 d, double const* HWY_RESTRICT table, Vec<U64> index) {
  auto const first = ShiftLeft<2>(index);
  return {{Gather(d, table, first), Gather(d, table + 1, first), Gather(d, table + 2, first),
           Gather(d, table + 3, first)}};
}
#endif

// Each lane's 32 bits in reverse order.
MAKESPAN_BODY Vec<U32> ReverseBits(Vec<U32> x) {
  hn::ScalableTag<std::uint8_t> const d8;
  alignas(16) static constexpr std::uint8_t low_nibble[16] = {0x00, 0x80, 0x40, 0xc0, 0x20, 0xa0,
                                                              0x60, 0xe0, 0x10, 0x90, 0x50, 0xd0,
                                                              0x30, 0xb0, 0x70, 0xf0};
  alignas(16) static constexpr std::uint8_t high_nibble[16] = {0x00, 0x08, 0x04, 0x0c, 0x02, 0x0a,
                                                               0x06, 0x0e, 0x01, 0x09, 0x05, 0x0d,
                                                               0x03, 0x0b, 0x07, 0x0f};
  alignas(16) static constexpr std::uint8_t swap[16] = {3,  2,  1, 0, 7,  6,  5,  4,
                                                        11, 10, 9, 8, 15, 14, 13, 12};
  auto const mask = Set(d8, std::uint8_t{0x0f});
  auto const bytes = hn::TableLookupBytes(BitCast(d8, x), hn::LoadDup128(d8, swap));
  auto const low = And(bytes, mask);
  auto const high = And(BitCast(d8, ShiftRight<4>(BitCast(U32(), bytes))), mask);
  return BitCast(U32(), Or(hn::TableLookupBytes(hn::LoadDup128(d8, low_nibble), low),
                           hn::TableLookupBytes(hn::LoadDup128(d8, high_nibble), high)));
}

// Lanes 0, 1, 2, … plus `first`, as 64-bit path numbers: those that belong to part `half` of a
// 32-bit vector.
MAKESPAN_BODY Vec<U64> PathNumbers(std::uint64_t first, int half) {
  U64 const d;
  return Add(Set(d, first + static_cast<std::uint64_t>(half)), ShiftLeft<1>(Iota(d, 0)));
}

}  // namespace makespan::simd::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_SIMD_OPS_INL_HPP
