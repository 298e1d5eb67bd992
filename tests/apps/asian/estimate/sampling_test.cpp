// SPDX-License-Identifier: Apache-2.0
// Goal: rounds lead to the target or to the cap, in whole blocks, and no sample is drawn twice or
// left out. Method: pure calls, over targets, caps and errors of all sizes.
#include "makespan/apps/asian/estimate/sampling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <set>

#include "apps/asian/sample_contracts.hpp"
#include "makespan/apps/asian/estimate/estimate.hpp"
#include "makespan/apps/asian/kernel/path_job.hpp"

namespace makespan::asian {
namespace {

Sampling sampling_for(Method method, int replicates = 32) {
  EstimatorSettings settings;
  settings.method = method;
  settings.replicates = replicates;
  return sampling_of(settings);
}

Contract with_paths(std::int64_t paths) {
  Contract contract = monthly_call();
  contract.paths = paths;
  return contract;
}

Contract with_target(double std_error, std::int64_t max_paths) {
  Contract contract = monthly_call();
  contract.paths = 0;
  contract.std_error = std_error;
  contract.max_paths = max_paths;
  return contract;
}

constexpr std::int64_t enough = 1 << 20;  // exercised samples

TEST(Sampling, draws_the_paths_that_are_asked_for_in_one_round) {
  EXPECT_EQ(first_round(with_paths(1000), sampling_for(Method::mc_plain)), 1000);
  EXPECT_EQ(first_round(with_paths(1000), sampling_for(Method::mc)), 500);
  EXPECT_EQ(first_round(with_paths(1001), sampling_for(Method::mc)), 501);
  EXPECT_EQ(first_round(with_paths(1), sampling_for(Method::mc)), 1);
  for (Method const method : {Method::mc, Method::mc_plain, Method::rqmc}) {
    Sampling const sampling = sampling_for(method);
    EXPECT_EQ(next_round(with_paths(1000), sampling, {7, 1e9, 0}), 7);  // whatever the error
  }
}

TEST(Sampling, rounds_low_discrepancy_points_up_to_powers_of_two) {
  Sampling const sampling = sampling_for(Method::rqmc);

  EXPECT_EQ(first_round(with_paths(1), sampling), slab_samples);
  EXPECT_EQ(first_round(with_paths(64 * 256), sampling), 256);
  EXPECT_EQ(first_round(with_paths(64 * 256 + 1), sampling), 512);
  EXPECT_EQ(first_round(with_paths(1 << 20), sampling), 1 << 14);
}

TEST(Sampling, never_goes_over_the_cap) {
  for (Method const method : {Method::mc, Method::mc_plain, Method::rqmc}) {
    Sampling const sampling = sampling_for(method);
    std::int64_t const per_sample = std::int64_t{sampling.paths_per_sample} * sampling.replicates;
    for (std::int64_t cap = 1; cap < 200'000'000; cap = cap * 5 / 3 + 7) {
      Contract const contract = with_target(1e-9, cap);
      std::int64_t const most = samples_max(contract, sampling);
      std::int64_t const least = method == Method::rqmc ? sampling.block : 1;

      EXPECT_GE(most, least);
      // One sample is the least there is, and an odd path of a pair counts.
      EXPECT_LE(most, std::max(least, (cap + per_sample - 1) / per_sample)) << cap;
      EXPECT_LE(first_round(contract, sampling), most);
      EXPECT_LE(next_round(contract, sampling, {first_round(contract, sampling), 1.0, enough}),
                most);
      EXPECT_EQ(next_round(contract, sampling, {most, 1.0, enough}), most);
    }
  }
}

TEST(Sampling, low_discrepancy_caps_are_whole_sets_within_the_cap) {
  Sampling const sampling = sampling_for(Method::rqmc);
  for (std::int64_t cap = 64 * slab_samples; cap < 200'000'000; cap = cap * 5 / 3 + 7) {
    std::int64_t const most = samples_max(with_target(1e-9, cap), sampling);
    EXPECT_TRUE(std::has_single_bit(static_cast<std::uint64_t>(most))) << cap;
    EXPECT_LE(64 * most, cap);
    EXPECT_GT(2 * 64 * most, cap);
  }
}

TEST(Sampling, stops_when_the_target_is_met) {
  for (Method const method : {Method::mc, Method::mc_plain, Method::rqmc}) {
    Sampling const sampling = sampling_for(method);
    Contract const contract = with_target(0.01, 1 << 28);
    EXPECT_EQ(next_round(contract, sampling, {4096, 0.01, enough}), 4096);
    EXPECT_EQ(next_round(contract, sampling, {4096, 0.0, 0}), 4096);
    EXPECT_GT(next_round(contract, sampling, {4096, 0.010001, enough}), 4096);
  }
}

TEST(Sampling, plans_for_what_a_lasting_error_leaves) {
  Sampling const sampling = sampling_for(Method::mc);
  Contract const contract = with_target(0.01, 1 << 28);

  EXPECT_EQ(next_round(contract, sampling, {4096, 0.01, enough, 0.008}), 4096);
  // Twice the noise that there may be.
  EXPECT_EQ(next_round(contract, sampling, {4096, 0.012, enough, 0.008}), 17 * 1024);
  EXPECT_EQ(next_round(contract, sampling, {4096, 0.012, enough, 0.011}), 8 * 4096);  // never
}

TEST(Sampling, plans_by_the_square_root_law_with_a_little_over) {
  Sampling const sampling = sampling_for(Method::mc);
  Contract const contract = with_target(0.01, 1 << 28);

  EXPECT_EQ(next_round(contract, sampling, {4096, 0.02, enough}), 17 * 1024);  // 4.12 times
  EXPECT_EQ(next_round(contract, sampling, {4096, 0.5, enough}), 8 * 4096);    // not 2500 times
  EXPECT_EQ(next_round(contract, sampling, {4096, 0.0100001, enough}), 5 * 1024);
  EXPECT_EQ(next_round(contract, sampling, {4096, 0.011, exercised_min - 1}), 8 * 4096);
}

TEST(Sampling, doubles_low_discrepancy_sets_at_least) {
  Sampling const sampling = sampling_for(Method::rqmc);
  Contract const contract = with_target(0.01, 1 << 28);

  EXPECT_EQ(next_round(contract, sampling, {512, 0.0101, enough}), 1024);
  EXPECT_EQ(next_round(contract, sampling, {512, std::nextafter(0.01, 1), enough}), 1024);
  EXPECT_EQ(next_round(contract, sampling, {512, 0.02, enough}), 2048);  // 2^(4/3) = 2.52
  EXPECT_EQ(next_round(contract, sampling, {512, 10.0, enough}), 4096);
}

// Follows an option whose error falls as the square root law says; returns its rounds.
std::vector<std::int64_t> rounds_of(Contract const& contract, Sampling const& sampling,
                                    double deviation) {
  std::vector<std::int64_t> rounds{first_round(contract, sampling)};
  for (;;) {
    std::int64_t const samples = rounds.back();
    double const std_error = deviation / std::sqrt(static_cast<double>(samples));
    std::int64_t const next = next_round(contract, sampling, {samples, std_error, samples});
    if (next == samples) return rounds;
    rounds.push_back(next);
  }
}

TEST(Sampling, comes_to_an_end_in_few_rounds_of_whole_blocks) {
  for (Method const method : {Method::mc, Method::mc_plain, Method::rqmc}) {
    Sampling const sampling = sampling_for(method);
    for (double target = 1e-6; target < 10; target *= 3.3) {
      Contract const contract = with_target(target, 1 << 28);
      auto const rounds = rounds_of(contract, sampling, 1.0);
      std::int64_t const most = samples_max(contract, sampling);

      EXPECT_LE(rounds.size(), 16U);
      for (std::size_t i = 0; i + 1 < rounds.size(); ++i) {
        EXPECT_LT(rounds[i], rounds[i + 1]);
        EXPECT_EQ(rounds[i] % sampling.block, 0);
        EXPECT_LE(rounds[i + 1], 8 * rounds[i]);
      }
      bool const met = 1.0 / std::sqrt(static_cast<double>(rounds.back())) <= target;
      EXPECT_TRUE(met || rounds.back() == most);
    }
  }
}

TEST(Sampling, blocks_of_all_rounds_hold_each_sample_once) {
  std::mt19937_64 random{3};
  for (Method const method : {Method::mc, Method::rqmc}) {
    Sampling const sampling = sampling_for(method, 16);
    for (int trial = 0; trial < 50; ++trial) {
      // Rounds end on whole blocks, all but the last.
      std::int64_t const middle = sampling.block * static_cast<std::int64_t>(1 + random() % 5);
      std::int64_t const end = middle + static_cast<std::int64_t>(1 + random() % 5000);
      std::set<std::pair<int, std::int64_t>> seen;
      for (auto const& [from, to] : {std::pair{std::int64_t{0}, middle}, std::pair{middle, end}}) {
        for (std::int64_t item = 0; item < blocks_between(sampling, from, to); ++item) {
          Block const block = block_at(sampling, from, to, item);
          EXPECT_EQ(block.sample_first, block.index * sampling.block);
          EXPECT_GE(block.sample_first, from);
          EXPECT_LE(block.sample_first + block.samples, to);
          EXPECT_LE(block.samples, sampling.block);
          for (int i = 0; i < block.samples; ++i) {
            EXPECT_TRUE(seen.insert({block.replicate, block.sample_first + i}).second);
          }
        }
      }
      EXPECT_EQ(seen.size(), static_cast<std::size_t>(end * sampling.replicates));
    }
  }
}

TEST(Sampling, blocks_are_whole_slabs) {
  // A kernel starts at multiples of a slab; a low-discrepancy block must be an aligned power.
  for (Method const method : {Method::mc, Method::mc_plain, Method::rqmc}) {
    Sampling const sampling = sampling_for(method);
    EXPECT_EQ(sampling.block % slab_samples, 0);
    EXPECT_EQ(sampling.pilot % sampling.block, 0);
  }
}

}  // namespace
}  // namespace makespan::asian
