// SPDX-License-Identifier: Apache-2.0
// How many samples an option takes, and in what blocks: pure functions of the contract and of
// deterministic sums, so that the answer does not depend on the thread, image or device that
// computes it.
//
// Samples are counted per replicate. A method without replicates has one.
#pragma once

#include <cstdint>

#include "makespan/apps/asian/contract/contract.hpp"
#include "makespan/apps/asian/estimate/estimator_settings.hpp"

namespace makespan::asian {

struct Sampling {
  int replicates;        // 1 unless rqmc
  int paths_per_sample;  // 2 for antithetic pairs
  int block;             // samples of a whole block
  int pilot;             // samples of the first round towards a target error
  bool powers_of_two;    // low-discrepancy sets are whole only then
};

Sampling sampling_of(EstimatorSettings const& settings);

// Samples of the first round: all of them if the contract says how many paths, else a pilot.
std::int64_t first_round(Contract const& contract, Sampling const& sampling);

// The most that max_paths allows; at least one block of low-discrepancy points.
std::int64_t samples_max(Contract const& contract, Sampling const& sampling);

struct Progress {
  std::int64_t samples;    // so far
  double std_error;        // of the price, in its units
  std::int64_t exercised;  // samples with a payoff
  double lasting = 0;      // part of std_error that more samples leave as it is
};

// Samples after the next round; `progress.samples` itself when the target is met or there may be no
// more.
std::int64_t next_round(Contract const& contract, Sampling const& sampling,
                        Progress const& progress);

// Blocks of all replicates between two rounds.
std::int64_t blocks_between(Sampling const& sampling, std::int64_t samples_from,
                            std::int64_t samples_to);

struct Block {
  int replicate;
  std::int64_t index;  // in its replicate, counted from sample 0 in whole blocks
  std::int64_t sample_first;
  int samples;  // the last block may be short
};

// The item-th block of the round from `samples_from` to `samples_to`.
Block block_at(Sampling const& sampling, std::int64_t samples_from, std::int64_t samples_to,
               std::int64_t item);

}  // namespace makespan::asian
