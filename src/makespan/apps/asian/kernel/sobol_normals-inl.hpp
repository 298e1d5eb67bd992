// SPDX-License-Identifier: Apache-2.0
// Low-discrepancy normals of a group of paths: scrambled Sobol points, the inverse normal, a
// Brownian bridge.

#if defined(MAKESPAN_ASIAN_SOBOL_NORMALS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_SOBOL_NORMALS_INL_HPP
#undef MAKESPAN_ASIAN_SOBOL_NORMALS_INL_HPP
#else
#define MAKESPAN_ASIAN_SOBOL_NORMALS_INL_HPP
#endif

#include "makespan/apps/asian/kernel/path_group-inl.hpp"
#include "makespan/simd/normal-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

// Takes each dimension's base word from one index to another, given the bits in which they differ.
inline void MoveSobolBase(SobolPlan const& plan, int steps, std::uint64_t changed) {
  int const dimensions = steps < plan.dimensions ? steps : plan.dimensions;
  for (int bit = 0; changed >> bit != 0; ++bit) {
    if (((changed >> bit) & 1U) == 0) continue;
    std::uint32_t const* const direction = plan.direction[static_cast<std::size_t>(bit)];
    for (int k = 0; k < dimensions; ++k) plan.base[static_cast<std::size_t>(k)] ^= direction[k];
  }
}

// Owen scrambling by hash: a bit changes with the key and the bits above it only. On a bit-reversed
// word "above" is below, which is where carries come from. Source: B. Burley, JCGT 9(4) (2020)
// 1-20, after Laine and Karras; the multipliers are N. Vegdahl's, without the weaknesses of the
// original ones.
MAKESPAN_BODY hn::Vec<hn::U32> Scramble(hn::Vec<hn::U32> x, std::uint32_t key) {
  hn::U32 const d;
  x = hn::Xor(x, hn::Mul(x, hn::Set(d, 0x3d20adeaU)));
  x = hn::Add(x, hn::Set(d, key));
  x = hn::Mul(x, hn::Set(d, (key >> 16) | 1U));
  x = hn::Xor(x, hn::Mul(x, hn::Set(d, 0x05526c56U)));
  return hn::Xor(x, hn::Mul(x, hn::Set(d, 0x53a22864U)));
}

// Bits of the path's number within its group, as masks of lanes: all ones where the lane's bit is
// set.
template <int vectors>
struct LaneBits {
  static constexpr int bits = vectors * hn::lanes_f32 == 32   ? 5
                              : vectors * hn::lanes_f32 == 16 ? 4
                              : vectors * hn::lanes_f32 == 8  ? 3
                              : vectors * hn::lanes_f32 == 4  ? 2
                                                              : 1;
  alignas(64) std::uint32_t mask[bits][vectors * hn::lanes_f32];

  LaneBits() {
    static_assert(vectors * hn::lanes_f32 == 1 << bits);
    for (int bit = 0; bit < bits; ++bit) {
      for (int lane = 0; lane < vectors * hn::lanes_f32; ++lane)
        mask[bit][lane] = ((lane >> bit) & 1) != 0 ? ~0U : 0U;
    }
  }
};

// The scrambled words of dimension k for the group whose first point the base is at.
template <int vectors>
MAKESPAN_BODY void SobolWords(SobolPlan const& plan, LaneBits<vectors> const& lanes, int k,
                              hn::Vec<hn::U32> (&word)[vectors]) {
  hn::U32 const d;
  auto const dimension = static_cast<std::size_t>(k);
  MAKESPAN_UNROLL
  for (int v = 0; v < vectors; ++v) {
    // A group begins at a multiple of its size: the base has none of the bits that lanes add.
    auto x = hn::Set(d, plan.base[dimension]);
    MAKESPAN_UNROLL
    for (int bit = 0; bit < LaneBits<vectors>::bits; ++bit) {
      auto const mask = hn::Load(d, &lanes.mask[bit][v * hn::lanes_f32]);
      x = hn::XorAnd(x, mask, hn::Set(d, plan.direction[static_cast<std::size_t>(bit)][k]));
    }
    word[v] = hn::ReverseBits(Scramble(x, plan.scramble[dimension]));
  }
}

