// SPDX-License-Identifier: Apache-2.0
#pragma once

// The beginning of all kernels' source: vectors of eight doubles, and the rows' job as
// grid/program/row_kernel.hpp has it. Each operation has the bits of its scalar form.

#include <string_view>

namespace makespan::grid {

inline constexpr std::string_view vector_source = R"source(
typedef double D;
typedef long long I;

struct Rows {
  const D* const* in;
  D* const* out;
  const D* const* ahead;
  const D* parameters;
  const D* low_values;
  const D* high_values;
  I begin, end, extent, domain_begin, domain_end;
  int low, high;
  D x, y, z, step;
};

#define INLINE static inline __attribute__((always_inline))

#if defined(__AVX512F__)
#include <immintrin.h>
typedef __m512d V;
typedef __mmask8 M;
INLINE V splat(D a) { return _mm512_set1_pd(a); }
INLINE V load(const D* p) { return _mm512_load_pd(p); }
INLINE void store(D* p, V a) { _mm512_store_pd(p, a); }
INLINE void stream(D* p, V a) { _mm512_stream_pd(p, a); }
INLINE void fence() { _mm_sfence(); }
INLINE V fused(V a, V b, V c) { return _mm512_fmadd_pd(a, b, c); }
INLINE V minimum(V a, V b) { return _mm512_min_pd(a, b); }
INLINE V maximum(V a, V b) { return _mm512_max_pd(a, b); }
INLINE V square_root(V a) { return _mm512_sqrt_pd(a); }
INLINE V floor_of(V a) { return _mm512_roundscale_pd(a, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC); }
INLINE V and_bits(V a, I bits) {
  return _mm512_castsi512_pd(_mm512_and_epi64(_mm512_castpd_si512(a), _mm512_set1_epi64(bits)));
}
INLINE V or_bits(V a, I bits) {
  return _mm512_castsi512_pd(_mm512_or_epi64(_mm512_castpd_si512(a), _mm512_set1_epi64(bits)));
}
INLINE V right_52(V a) { return _mm512_castsi512_pd(_mm512_srli_epi64(_mm512_castpd_si512(a), 52)); }
INLINE V left_52(V a) { return _mm512_castsi512_pd(_mm512_slli_epi64(_mm512_castpd_si512(a), 52)); }
INLINE M less(V a, V b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
INLINE M less_equal(V a, V b) { return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ); }
INLINE M equal(V a, V b) { return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ); }
INLINE M both(M a, M b) { return a & b; }
INLINE M either(M a, M b) { return a | b; }
INLINE M inverse(M a) { return ~a; }
INLINE V select(M m, V a, V b) { return _mm512_mask_blend_pd(m, b, a); }
INLINE V reversed(V a) {
  return _mm512_permutexvar_pd(_mm512_setr_epi64(7, 6, 5, 4, 3, 2, 1, 0), a);
}
template <int k>
INLINE V joined(V low, V high) {  // lanes k to k + 7 of low and high together
  return _mm512_castsi512_pd(
      _mm512_alignr_epi64(_mm512_castpd_si512(high), _mm512_castpd_si512(low), k));
}
#else
#if defined(__AVX__)
#include <immintrin.h>
#endif
typedef D V __attribute__((vector_size(64)));
typedef I M __attribute__((vector_size(64)));
INLINE V splat(D a) { return V{a, a, a, a, a, a, a, a}; }
INLINE V load(const D* p) { return *(const V*)p; }
INLINE void store(D* p, V a) { *(V*)p = a; }
#define EACH(expression)                  \
  do {                                    \
    V r;                                  \
    for (int i = 0; i < 8; ++i) r[i] = expression; \
    return r;                             \
  } while (0)
#if defined(__AVX__)
#define HALF(a, k) _mm256_load_pd((const D*)&a + 4 * (k))
#define HALVES(call0, call1)                     \
  do {                                           \
    V r;                                         \
    _mm256_store_pd((D*)&r, call0);              \
    _mm256_store_pd((D*)&r + 4, call1);          \
    return r;                                    \
  } while (0)
