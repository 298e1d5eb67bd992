// SPDX-License-Identifier: Apache-2.0
// What the threads of a GPU do for one block of samples: from the option's tables to the block's
// moments, with the same bits as OptionWorker::run().
//
// A program is a sequence of phases. In each, every thread does its part, and between two phases
// they wait for each other; what a thread keeps from phase to phase is its own, the rest is shared.
// `ThreadTeam` runs the phases: on a GPU's threads (block_kernels.cu), or one thread after the
// other on the host, where the program is tested (tests/apps/asian/gpu/block_program_test.cpp). One
// lane only.

#if defined(MAKESPAN_ASIAN_BLOCK_PROGRAM_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MAKESPAN_ASIAN_BLOCK_PROGRAM_INL_HPP
#undef MAKESPAN_ASIAN_BLOCK_PROGRAM_INL_HPP
#else
#define MAKESPAN_ASIAN_BLOCK_PROGRAM_INL_HPP
#endif

#include <type_traits>

#include "makespan/apps/asian/gpu/block_job.hpp"
#include "makespan/apps/asian/gpu/detail/block_moments-inl.hpp"
#include "makespan/apps/asian/gpu/detail/path_walk-inl.hpp"
#include "makespan/apps/asian/gpu/detail/sobol_point-inl.hpp"

MAKESPAN_BEGIN_TARGET
namespace makespan::asian::MAKESPAN_TARGET {
namespace hn = makespan::simd::MAKESPAN_TARGET;

template <class T>
using TagOf = std::conditional_t<sizeof(T) == sizeof(float), hn::F32, hn::F64>;

// Steps that fit the memory that a block's threads share, and the counters of their normals.
template <class T, bool greeks>
struct StepTile;

template <bool greeks>
struct StepTile<float, greeks> {
  struct alignas(16) Step : StepF32 {};  // so that it is loaded in fours
  Step step[tile_steps];
  GreekStepF32 greek[greeks ? tile_steps : 1];
  simd::PhiloxStep counter[tile_steps / 4];
};

template <bool greeks>
struct StepTile<double, greeks> {
  StepF64 step[tile_steps];
  simd::PhiloxStep counter[tile_steps / 2];
};

// What the threads share. Terms follow steps, and strands follow terms, in the same place.
template <class T, Estimator estimator, bool greeks>
struct BlockMemory {
  static constexpr int rows = greeks ? functionals_of<T> : brownian + 1;

  T functional[rows][slab_samples];
  union {
    StepTile<T, greeks> tile;
    MomentMemory<estimator, greeks> moment;
  };
};

// What a thread keeps: its path, and its share of the sums.
template <class T, Estimator estimator, bool greeks>
struct BlockThread {
  Walk<TagOf<T>> walk[1];
  hn::PhiloxPaths<1> paths;
  MomentShare<estimator, greeks> share;
};

// Makes slab after slab of `item`; `ThreadTeam::phase(part)` calls part(thread, kept) for every
// thread.
template <class T, Estimator estimator, bool greeks>
class BlockProgram {
 public:
  using Memory = BlockMemory<T, estimator, greeks>;
  using Thread = BlockThread<T, estimator, greeks>;
  using Moments = BlockMoments<estimator, greeks>;

  // `out`: moment_count(...) sums of the block.
  template <class ThreadTeam>
  static MAKESPAN_BODY void Run(ThreadTeam& team, BlockOption const& option, BlockItem const& item,
                                BlockScratch<T> const& scratch, Memory& memory, double* out) {
    team.phase([&](int /*thread*/, Thread& kept) { Moments::Clear(kept.share); });
    for (int done = 0; done < item.samples; done += slab_samples) {
      std::uint64_t const first =
          static_cast<std::uint64_t>(item.sample_first) + static_cast<std::uint64_t>(done);
      int const samples = item.samples - done < slab_samples ? item.samples - done : slab_samples;
      if (option.path.source == NormalSource::sobol) {
        WalkSobol(team, option.path,
                  {option.path.sobol, item, scratch, first, option.path.tables.steps}, memory);
      } else {
        WalkPhilox(team, option.path, first, memory);
      }
      team.phase([&](int thread, Thread& kept) {
        StoreWalk<antithetic, greeks>(kept.walk[0], TagOf<T>(), &memory.functional[0][0], thread);
        Moments::template StoreTerms<Paths::lognormal>(option.moments, &memory.functional[0][0],
                                                       thread, samples, memory.moment);
      });
      team.phase([&](int thread, Thread& kept) {
        Moments::AddSlab(thread, samples, memory.moment, kept.share);
      });
    }
    team.phase([&](int thread, Thread& kept) {
      Moments::StoreStrands(thread, kept.share, memory.moment);
    });
    team.phase(
        [&](int thread, Thread& /*kept*/) { Moments::StoreSums(thread, memory.moment, out); });
  }

 private:
  static constexpr bool antithetic = estimator == Estimator::controlled;
  static constexpr Pass pass = antithetic ? Pass::antithetic : Pass::prices_and_logs;
  static constexpr int per_counter = sizeof(T) == sizeof(float) ? 4 : 2;

  // --- paths