// Dimensions past the direction numbers hold the finest levels of the bridge: pseudo-random words,
// drawn one path at a time.
template <int vectors>
void BeyondSobolWords(SobolPlan const& plan, std::uint64_t first, int k,
                      hn::Vec<hn::U32> (&word)[vectors]) {
  alignas(64) std::uint32_t drawn[vectors * hn::lanes_f32];
  for (int lane = 0; lane < vectors * hn::lanes_f32; ++lane) {
    simd::PhiloxCounter const counter{
        static_cast<std::uint32_t>(first) + static_cast<std::uint32_t>(lane), plan.beyond.word_1,
        static_cast<std::uint32_t>(k / 4), plan.beyond.word_3};
    drawn[lane] = simd::philox(counter, plan.beyond.key)[static_cast<std::size_t>(k % 4)];
  }
  for (int v = 0; v < vectors; ++v) word[v] = hn::Load(hn::U32(), drawn + v * hn::lanes_f32);
}

MAKESPAN_BODY void StoreNormals(hn::Vec<hn::U32> const (&word)[group_vectors], float* row) {
  for (int v = 0; v < group_vectors; ++v)
    hn::Store(hn::InverseNormal32(word[v]), hn::F32(), row + v * hn::lanes_f32);
}
template <int vectors>
MAKESPAN_BODY void StoreNormals(hn::Vec<hn::U32> const (&word)[vectors], double* row) {
  hn::F64 const d;
  alignas(64) std::int32_t centred[vectors * hn::lanes_f32];
  for (int v = 0; v < vectors; ++v) {
    // Words less 2^31, as signed numbers, which the conversion below takes.
    auto const flipped = hn::Xor(word[v], hn::Set(hn::U32(), 0x80000000U));
    hn::Store(hn::BitCast(hn::I32(), flipped), hn::I32(), centred + v * hn::lanes_f32);
  }
  for (int path = 0; path < vectors * hn::lanes_f32; path += hn::lanes_f64) {
    auto const number = hn::PromoteTo(d, hn::Load(hn::I32Half(), centred + path));
    // (word + 1/2) / 2^32, never 0 or 1, as InverseNormal32() takes it.
    auto const probability = hn::MulAdd(number, hn::Set(d, 0x1p-32), hn::Set(d, 0.5 + 0x1p-33));
    hn::Store(hn::InverseNormal(d, probability), d, row + path);
  }
}

// Normals of all steps of one group into tile[step][factor][path of group]: Sobol points, most
// important dimension first, through a Brownian bridge of each factor, and its differences scaled
// back to unit variance so that the same loops can follow as for Philox. `tile` has room for one
// step more.
template <class T, class D, int lanes, int vectors>
void FillSobol(PathJob const& job, D d, std::uint64_t index, T* tile) {
  constexpr int group = group_vectors * lanes;
  SobolPlan const& plan = job.sobol;
  LaneBits<vectors> const lane_bits;
  int const factors = plan.factors;
  int const step = factors * group;
  for (int i = 0; i < step; ++i) tile[i] = T{0};
  int k = 0;  // the dimension: level of the bridge, then factor
  for (BridgeStep const& bridge : plan.bridge) {
    auto const left_weight = hn::Set(d, static_cast<T>(bridge.left_weight));
    auto const right_weight = hn::Set(d, static_cast<T>(bridge.right_weight));
    auto const deviation = hn::Set(d, static_cast<T>(bridge.deviation));
    T* row = tile + static_cast<std::ptrdiff_t>(bridge.index) * step;
    T const* left = tile + static_cast<std::ptrdiff_t>(bridge.left) * step;
    T const* right = tile + static_cast<std::ptrdiff_t>(bridge.right) * step;
    for (int factor = 0; factor < factors; ++factor, ++k) {
      hn::Vec<hn::U32> word[vectors];
      if (k < plan.dimensions) {
        SobolWords(plan, lane_bits, k, word);
      } else {
        BeyondSobolWords(plan, index, k, word);
      }
      StoreNormals(word, row);
      for (int i = 0; i < group; i += lanes) {
        auto const between = hn::MulAdd(right_weight, hn::Load(d, right + i),
                                        hn::Mul(left_weight, hn::Load(d, left + i)));
        hn::Store(hn::MulAdd(deviation, hn::Load(d, row + i), between), d, row + i);
      }
      row += group;
      left += group;
      right += group;
    }
  }
  // In place: the increment of step i goes to row i, which no later step looks at.
  T* row = tile;
  for (double const inverse : plan.inverse_root_dt) {
    auto const scale = hn::Set(d, static_cast<T>(inverse));
    for (int i = 0; i < step; i += lanes) {
      hn::Store(hn::Mul(hn::Sub(hn::Load(d, row + step + i), hn::Load(d, row + i)), scale), d,
                row + i);
    }
    row += step;
  }
}

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_SOBOL_NORMALS_INL_HPP