INLINE void stream(D* p, V a) {
  _mm256_stream_pd(p, HALF(a, 0));
  _mm256_stream_pd(p + 4, HALF(a, 1));
}
INLINE void fence() { _mm_sfence(); }
INLINE V square_root(V a) { HALVES(_mm256_sqrt_pd(HALF(a, 0)), _mm256_sqrt_pd(HALF(a, 1))); }
INLINE V floor_of(V a) { HALVES(_mm256_floor_pd(HALF(a, 0)), _mm256_floor_pd(HALF(a, 1))); }
#else
INLINE void stream(D* p, V a) { store(p, a); }
INLINE void fence() {}
INLINE V square_root(V a) { EACH(__builtin_sqrt(a[i])); }
INLINE V floor_of(V a) { EACH(__builtin_floor(a[i])); }
#endif
#if defined(__FMA__)
INLINE V fused(V a, V b, V c) {
  HALVES(_mm256_fmadd_pd(HALF(a, 0), HALF(b, 0), HALF(c, 0)),
         _mm256_fmadd_pd(HALF(a, 1), HALF(b, 1), HALF(c, 1)));
}
#else
INLINE V fused(V a, V b, V c) { EACH(__builtin_fma(a[i], b[i], c[i])); }
#endif
INLINE M less(V a, V b) { return (M)(a < b); }
INLINE M less_equal(V a, V b) { return (M)(a <= b); }
INLINE M equal(V a, V b) { return (M)(a == b); }
INLINE M both(M a, M b) { return a & b; }
INLINE M either(M a, M b) { return a | b; }
INLINE M inverse(M a) { return ~a; }
INLINE V select(M m, V a, V b) { return (V)(((M)a & m) | ((M)b & ~m)); }
INLINE V minimum(V a, V b) { return select(less(a, b), a, b); }
INLINE V maximum(V a, V b) { return select(less(b, a), a, b); }
INLINE M bits_of(I a) { return M{a, a, a, a, a, a, a, a}; }
INLINE V and_bits(V a, I bits) { return (V)((M)a & bits_of(bits)); }
INLINE V or_bits(V a, I bits) { return (V)((M)a | bits_of(bits)); }
typedef unsigned long long U __attribute__((vector_size(64)));
INLINE V right_52(V a) { return (V)((U)a >> 52); }
INLINE V left_52(V a) { return (V)((U)a << 52); }
INLINE V reversed(V a) { return V{a[7], a[6], a[5], a[4], a[3], a[2], a[1], a[0]}; }
template <int k>
INLINE V joined(V low, V high) {
// Not in one line: GCC before 10 reads all of it, and does not know __has_builtin.
#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define HAS_SHUFFLEVECTOR
#endif
#endif
#ifdef HAS_SHUFFLEVECTOR
  return __builtin_shufflevector(low, high, k, k + 1, k + 2, k + 3, k + 4, k + 5, k + 6, k + 7);
#else
  V r;
  for (int i = 0; i < 8; ++i) r[i] = i + k < 8 ? low[i + k] : high[i + k - 8];
  return r;
#endif
}
#endif

INLINE V negate(V a) { return splat(-0.0) - a; }
INLINE V absolute(V a) { return and_bits(a, 0x7fffffffffffffffLL); }
INLINE V exponent(V a) {
  V const biased = or_bits(and_bits(right_52(a), 0x7ff), 0x4330000000000000LL);
  return biased - splat(4503599627370496.0 + 1023);
}
INLINE V fraction(V a) {
  return or_bits(and_bits(a, ~0x7ff0000000000000LL), 0x3ff0000000000000LL);
}
INLINE V scale(V a, V power) { return a * left_52(power + splat(4503599627370496.0 + 1023)); }
INLINE V ascending() { return V{0, 1, 2, 3, 4, 5, 6, 7}; }
template <int k>
INLINE V shifted(V before, V here, V after) {
  if constexpr (k < 0) {
    return joined<8 + k>(before, here);
  } else {
    return joined<k>(here, after);
  }
}

// Rules of ends: 0 what is stored there, 1 mirrored, 2 a value.
static D beyond(const D* row, I at, const Rows* job, D low, D high) {
  for (;;) {
    if (at < job->domain_begin && job->low != 0) {
      if (job->low == 2) return low;
      at = 2 * job->domain_begin - 1 - at;
    } else if (at >= job->domain_end && job->high != 0) {
      if (job->high == 2) return high;
      at = 2 * job->domain_end - 1 - at;
    } else {
      return row[at];
    }
  }
}
// Beyond the domain's ends, of rows of at least eight points, where a vector at x begins or ends
// with it.
INLINE V low_end(const D* row, I x, const Rows* job, D value) {
  return job->low == 1 ? reversed(load(row + x)) : splat(value);
}
INLINE V high_end(const D* row, I x, const Rows* job, D value) {
  return job->high == 1 ? reversed(load(row + x)) : splat(value);
}
struct Around { V before, here, after; };
template <int radius>
static Around gathered(const D* row, I x, const Rows* job, D low, D high) {
  alignas(64) D t[24] = {};
  for (I i = 8 - radius; i < 16 + radius; ++i) t[i] = beyond(row, x + i - 8, job, low, high);
  return {load(t), load(t + 8), load(t + 16)};
}
template <bool past_caches>
INLINE void put(D* p, V a) {
  if constexpr (past_caches) {
    stream(p, a);
  } else {
    store(p, a);
  }
}
// Of a vector at x, the points that are asked for.
static void put_some(D* row, I x, V a, I begin, I end) {
  alignas(64) D t[8];
  store(t, a);
  for (int i = 0; i < 8; ++i) {
    if (x + i >= begin && x + i < end) row[x + i] = t[i];
  }
}
)source";

}  // namespace makespan::grid
