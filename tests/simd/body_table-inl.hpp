// SPDX-License-Identifier: Apache-2.0
// Makes the table of bodies of the instruction set that is being compiled.

#if defined(MAKESPAN_TESTS_SIMD_BODY_TABLE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_TESTS_SIMD_BODY_TABLE_INL_HPP
#undef MAKESPAN_TESTS_SIMD_BODY_TABLE_INL_HPP
#else
#define MAKESPAN_TESTS_SIMD_BODY_TABLE_INL_HPP
#endif

#include <algorithm>

#include "makespan/simd/math-inl.hpp"
#include "makespan/simd/normal-inl.hpp"
#include "makespan/simd/philox-inl.hpp"
#include "simd/bodies.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::simd::MAKESPAN_TARGET {

// Loads and stores through memory of the alignment that vectors want.
template <class D, class T>
MAKESPAN_BODY Vec<D> LoadAny(D d, T const* from, int lanes) {
  alignas(64) T aligned[lanes_max];
  std::copy_n(from, lanes, aligned);
  return Load(d, aligned);
}
template <class V, class D, class T>
MAKESPAN_BODY void StoreAny(V value, D d, T* to, int lanes) {
  alignas(64) T aligned[lanes_max];
  Store(value, d, aligned);
  std::copy_n(aligned, lanes, to);
}

#define MAKESPAN_MAP_F64(name, function)                                            \
  inline void name(std::span<double const> from, double* to) {                      \
    F64 const d;                                                                    \
    for (std::size_t i = 0; i < from.size(); i += lanes_f64) {                      \
      StoreAny(function(d, LoadAny(d, &from[i], lanes_f64)), d, to + i, lanes_f64); \
    }                                                                               \
  }
MAKESPAN_MAP_F64(ExpF64All, Exp)
MAKESPAN_MAP_F64(LogAll, Log)
MAKESPAN_MAP_F64(SinPiAll, SinPi)
MAKESPAN_MAP_F64(CosPiAll, CosPi)
MAKESPAN_MAP_F64(NormalCdfAll, NormalCdf)
MAKESPAN_MAP_F64(InverseNormalAll, InverseNormal)
#undef MAKESPAN_MAP_F64

inline void ExpF32All(std::span<float const> from, float* to) {
  F32 const d;
  for (std::size_t i = 0; i < from.size(); i += lanes_f32) {
    StoreAny(Exp(d, LoadAny(d, &from[i], lanes_f32)), d, to + i, lanes_f32);
  }
}
inline void MantissaAll(std::span<float const> from, float* to) {
  F32 const d;
  for (std::size_t i = 0; i < from.size(); i += lanes_f32) {
    StoreAny(Mantissa(LoadAny(d, &from[i], lanes_f32)), d, to + i, lanes_f32);
  }
}
inline void ExponentOfTwiceAll(std::span<float const> from, float* to) {
  F32 const d;
  for (std::size_t i = 0; i < from.size(); i += lanes_f32) {
    StoreAny(ExponentOfTwice(LoadAny(d, &from[i], lanes_f32)), d, to + i, lanes_f32);
  }
}
inline void InverseNormal32All(std::span<std::uint32_t const> from, float* to) {
  U32 const d;
  for (std::size_t i = 0; i < from.size(); i += lanes_f32) {
    StoreAny(InverseNormal32(LoadAny(d, &from[i], lanes_f32)), F32(), to + i, lanes_f32);
  }
}
inline void ReverseBitsAll(std::span<std::uint32_t const> from, std::uint32_t* to) {
  U32 const d;
  for (std::size_t i = 0; i < from.size(); i += lanes_f32) {
    StoreAny(ReverseBits(LoadAny(d, &from[i], lanes_f32)), d, to + i, lanes_f32);
  }
}
inline void SumsOfEightAll(std::span<double const> from, double* to) {
  for (std::size_t i = 0; i < from.size(); i += 8) {
    Vec<F64> parts[8 / lanes_f64];
    for (int part = 0; part < 8 / lanes_f64; ++part) {
      parts[part] = LoadAny(F64(), &from[i + part * lanes_f64], lanes_f64);
    }
    to[i / 8] = SumOfEight(parts);
  }
}
inline void GatherQuadsAll(double const* table, std::span<std::uint64_t const> index, double* to) {
  for (std::size_t i = 0; i < index.size(); i += lanes_f64) {
    Quad const quad = GatherQuads(F64(), table, LoadU(U64(), &index[i]));
    for (std::size_t k = 0; k < 4; ++k) {
      StoreAny(quad.part[k], F64(), to + k * index.size() + i, lanes_f64);
    }
  }
}

