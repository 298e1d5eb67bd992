// SPDX-License-Identifier: Apache-2.0
// What the threads of a GPU do for a block of samples under a random variance or of a basket: as
// block_program-inl.hpp, but that a thread takes its path from the first step to the last in one
// phase, with tables and functionals in the GPU's memory, whose latency the double precision hides.
// One lane only.

#if defined(MAKESPAN_ASIAN_MODEL_PROGRAM_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_MODEL_PROGRAM_INL_HPP
#undef MAKESPAN_ASIAN_MODEL_PROGRAM_INL_HPP
#else
#define MAKESPAN_ASIAN_MODEL_PROGRAM_INL_HPP
#endif

#include "makespan/apps/asian/gpu/block_job.hpp"
#include "makespan/apps/asian/gpu/detail/block_moments-inl.hpp"
#include "makespan/apps/asian/gpu/detail/path_walk-inl.hpp"
#include "makespan/apps/asian/gpu/detail/sobol_point-inl.hpp"
#include "makespan/apps/asian/kernel/basket_walk-inl.hpp"
#include "makespan/apps/asian/kernel/heston_walk-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

template <int rounds>
MAKESPAN_BODY void TwoNormals(PathJob const& job, hn::PhiloxPaths<1> const& paths, int counter,
                              double (&z)[2]) {
  hn::Vec<hn::F64> normal[2][1];
  CounterNormals<rounds, 1>(paths, job.philox_steps[static_cast<std::size_t>(counter)],
                            job.round_keys, normal);
  z[0] = normal[0][0];
  z[1] = normal[1][0];
}

// The two normals of a counter.
MAKESPAN_BODY void TwoNormals(PathJob const& job, hn::PhiloxPaths<1> const& paths, int counter,
                              double (&z)[2]) {
  if (job.philox_rounds == 7) {
    TwoNormals<7>(job, paths, counter, z);
  } else {
    TwoNormals<10>(job, paths, counter, z);
  }
}

MAKESPAN_BODY hn::PhiloxPaths<1> StartPath(PathJob const& job, std::uint64_t number) {
  hn::Vec<hn::U64> const numbers[1] = {number};
  return hn::StartPhilox(numbers, job.stream, job.round_keys);
}

// One path, and its twin, of a random variance: its functionals into column `path` of `values`.
template <bool antithetic, bool greeks>
MAKESPAN_BODY void WalkHestonPath(PathJob const& job, std::uint64_t number, double* values,
                                  int path) {
  constexpr int count = antithetic ? 2 : 1;
  auto const paths = StartPath(job, number);
  HestonWalk walk[count];
  for (HestonWalk& one : walk) one = StartHeston(job.heston);
  int const steps = static_cast<int>(job.heston.steps.size());
  for (int i = 0; i < steps; ++i) {
    double z[2];
    TwoNormals(job, paths, i, z);
    double z_price[count] = {z[0]};
    double z_variance[count] = {z[1]};
    if constexpr (antithetic) {
      z_price[1] = hn::Sub(0.0, z[0]);
      z_variance[1] = hn::Sub(0.0, z[1]);
    }
    TakeHestonSteps<greeks, count>(job.heston, i, z_price, z_variance, walk);
  }
  StorePair<greeks>(antithetic, walk[0], walk[count - 1], values, path);
}

// Correlated normals of a step into the rows of each underlying; `z`: those of the factors, a
// column with slab_samples between.
MAKESPAN_BODY void CorrelatePath(BasketPlan const& plan, double const* z, double* state) {
  for (int k = 0; k < plan.underlyings; ++k) {
    double const* const loading =
        plan.loading.data() + static_cast<std::ptrdiff_t>(k) * plan.factors;
    double sum = 0;
    for (int factor = 0; factor < plan.factors; ++factor) {
      sum = hn::MulAdd(loading[factor], z[static_cast<std::ptrdiff_t>(factor) * slab_samples], sum);
    }
    *BasketStateAt<slab_samples>(state, k, row_normal) = sum;
  }
}

template <bool antithetic, bool greeks>
MAKESPAN_BODY void TakeBasketStepOf(BasketPlan const& plan, int index, double* state,
                                    BasketWalk (&walk)[1]) {
  if constexpr (antithetic) {
    if (plan.is_smooth) {
      return TakeBasketStep<true, greeks, true, slab_samples>(plan, index, state, walk);
    }
  }
  TakeBasketStep<antithetic, greeks, false, slab_samples>(plan, index, state, walk);
}

