// SPDX-License-Identifier: Apache-2.0
// From the functionals of a slab to the moments of a block, by threads that share memory: the same
// sums, in the same order, as AddMoments() and add_up_strands() make. One lane only.

#if defined(MAKESPAN_ASIAN_BLOCK_MOMENTS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_BLOCK_MOMENTS_INL_HPP
#undef MAKESPAN_ASIAN_BLOCK_MOMENTS_INL_HPP
#else
#define MAKESPAN_ASIAN_BLOCK_MOMENTS_INL_HPP
#endif

#include "makespan/apps/asian/kernel/moments-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

// One thread for each sample of a slab.
inline constexpr int block_threads = slab_samples;

// What the threads share. Strands follow terms in the same place.
template <Estimator estimator, bool greeks>
union MomentMemory {
  static constexpr int moments = moment_count(estimator, greeks);

  double term[term_count(estimator, greeks)][slab_samples];
  double strand[moments][strand_count];
};

// A thread's share of the sums. Thread t adds strand t % strand_count of every
// (block_threads / strand_count)-th moment.
template <Estimator estimator, bool greeks>
struct MomentShare {
  static constexpr int stride = block_threads / strand_count;
  static constexpr int count = (moment_count(estimator, greeks) + stride - 1) / stride;

  double sum[count];
};

template <Estimator estimator, bool greeks>
class BlockMoments {
 public:
  using Memory = MomentMemory<estimator, greeks>;
  using Share = MomentShare<estimator, greeks>;

  static MAKESPAN_BODY void Clear(Share& share) {
    for (double& sum : share.sum) sum = 0;
  }

  // `functionals`: shape (functionals, slab_samples).
  template <Paths paths, class T>
  static MAKESPAN_BODY void StoreTerms(MomentJob const& job, T const* functionals, int thread,
                                       int samples, Memory& memory) {
    constexpr auto on_price = Payoff::average_price;
    constexpr auto on_strike = Payoff::average_strike;
    Doubles const valid = thread < samples ? 1.0 : 0.0;
    auto const terms =
        job.payoff == on_price
            ? TermsOf<estimator, greeks, on_price, paths>(job, functionals, thread, valid)
            : TermsOf<estimator, greeks, on_strike, paths>(job, functionals, thread, valid);
    for (int k = 0; k < term_count(estimator, greeks); ++k) memory.term[k][thread] = terms.value[k];
  }

  static MAKESPAN_BODY void AddSlab(int thread, int samples, Memory const& memory, Share& share) {
    int const rows = (samples + strand_count - 1) / strand_count;
    int const strand = thread % strand_count;
    MAKESPAN_UNROLL
    for (int k = 0; k < Share::count; ++k) {
      int const moment = thread / strand_count + k * Share::stride;
      if (moment >= Memory::moments) break;
      MomentFactors const factors = moment_factors(estimator, moment);
      double const* const left = &memory.term[factors.left][strand];
      if (factors.right == MomentFactors::none) {
        for (int row = 0; row < rows; ++row) {
          share.sum[k] = hn::Add(share.sum[k], left[row * strand_count]);
        }
      } else {
        double const* const right = &memory.term[factors.right][strand];
        for (int row = 0; row < rows; ++row) {
          share.sum[k] =
              hn::MulAdd(left[row * strand_count], right[row * strand_count], share.sum[k]);
        }
      }
    }
  }

  static MAKESPAN_BODY void StoreStrands(int thread, Share const& share, Memory& memory) {
    MAKESPAN_UNROLL
    for (int k = 0; k < Share::count; ++k) {
      int const moment = thread / strand_count + k * Share::stride;
      if (moment < Memory::moments) memory.strand[moment][thread % strand_count] = share.sum[k];
    }
  }

  // The tree of add_up_strands().
  static MAKESPAN_BODY void StoreSums(int thread, Memory const& memory, double* out) {
    if (thread >= Memory::moments) return;
    double sum[strand_count];
    MAKESPAN_UNROLL
    for (int i = 0; i < strand_count; ++i) sum[i] = memory.strand[thread][i];
    MAKESPAN_UNROLL
    for (int width = strand_count / 2; width > 0; width /= 2) {
      MAKESPAN_UNROLL
      for (int i = 0; i < width; ++i) sum[i] = hn::Add(sum[i], sum[i + width]);
    }
    out[thread] = sum[0];
  }
};

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_BLOCK_MOMENTS_INL_HPP