inline void Lookup32All(float const* table, std::span<std::int32_t const> index, float* to) {
  I32 const d;
  for (std::size_t i = 0; i < index.size(); i += lanes_f32) {
    StoreAny(Lookup32(table, LoadAny(d, &index[i], lanes_f32)), F32(), to + i, lanes_f32);
  }
}

inline void BoxMullerF32All(Pair32 const& words, float* sine, float* cosine) {
  U32 const d;
  for (std::size_t i = 0; i < words.first.size(); i += lanes_f32) {
    Vec<U32> const radius[1] = {LoadAny(d, &words.first[i], lanes_f32)};
    Vec<U32> const angle[1] = {LoadAny(d, &words.second[i], lanes_f32)};
    Vec<F32> s[1];
    Vec<F32> c[1];
    BoxMuller(radius, angle, s, c);
    StoreAny(s[0], F32(), sine + i, lanes_f32);
    StoreAny(c[0], F32(), cosine + i, lanes_f32);
  }
}
inline void BoxMullerF64All(Pair64 const& words, double* sine, double* cosine) {
  U64 const d;
  for (std::size_t i = 0; i < words.first.size(); i += lanes_f64) {
    Vec<F64> s;
    Vec<F64> c;
    BoxMuller(LoadAny(d, &words.first[i], lanes_f64), LoadAny(d, &words.second[i], lanes_f64), s,
              c);
    StoreAny(s, F64(), sine + i, lanes_f64);
    StoreAny(c, F64(), cosine + i, lanes_f64);
  }
}

// Two vectors at a time, as path kernels do it.
template <int rounds>
void PhiloxAll(PhiloxRequest const& request, std::uint32_t* to) {
  constexpr int vectors = 2;
  U32 const d;
  auto const keys = philox_round_keys(request.stream.key);
  auto const step = philox_step(request.stream, request.step);
  for (std::size_t done = 0; done < request.count; done += vectors * lanes_f32) {
    Vec<U64> path[halves * vectors];
    for (int v = 0; v < vectors; ++v) {
      for (int h = 0; h < halves; ++h) {
        path[halves * v + h] = PathNumbers(request.path_first + done + v * lanes_f32, h);
      }
    }
    auto const paths = StartPhilox(path, request.stream, keys);
    Vec<U32> word[4][vectors];
    PhiloxWords<rounds, vectors>(paths, step, keys, word);
    for (int w = 0; w < 4; ++w) {
      for (int v = 0; v < vectors; ++v) {
        StoreAny(word[w][v], d, to + w * request.count + done + v * lanes_f32, lanes_f32);
      }
    }
  }
}
template <int rounds>
void Philox64All(PhiloxRequest const& request, std::uint32_t* to) {
  U64 const d;
  auto const keys = philox_round_keys(request.stream.key);
  auto const step = philox_step(request.stream, request.step);
  for (std::size_t done = 0; done < request.count; done += lanes_f64) {
    Vec<U64> const path[1] = {Add(Set(d, request.path_first + done), Iota(d, 0))};
    auto const paths = StartPhilox(path, request.stream, keys);
    Vec<U64> word[2][1];
    PhiloxWords64<rounds>(paths, step, keys, word);
    for (int pair = 0; pair < 2; ++pair) {
      std::uint64_t words[lanes_f64];
      StoreAny(word[pair][0], d, words, lanes_f64);
      for (int lane = 0; lane < lanes_f64; ++lane) {
        to[2 * pair * request.count + done + lane] = static_cast<std::uint32_t>(words[lane] >> 32);
        to[(2 * pair + 1) * request.count + done + lane] = static_cast<std::uint32_t>(words[lane]);
      }
    }
  }
}
inline void PhiloxWordsAll(PhiloxRequest const& request, std::uint32_t* to) {
  request.rounds == 7 ? PhiloxAll<7>(request, to) : PhiloxAll<10>(request, to);
}
inline void PhiloxWords64All(PhiloxRequest const& request, std::uint32_t* to) {
  request.rounds == 7 ? Philox64All<7>(request, to) : Philox64All<10>(request, to);
}