// Normals of a basket's path, which come in twos and are asked for in rising order.
class BasketNormals {
 public:
  MAKESPAN_BODY BasketNormals(PathJob const& job, std::uint64_t number)
      : job_{job}, paths_{StartPath(job, number)} {}

  MAKESPAN_BODY double operator()(int index) {
    if (index / 2 != counter_) {
      counter_ = index / 2;
      TwoNormals(job_, paths_, counter_, z_);
    }
    return z_[index % 2];
  }

 private:
  PathJob const& job_;
  hn::PhiloxPaths<1> paths_;
  int counter_ = -1;
  double z_[2]{};
};

// One path, and its twin, of a basket; with Sobol points the column of scratch.normals is filled.
template <bool antithetic, bool greeks>
MAKESPAN_BODY void WalkBasketPath(PathJob const& job, std::uint64_t number,
                                  BlockScratch<double> const& scratch, int path) {
  BasketPlan const& plan = job.basket;
  double* const state = scratch.state + path;
  for (int i = 0; i < plan.underlyings * basket_state_rows; ++i) {
    state[static_cast<std::ptrdiff_t>(i) * slab_samples] = 0;
  }
  BasketWalk walk[1] = {StartBasket()};
  bool const sobol = job.source == NormalSource::sobol;
  int const rows = basket_tile(plan.factors, tile_steps).rows;
  int const steps = static_cast<int>(plan.steps.size());
  double* z = scratch.normals + path;
  BasketNormals normals(job, number);
  for (int i = 0; i < steps; ++i) {
    if (!sobol) {
      for (int factor = 0; factor < plan.factors; ++factor) {
        z[static_cast<std::ptrdiff_t>(factor) * slab_samples] = normals(i * rows + factor);
      }
    }
    CorrelatePath(plan, z, state);
    TakeBasketStepOf<antithetic, greeks>(plan, i, state, walk);
    if (sobol) z += static_cast<std::ptrdiff_t>(plan.factors) * slab_samples;
  }
  StoreBasket(job, walk[0], path, scratch.functionals);
}

// As BlockProgram, for options whose PathJob::model is heston or basket.
template <PathModel model, Estimator estimator, bool greeks>
class ModelProgram {
 public:
  using Moments = BlockMoments<estimator, greeks>;
  using Memory = MomentMemory<estimator, greeks>;
  struct Thread {
    MomentShare<estimator, greeks> share;
  };

  // `out`: moment_count(...) sums of the block.
  template <class ThreadTeam>
  static MAKESPAN_BODY void Run(ThreadTeam& team, BlockOption const& option, BlockItem const& item,
                                BlockScratch<double> const& scratch, Memory& memory, double* out) {
    team.phase([&](int /*thread*/, Thread& kept) { Moments::Clear(kept.share); });
    for (int done = 0; done < item.samples; done += slab_samples) {
      std::uint64_t const first =
          static_cast<std::uint64_t>(item.sample_first) + static_cast<std::uint64_t>(done);
      int const samples = item.samples - done < slab_samples ? item.samples - done : slab_samples;
      PathJob const& job = option.path;
      if (job.source == NormalSource::sobol) {
        int const steps = static_cast<int>(job.basket.steps.size());
        SobolSlab<double> const slab{job.sobol, item, scratch, first, steps};
        team.phase([&](int thread, Thread& /*kept*/) { SeekSlab<block_threads>(slab, thread); });
        team.phase([&](int thread, Thread& /*kept*/) { FillColumn(slab, thread, hn::F64()); });
      }
      team.phase([&](int thread, Thread& /*kept*/) {
        std::uint64_t const number = first + static_cast<std::uint64_t>(thread);
        if constexpr (model == PathModel::heston) {
          WalkHestonPath<antithetic, greeks>(job, number, scratch.functionals, thread);
        } else {
          WalkBasketPath<antithetic, greeks>(job, number, scratch, thread);
        }
        // In the same phase: a thread reads no functionals but those of its own path.
        Moments::template StoreTerms<Paths::of_model>(option.moments, scratch.functionals, thread,
                                                      samples, memory);
      });
      team.phase(
          [&](int thread, Thread& kept) { Moments::AddSlab(thread, samples, memory, kept.share); });
    }
    team.phase(
        [&](int thread, Thread& kept) { Moments::StoreStrands(thread, kept.share, memory); });
    team.phase([&](int thread, Thread& /*kept*/) { Moments::StoreSums(thread, memory, out); });
  }

 private:
  static constexpr bool antithetic = estimator == Estimator::controlled;
};

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_MODEL_PROGRAM_INL_HPP
