// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/estimate/sampling.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "makespan/apps/asian/estimate/estimate.hpp"
#include "makespan/apps/asian/kernel/path_job.hpp"
#include "makespan/simd/portable_math.hpp"

namespace makespan::asian {

namespace {

// A round grows by this factor at most: the error that it is planned from is an estimate itself,
// and a poor one at first.
constexpr std::int64_t growth_max = 8;

// Residuals of the controls are heavy-tailed: with 1024 pairs the error is estimated 9 % low and
// one price in 700 is off by more than four of them, with 4096 by 2 % and one in 5000
// (docs/explanation/estimators.md).
constexpr int pilot_samples = 4 * block_samples;
// Per replicate of a low-discrepancy set.
constexpr int pilot_points = 2 * slab_samples;

std::int64_t up_to_blocks(std::int64_t samples, std::int64_t block) {
  return (samples + block - 1) / block * block;
}

std::int64_t up_to_power(std::int64_t samples) {
  return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(samples)));
}

// Samples of one replicate for `paths` paths in all, rounded up.
std::int64_t samples_for(std::int64_t paths, Sampling const& sampling) {
  std::int64_t const per_sample = std::int64_t{sampling.paths_per_sample} * sampling.replicates;
  std::int64_t const samples = std::max<std::int64_t>((paths + per_sample - 1) / per_sample, 1);
  return sampling.powers_of_two ? std::max<std::int64_t>(up_to_power(samples), sampling.block)
                                : samples;
}

}  // namespace

Sampling sampling_of(EstimatorSettings const& settings) {
  switch (settings.method) {
    case Method::mc_plain:
      return {1, 1, block_samples, pilot_samples, false};
    case Method::automatic:
    case Method::exact:
    case Method::mc:
      return {1, 2, block_samples, pilot_samples, false};
    case Method::rqmc:
    case Method::rqmc_smooth:
      break;
  }
  return {settings.replicates, 2, slab_samples, pilot_points, true};
}

std::int64_t samples_max(Contract const& contract, Sampling const& sampling) {
  std::int64_t const most = samples_for(contract.max_paths, sampling);
  if (!sampling.powers_of_two) return most;
  // samples_for() rounds up to a power of two, and max_paths is rounded down (docs/decisions/0013).
  std::int64_t const fits =
      contract.max_paths / (std::int64_t{sampling.paths_per_sample} * sampling.replicates);
  return std::max<std::int64_t>(most > fits ? most / 2 : most, sampling.block);
}

std::int64_t first_round(Contract const& contract, Sampling const& sampling) {
  if (contract.paths > 0) return samples_for(contract.paths, sampling);
  return std::min<std::int64_t>(sampling.pilot, samples_max(contract, sampling));
}

std::int64_t next_round(Contract const& contract, Sampling const& sampling,
                        Progress const& progress) {
  std::int64_t const most = samples_max(contract, sampling);
  bool const hopeless = !std::isfinite(progress.std_error);  // out of range: more paths do not help
  bool const met = contract.paths > 0 || hopeless || progress.std_error <= contract.std_error;
  if (met || progress.samples >= most) return progress.samples;
  double const room = contract.std_error - progress.lasting;
  double const ratio = room > 0 ? (progress.std_error - progress.lasting) / room : growth_max;
  // The error of scrambled nets falls about as n^-0.75 here; that of independent samples as n^-0.5,
  // and 3 % more than the estimate asks for saves most of the second attempts.
  double const factor = sampling.powers_of_two
                            ? simd::portable_exp(simd::portable_log(ratio) / 0.75)
                            : 1.03 * ratio * ratio;
  // With so few the error is at least a floor (EstimateTerms), from which no number of samples can
  // be planned.
  bool const poor = progress.exercised < exercised_min;
  double const bounded =
      poor ? static_cast<double>(growth_max) : std::min(factor, static_cast<double>(growth_max));
  auto const wanted =
      static_cast<std::int64_t>(std::ceil(static_cast<double>(progress.samples) * bounded));
  std::int64_t const whole =
      sampling.powers_of_two ? std::max(up_to_power(wanted), 2 * progress.samples)
                             : up_to_blocks(std::max(wanted, progress.samples + 1), sampling.block);
  return std::min(whole, most);
}

std::int64_t blocks_between(Sampling const& sampling, std::int64_t samples_from,
                            std::int64_t samples_to) {
  std::int64_t const per_replicate =
      (samples_to + sampling.block - 1) / sampling.block - samples_from / sampling.block;
  return per_replicate * sampling.replicates;
}

Block block_at(Sampling const& sampling, std::int64_t samples_from, std::int64_t samples_to,
               std::int64_t item) {
  std::int64_t const per_replicate =
      blocks_between(sampling, samples_from, samples_to) / sampling.replicates;
  std::int64_t const index = samples_from / sampling.block + item % per_replicate;
  std::int64_t const first = index * sampling.block;
  return {static_cast<int>(item / per_replicate), index, first,
          static_cast<int>(std::min<std::int64_t>(sampling.block, samples_to - first))};
}

}  // namespace makespan::asian