// What each lane of `results` is, operation by operation: once for all that runs bodies.
template <class D, class V>
MAKESPAN_BODY void OperationsOf(D d, V a, V b, V (&results)[float_operation_count]) {
  auto const c = Set(d, 0.1F);
  auto const magnitude = Max(a, Sub(Zero(d), a));
  results[0] = Add(a, b);
  results[1] = Sub(a, b);
  results[2] = Mul(a, b);
  results[3] = Div(a, b);
  results[4] = MulAdd(a, b, c);
  results[5] = NegMulAdd(a, b, c);
  results[6] = Add(Mul(a, b), c);  // two roundings, whatever a compiler would like
  results[7] = Sub(c, Mul(a, b));
  results[8] = Sqrt(magnitude);
  results[9] = Max(a, b);
  results[10] = Min(a, b);
  results[11] = IfThenElse(Gt(a, b), a, c);
  results[12] = IfThenElseZero(Gt(a, b), c);
  results[13] = Iota(d, 3);
}

template <class V>
MAKESPAN_BODY void OperationsOf(U32 d, V a, V b, V (&results)[word_operation_count]) {
  auto const c = Set(d, 0x0ff01234U);
  results[0] = Add(a, b);
  results[1] = Mul(a, b);
  results[2] = And(a, b);
  results[3] = Or(a, b);
  results[4] = Xor3(a, b, c);
  results[5] = XorAnd(a, b, c);
  results[6] = ShiftLeft<7>(a);
  results[7] = BitCast(d, ShiftRight<5>(BitCast(I32(), a)));
  results[8] = BitCast(d, ConvertTo(F32(), BitCast(I32(), a)));
}

// The last ones are compared in the halves that they define: a multiple of 2^32, or less than it.
template <class V>
MAKESPAN_BODY void OperationsOf(U64 d, V a, V b, V (&results)[word_operation_64_count]) {
  auto const low = Set(d, std::uint64_t{0xffffffffU});
  results[0] = Add(a, b);
  results[1] = Sub(a, b);
  results[2] = Or(a, b);
  results[3] = Xor(a, b);
  results[4] = ShiftLeft<52>(a);
  results[5] = ShiftRight<12>(a);
  results[6] = MulLow32(a, 0xD2511F53U);
  results[7] = And(HighHalf(a), low);
}

template <class D, std::size_t operations, class T>
void Operations(std::span<T const> a, std::span<T const> b, T* to, int lanes) {
  D const d;
  for (std::size_t i = 0; i < a.size(); i += static_cast<std::size_t>(lanes)) {
    Vec<D> results[operations];
    OperationsOf(d, LoadAny(d, &a[i], lanes), LoadAny(d, &b[i], lanes), results);
    for (std::size_t k = 0; k < operations; ++k) {
      StoreAny(results[k], d, to + k * a.size() + i, lanes);
    }
  }
}
inline void FloatOperationsAll(std::span<float const> a, std::span<float const> b, float* to) {
  Operations<F32, float_operation_count>(a, b, to, lanes_f32);
}
inline void DoubleOperationsAll(std::span<double const> a, std::span<double const> b, double* to) {
  Operations<F64, float_operation_count>(a, b, to, lanes_f64);
}
inline void WordOperationsAll(Pair32 const& words, std::uint32_t* to) {
  Operations<U32, word_operation_count>(words.first, words.second, to, lanes_f32);
}
inline void WordOperations64All(Pair64 const& words, std::uint64_t* to) {
  Operations<U64, word_operation_64_count>(words.first, words.second, to, lanes_f64);
}

inline Bodies MakeKernels(std::string_view isa) {
  return {isa,
          &ExpF32All,
          &ExpF64All,
          &LogAll,
          &SinPiAll,
          &CosPiAll,
          &NormalCdfAll,
          &InverseNormalAll,
          &InverseNormal32All,
          &BoxMullerF32All,
          &BoxMullerF64All,
          &MantissaAll,
          &ExponentOfTwiceAll,
          &ReverseBitsAll,
          &SumsOfEightAll,
          &Lookup32All,
          &GatherQuadsAll,
          &PhiloxWordsAll,
          &PhiloxWords64All,
          &FloatOperationsAll,
          &DoubleOperationsAll,
          &WordOperationsAll,
          &WordOperations64All};
}

}  // namespace makespan::simd::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_TESTS_SIMD_BODY_TABLE_INL_HPP
