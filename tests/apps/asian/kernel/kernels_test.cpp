// SPDX-License-Identifier: Apache-2.0
// Goal: kernels give the same bits on every instruction set, for every kind of job, and whatever
// else is asked for beside. Method: each combination against the one lane.
#include "makespan/apps/asian/kernel/kernels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "apps/asian/path_set.hpp"
#include "makespan/apps/asian/kernel/kernels.hpp"
#include "makespan/base/error.hpp"
#include "test_size.hpp"

namespace makespan::asian {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

template <class T>
bool same_bits(std::vector<T> const& a, std::vector<T> const& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

std::vector<PathOptions> all_options() {
  std::vector<PathOptions> all;
  for (auto const& [source, rounds] :
       {std::pair{NormalSource::philox, 10}, std::pair{NormalSource::philox, 7},
        std::pair{NormalSource::sobol, 10}}) {
    for (bool const antithetic : {false, true}) {
      for (bool const greeks : {false, true}) {
        for (bool const logs : {false, true})
          all.push_back({source, rounds, antithetic, greeks, logs});
      }
    }
  }
  return all;
}

// A contract of that many steps whose single-precision paths grow so.
Contract growing(Growth growth, std::int64_t steps) {
  for (double volatility = 1e-3; volatility < 5; volatility *= 1.2) {
    Contract const contract = with_fixings(steps, volatility);
    if (growth_for(volatility, laid(contract).schedule) == growth) return contract;
  }
  ADD_FAILURE() << "no volatility makes this growth";
  return with_fixings(steps);
}

std::vector<Growth> growths() {
  if (is_small_build) return {Growth::degree_4, Growth::exponential};
  return {Growth::degree_3, Growth::degree_4, Growth::degree_6, Growth::exponential};
}

std::vector<std::int64_t> step_counts() {
  if (is_small_build) return {3, 65};
  return {1, 2, 3, 63, 64, 65, 200};
}
constexpr int sample_counts[] = {1, 2, 255, slab_samples};

template <class T>
void expect_same_paths(Contract const& contract, Precision precision, PathOptions const& options) {
  PathSet paths{contract, precision, options};
  auto const expected = paths.functionals<T>(Kernels::named("one_lane"), 512, slab_samples);
  for (Kernels const* kernels : Kernels::available()) {
    for (int const samples : sample_counts) {
      auto const ours = paths.functionals<T>(*kernels, 512, samples);
      for (std::size_t f = 0; f < functional_count; ++f) {
        auto const bytes = static_cast<std::size_t>(samples) * sizeof(T);
        EXPECT_EQ(std::memcmp(&ours[f * slab_samples], &expected[f * slab_samples], bytes), 0)
            << kernels->isa << ", functional " << f << ", " << contract.fixings << " steps, "
            << samples << " samples";
      }
    }
  }
}

TEST(Kernels, single_precision_paths_have_the_same_bits_for_any_samples) {
  for (PathOptions const& options : all_options()) {
    for (Growth const growth : growths()) {
      for (std::int64_t const steps : step_counts()) {
        expect_same_paths<float>(growing(growth, steps), Precision::fp32, options);
      }
    }
  }
}

TEST(Kernels, double_precision_paths_have_the_same_bits_for_any_samples) {
  for (PathOptions const& options : all_options()) {
    for (std::int64_t const steps : step_counts()) {
      expect_same_paths<double>(with_fixings(steps, 0.4), Precision::fp64, options);
    }
  }
}

TEST(Kernels, more_dimensions_than_direction_numbers_have_the_same_bits) {
  Contract const contract = with_fixings(sobol_dimensions + 3);
  PathSet paths{contract, Precision::fp32, {.source = NormalSource::sobol, .antithetic = true}};
  auto const expected = paths.functionals<float>(Kernels::named("one_lane"), 256, 64);
  for (Kernels const* kernels : Kernels::available()) {
    EXPECT_TRUE(same_bits(paths.functionals<float>(*kernels, 256, 64), expected)) << kernels->isa;
  }
}

TEST(Kernels, Sobol_paths_are_the_same_far_out_in_the_sequence) {
  PathSet paths{with_fixings(12), Precision::fp32, {.source = NormalSource::sobol}};
  std::uint64_t const far = (std::uint64_t{1} << 32) - 2 * slab_samples;
  auto const expected = paths.functionals<float>(Kernels::named("one_lane"), far, slab_samples);
  for (Kernels const* kernels : Kernels::available()) {
    EXPECT_TRUE(same_bits(paths.functionals<float>(*kernels, far, slab_samples), expected))
        << kernels->isa;
  }
}

TEST(Kernels, prices_have_the_same_bits_with_and_without_Greeks) {
  for (NormalSource const source : {NormalSource::philox, NormalSource::sobol}) {
    for (bool const antithetic : {false, true}) {
      for (double const volatility : {0.01, 0.2, 2.0}) {
        Contract const contract = with_fixings(65, volatility);
        PathSet alone{contract, Precision::fp32, {source, 10, antithetic, false, true}};
        PathSet with_greeks{contract, Precision::fp32, {source, 10, antithetic, true, true}};
        for (Kernels const* kernels : Kernels::available()) {
          auto const prices = alone.functionals<float>(*kernels, 0, slab_samples);
          auto const all = with_greeks.functionals<float>(*kernels, 0, slab_samples);
          int const count = (antithetic ? sum_down + 1 : log_sum + 1) * slab_samples;
          EXPECT_EQ(std::memcmp(prices.data(), all.data(),
                                static_cast<std::size_t>(count) * sizeof(float)),
                    0)
              << kernels->isa;
        }
      }
    }
  }
}

std::vector<Contract> contracts_by_payoff() {
  std::vector<Contract> all;
  for (Contract const& base : {monthly_call(), put(with_start(seasoned(monthly_call())))}) {
    for (Contract const& contract : {base, geometric(base)}) {
      all.push_back(contract);
      all.push_back(on_strike(contract, 0.95));
    }
  }
  return all;
}

template <class T>
void expect_same_moments(Contract const& contract, Precision precision, Estimator estimator,
                         bool greeks) {
  PathSet paths{
      contract, precision, {.antithetic = estimator == Estimator::controlled, .greeks = greeks}};
  MomentJob const job = paths.moment_job(estimator);
  for (int const samples : {1, 2, 15, 16, 17, 255, slab_samples}) {
    auto values = paths.functionals<T>(Kernels::named("auto"), 0, slab_samples);
    auto const expected = strands_of(Kernels::named("one_lane"), job, values, samples);
    for (Kernels const* kernels : Kernels::available()) {
      EXPECT_TRUE(same_bits(strands_of(*kernels, job, values, samples), expected))
          << kernels->isa << ", " << samples << " samples";
    }
    // What lies where no sample is must not matter, though it be no number.
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i % slab_samples >= static_cast<std::size_t>(samples))
        values[i] = std::numeric_limits<T>::quiet_NaN();
    }
    for (Kernels const* kernels : Kernels::available()) {
      EXPECT_TRUE(same_bits(strands_of(*kernels, job, values, samples), expected))
          << kernels->isa << ", " << samples << " samples";
    }
  }
}