  template <class ThreadTeam>
  static MAKESPAN_BODY void WalkPhilox(ThreadTeam& team, PathJob const& job, std::uint64_t first,
                                       Memory& memory) {
    int const steps = job.tables.steps;
    team.phase([&](int thread, Thread& kept) {
      hn::Vec<hn::U64> const number[1] = {first + static_cast<std::uint64_t>(thread)};
      kept.paths = hn::StartPhilox(number, job.stream, job.round_keys);
      kept.walk[0] = StartWalk(TagOf<T>());
      LoadTile(job, 0, thread, memory);
    });
    for (int begin = 0; begin < steps; begin += tile_steps) {
      int const count = steps - begin < tile_steps ? steps - begin : tile_steps;
      team.phase([&](int /*thread*/, Thread& kept) { WalkTile(job, count, memory, kept); });
      // The next tile is a phase of its own: in this one others may still read the steps.
      if (begin + count == steps) break;
      team.phase(
          [&](int thread, Thread& /*kept*/) { LoadTile(job, begin + tile_steps, thread, memory); });
    }
  }

  static MAKESPAN_BODY void LoadTile(PathJob const& job, int begin, int thread, Memory& memory) {
    int const steps = job.tables.steps - begin;
    int const count = steps < tile_steps ? steps : tile_steps;
    if (thread < count) {
      auto const at = static_cast<std::size_t>(begin + thread);
      if constexpr (sizeof(T) == sizeof(float)) {
        memory.tile.step[thread] = {job.tables.steps_f32[at]};
        if constexpr (greeks) memory.tile.greek[thread] = job.tables.greeks_f32[at];
      } else {
        memory.tile.step[thread] = job.tables.steps_f64[at];
      }
    }
    if (job.source == NormalSource::philox && thread < (count + per_counter - 1) / per_counter) {
      memory.tile.counter[thread] =
          job.philox_steps[static_cast<std::size_t>(begin / per_counter + thread)];
    }
  }

  static MAKESPAN_BODY void WalkTile(PathJob const& job, int steps, Memory const& memory,
                                     Thread& kept) {
    if (job.philox_rounds == 7) {
      WalkTile<7>(job, steps, memory, kept);
    } else {
      WalkTile<10>(job, steps, memory, kept);
    }
  }

  template <int rounds>
  static MAKESPAN_BODY void WalkTile(PathJob const& job, int steps, Memory const& memory,
                                     Thread& kept) {
    if constexpr (sizeof(T) == sizeof(double)) {
      WalkTablesF64 const tables{memory.tile.step, nullptr, memory.tile.counter, steps};
      WalkOver<antithetic, greeks, rounds, 1>(tables, job.tables.volatility, kept.paths,
                                              job.round_keys, kept.walk);
    } else {
      WithGrowth(job.tables.growth, [&](auto growth) {
        WalkTables<typename StepTile<T, greeks>::Step, GreekStepF32> const tables{
            memory.tile.step, memory.tile.greek, memory.tile.counter, steps};
        WalkOver<growth.value, pass, greeks, rounds, 1>(tables, kept.paths, job.round_keys,
                                                        kept.walk);
      });
    }
  }

  template <class ThreadTeam>
  static MAKESPAN_BODY void WalkSobol(ThreadTeam& team, PathJob const& job,
                                      SobolSlab<T> const& slab, Memory& memory) {
    team.phase([&](int thread, Thread& /*kept*/) { SeekSlab<block_threads>(slab, thread); });
    team.phase([&](int thread, Thread& kept) {
      FillColumn(slab, thread, TagOf<T>());
      kept.walk[0] = StartWalk(TagOf<T>());
      LoadTile(job, 0, thread, memory);
    });
    for (int begin = 0; begin < slab.steps; begin += tile_steps) {
      int const count = slab.steps - begin < tile_steps ? slab.steps - begin : tile_steps;
      team.phase([&](int thread, Thread& kept) {
        T const* const z =
            slab.scratch.normals + static_cast<std::ptrdiff_t>(begin) * slab_samples + thread;
        WalkNormals(job, count, z, memory, kept);
      });
      if (begin + count == slab.steps) break;
      team.phase(
          [&](int thread, Thread& /*kept*/) { LoadTile(job, begin + tile_steps, thread, memory); });
    }
  }

  static MAKESPAN_BODY void WalkNormals(PathJob const& job, int steps, T const* z,
                                        Memory const& memory, Thread& kept) {
    auto& walk = kept.walk[0];
    if constexpr (sizeof(T) == sizeof(double)) {
      for (int i = 0; i < steps; ++i, z += slab_samples) {
        TakeStep<antithetic, greeks>(memory.tile.step[i], job.tables.volatility, *z, walk);
      }
    } else {
      WithGrowth(job.tables.growth, [&](auto growth) {
        for (int i = 0; i < steps; ++i, z += slab_samples) {
          TakeStep<growth.value, pass>(memory.tile.step[i], *z, walk);
          if constexpr (greeks) {
            TakeGreekStep<pass>(memory.tile.step[i], memory.tile.greek[i], *z, walk);
          }
        }
      });
    }
  }

  template <class Function>
  static MAKESPAN_BODY void WithGrowth(Growth growth, Function&& function) {
    switch (growth) {
      case Growth::degree_3:
        return function(std::integral_constant<Growth, Growth::degree_3>());
      case Growth::degree_4:
        return function(std::integral_constant<Growth, Growth::degree_4>());
      case Growth::degree_6:
        return function(std::integral_constant<Growth, Growth::degree_6>());
      case Growth::exponential:
        return function(std::integral_constant<Growth, Growth::exponential>());
    }
  }
};

}  // namespace makespan::asian::MAKESPAN_TARGET
MAKESPAN_END_TARGET
#endif  // MAKESPAN_ASIAN_BLOCK_PROGRAM_INL_HPP
