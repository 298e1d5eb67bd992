// SPDX-License-Identifier: Apache-2.0
// Low-discrepancy normals of one path to a thread, for threads that share the words of their slab's
// first point. The same normals as sobol_normals-inl.hpp makes for groups of paths. One lane only.

#if defined(MAKESPAN_ASIAN_SOBOL_POINT_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_SOBOL_POINT_INL_HPP
#undef MAKESPAN_ASIAN_SOBOL_POINT_INL_HPP
#else
#define MAKESPAN_ASIAN_SOBOL_POINT_INL_HPP
#endif

#include "makespan/apps/asian/gpu/block_job.hpp"
#include "makespan/apps/asian/kernel/sobol_normals-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

template <class T>
struct SobolSlab {
  SobolPlan const& plan;
  BlockItem const& item;
  BlockScratch<T> const& scratch;
  std::uint64_t first;  // point of the slab, a multiple of slab_samples
  int steps;

  [[nodiscard]] MAKESPAN_BODY int dimensions() const { return steps * plan.factors; }
};

// Every threads-th dimension's scrambling key, and its word at the slab's first point.
template <int threads, class T>
MAKESPAN_BODY void SeekSlab(SobolSlab<T> const& slab, int thread) {
  SobolPlan const& plan = slab.plan;
  for (int k = thread; k < slab.dimensions(); k += threads) {
    std::uint32_t base = 0;
    if (k < plan.dimensions) {
      for (int bit = 0; slab.first >> bit != 0; ++bit) {
        if ((slab.first >> bit & 1U) != 0) base ^= plan.direction[static_cast<std::size_t>(bit)][k];
      }
    }
    simd::PhiloxCounter const counter{0, plan.beyond.word_1, static_cast<std::uint32_t>(k / 4),
                                      plan.beyond.word_3};
    slab.scratch.base[k] = base;
    slab.scratch.scramble[k] =
        simd::philox(counter, slab.item.scramble_key)[static_cast<std::size_t>(k % 4)];
  }
}

// The word of dimension k of point first + path, for path in [0, slab_samples).
template <class T>
MAKESPAN_BODY std::uint32_t SobolWord(SobolSlab<T> const& slab, int path, int k) {
  SobolPlan const& plan = slab.plan;
  if (k < plan.dimensions) {
    std::uint32_t word = slab.scratch.base[k];
    MAKESPAN_UNROLL
    for (int bit = 0; 1 << bit < slab_samples; ++bit) {
      std::uint32_t const mask = (path >> bit & 1) != 0 ? ~0U : 0U;
      word = hn::XorAnd(word, mask, plan.direction[static_cast<std::size_t>(bit)][k]);
    }
    return hn::ReverseBits(Scramble(word, slab.scratch.scramble[k]));
  }
  simd::PhiloxCounter const counter{
      static_cast<std::uint32_t>(slab.first) + static_cast<std::uint32_t>(path), plan.beyond.word_1,
      static_cast<std::uint32_t>(k / 4), plan.beyond.word_3};
  return simd::philox(counter, slab.item.beyond_key)[static_cast<std::size_t>(k % 4)];
}

MAKESPAN_BODY float SobolNormal(hn::F32 /*d*/, std::uint32_t word) {
  return hn::InverseNormal32(word);
}
MAKESPAN_BODY double SobolNormal(hn::F64 /*d*/, std::uint32_t word) {
  std::uint32_t const words[1] = {word};
  double normal = 0;
  StoreNormals(words, &normal);
  return normal;
}

// Normals of all steps of one path into its column of scratch.normals, shape (steps, factors).
template <class T, class D>
MAKESPAN_BODY void FillColumn(SobolSlab<T> const& slab, int path, D d) {
  SobolPlan const& plan = slab.plan;
  int const factors = plan.factors;
  auto const row = [&](int index, int factor) -> T& {
    return slab.scratch
        .normals[static_cast<std::ptrdiff_t>(index * factors + factor) * slab_samples + path];
  };
  for (int factor = 0; factor < factors; ++factor) row(0, factor) = T{0};
  int k = 0;
  for (int level = 0; level < slab.steps; ++level) {
    BridgeStep const& bridge = plan.bridge[static_cast<std::size_t>(level)];
    for (int factor = 0; factor < factors; ++factor, ++k) {
      T const z = SobolNormal(d, SobolWord(slab, path, k));
      T const between =
          hn::MulAdd(hn::Set(d, bridge.right_weight), row(bridge.right, factor),
                     hn::Mul(hn::Set(d, bridge.left_weight), row(bridge.left, factor)));
      row(bridge.index, factor) = hn::MulAdd(hn::Set(d, bridge.deviation), z, between);
    }
  }
  for (int i = 0; i < slab.steps; ++i) {
    T const scale = hn::Set(d, plan.inverse_root_dt[static_cast<std::size_t>(i)]);
    for (int factor = 0; factor < factors; ++factor) {
      row(i, factor) = hn::Mul(hn::Sub(row(i + 1, factor), row(i, factor)), scale);
    }
  }
}

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_SOBOL_POINT_INL_HPP