TEST(Kernels, moments_have_the_same_bits_for_any_samples) {
  for (Contract const& contract : contracts_by_payoff()) {
    for (Estimator const estimator : {Estimator::plain, Estimator::controlled}) {
      for (bool const greeks : {false, true}) {
        expect_same_moments<float>(contract, Precision::fp32, estimator, greeks);
        expect_same_moments<double>(contract, Precision::fp64, estimator, greeks);
      }
    }
  }
}

TEST(Kernels, price_moments_have_the_same_bits_with_and_without_Greeks) {
  for (Contract const& contract : contracts_by_payoff()) {
    for (Estimator const estimator : {Estimator::plain, Estimator::controlled}) {
      bool const antithetic = estimator == Estimator::controlled;
      PathSet paths{contract, Precision::fp32, {.antithetic = antithetic, .greeks = true}};
      auto const values = paths.functionals<float>(Kernels::named("auto"), 0, slab_samples);
      MomentJob job = paths.moment_job(estimator);
      for (Kernels const* kernels : Kernels::available()) {
        job.greeks = true;
        auto with_greeks = strands_of(*kernels, job, values, slab_samples);
        job.greeks = false;
        auto const alone = strands_of(*kernels, job, values, slab_samples);
        with_greeks.resize(alone.size());
        EXPECT_TRUE(same_bits(with_greeks, alone)) << kernels->isa;
      }
    }
  }
}

TEST(Kernels, transforms_have_the_same_bits_at_any_length_and_in_place) {
  for (std::size_t count = 0; count < 40; ++count) {
    std::vector<double> x(count);
    for (std::size_t i = 0; i < count; ++i) x[i] = 0.37 * static_cast<double>(i) - 5;
    for (Kernels const* kernels : Kernels::available()) {
      std::vector<double> exps = x;
      std::vector<double> masses = x;
      kernels->exp_all(exps, exps.data());
      kernels->normal_cdf_all(masses, masses.data());
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(exps[i], simd::portable_exp(x[i])) << kernels->isa;
        EXPECT_EQ(masses[i], simd::normal_cdf(x[i])) << kernels->isa;
      }
    }
  }
}

TEST(Kernels, are_found_by_name_the_one_lane_last) {
  EXPECT_EQ(Kernels::available().back()->isa, "one_lane");
  EXPECT_EQ(Kernels::available().back(), &Kernels::one_lane_table());
  EXPECT_EQ(Kernels::available().size(), Kernels::vector_tables().size() + 1);
  EXPECT_EQ(&Kernels::named("auto"), Kernels::available().front());
  for (Kernels const* kernels : Kernels::available())
    EXPECT_EQ(&Kernels::named(kernels->isa), kernels);
  EXPECT_THAT([] { static_cast<void>(Kernels::named("mmx")); },
              ThrowsMessage<InputError>(HasSubstr("isa 'mmx' is not available")));
  EXPECT_THAT([] { static_cast<void>(Kernels::named("")); },
              ThrowsMessage<InputError>(HasSubstr("one_lane")));
}

}  // namespace
}  // namespace makespan::asian
