// SPDX-License-Identifier: Apache-2.0
// Goal: one thread's work gives right prices and Greeks in price units, for each method, and the
// same whatever it did before. Method: prices of the recursion of tests/python/oracle and rows of
// tests/data/asian_greeks.csv, in standard errors; identities.
#include "makespan/apps/asian/run/option_worker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

#include "apps/asian/sample_contracts.hpp"
#include "makespan/apps/asian/estimate/moment_tree.hpp"
#include "makespan/apps/asian/run/detail/option_estimate.hpp"
#include "makespan/base/contracts.hpp"
#include "test_size.hpp"

namespace makespan::asian {
namespace {

// Prices a contract by what PricingRun does, on one thread: `samples` a replicate.
OptionResult price_on(OptionWorker& worker, PricingSettings const& settings,
                      Contract const& contract, std::int64_t samples) {
  Sampling const sampling = sampling_of(settings);
  worker.prepare(contract);
  std::vector<MomentTree> trees(static_cast<std::size_t>(sampling.replicates));
  for (std::int64_t item = 0; item < blocks_between(sampling, 0, samples); ++item) {
    Block const block = block_at(sampling, 0, samples, item);
    trees[static_cast<std::size_t>(block.replicate)].add(block.index, worker.run(block));
  }
  std::vector<std::vector<double>> moments;
  for (MomentTree const& tree : trees) moments.push_back(tree.total());
  OptionEstimate const estimator = worker.estimator();
  return estimator.result_from(estimator.estimate_from(moments, samples), samples);
}

OptionResult price_of(PricingSettings const& settings, Contract const& contract,
                      std::int64_t samples) {
  OptionWorker worker{settings, Kernels::named("auto")};
  return price_on(worker, settings, contract, samples);
}

PricingSettings worker_settings(Method method, bool greeks = false) {
  PricingSettings settings;
  settings.method = method;
  settings.greeks = greeks;
  settings.replicates = 16;
  return settings;
}

std::int64_t samples_of(Method method) {
  return method == Method::rqmc ? 1024 : drawn(65536);
}

struct Known {
  Contract contract;
  double price;
};

Contract seasoned_strike_put() {
  Contract contract = put(on_strike(monthly_call(), 1.05));
  contract.rate = 0.05;
  contract.drift = 0.02;
  contract.volatility = 0.3;
  contract.fixings = 9;
  contract.last_fixing = 0.75;
  contract.past_count = 3;
  contract.past_sum = 290;
  return contract;
}

Contract lagged_put() {
  Contract contract = put(with_start(monthly_call()));
  contract.rate = 0.05;
  contract.drift = 0.02;
  contract.volatility = 0.3;
  contract.strike = 105;
  contract.expiry = 1.25;
  return contract;
}

TEST(OptionWorker, prices_what_the_oracle_prices) {
  for (auto const& [contract, price_known] :
       {Known{monthly_call(), 5.465282011209522}, Known{put(monthly_call()), 3.918848195520902},
        Known{lagged_put(), 8.637178669314626}, Known{seasoned_strike_put(), 9.96652532925141}}) {
    for (Method const method : {Method::mc, Method::mc_plain, Method::rqmc}) {
      OptionResult const result = price_of(worker_settings(method), contract, samples_of(method));
      double const error = result.std_error[price];

      EXPECT_NEAR(result.value[price], price_known, 4 * error);
      EXPECT_GT(error, 0);
      EXPECT_LT(error, method == Method::mc_plain ? 0.1 * (is_small_build ? 6 : 1) : 0.02)
          << price_known;
      EXPECT_TRUE(std::isnan(result.value[delta]));
    }
  }
}

TEST(OptionWorker, has_the_Greeks_of_the_reference) {
  // First row of tests/data/asian_greeks.csv, differences of the oracle: good to 1e-4 of gamma.
  Outputs const known{5.46528201,  0.54865799,   0.03057305, 23.00721638,
                      24.89617459, -30.36145678, -7.43266620};
  for (Method const method : {Method::mc, Method::mc_plain, Method::rqmc}) {
    OptionResult const result =
        price_of(worker_settings(method, true), monthly_call(), samples_of(method));
    for (std::size_t k = 0; k < output_count; ++k) {
      double const truncation = 2e-4 * std::fabs(known[k]);
      EXPECT_NEAR(result.value[k], known[k], 4 * result.std_error[k] + truncation) << k;
      EXPECT_LT(result.std_error[k], (is_small_build ? 0.6 : 0.1) * std::fabs(known[k])) << k;
    }
  }
}

TEST(OptionWorker, keeps_put_call_parity_to_the_last_digits) {
  for (Method const method : {Method::mc, Method::rqmc}) {
    PricingSettings const settings = worker_settings(method, true);
    OptionResult const call_result = price_of(settings, monthly_call(), 1024);
    OptionResult const put_result = price_of(settings, put(monthly_call()), 1024);
    ContractLaw const law = laid(monthly_call()).law;
    Outputs const forward = forward_outputs(law, Payoff::average_price);

    double const parity = law.discount * 100 * forward[price];
    EXPECT_NEAR(call_result.value[price] - put_result.value[price], parity, 1e-12);
    EXPECT_NEAR(call_result.value[delta] - put_result.value[delta], law.discount * forward[delta],
                1e-12);
    EXPECT_NEAR(call_result.value[gamma], put_result.value[gamma], 1e-14);
    EXPECT_EQ(call_result.std_error, put_result.std_error);
  }
}

TEST(OptionWorker, scales_by_the_notional_and_its_sign) {
  Contract contract = monthly_call();
  PricingSettings const settings = worker_settings(Method::mc, true);
  OptionResult const one = price_of(settings, contract, 1024);
  contract.notional = -250;
  OptionResult const many = price_of(settings, contract, 1024);

  for (std::size_t k = 0; k < output_count; ++k) {
    EXPECT_DOUBLE_EQ(many.value[k], -250 * one.value[k]);
    EXPECT_DOUBLE_EQ(many.std_error[k], 250 * one.std_error[k]);
  }
  EXPECT_DOUBLE_EQ(many.method_price, -250 * one.method_price);
  EXPECT_EQ(many.control_beta, one.control_beta);
  EXPECT_DOUBLE_EQ(many.variance_reduction, one.variance_reduction);
}

TEST(OptionWorker, is_proportional_to_the_price_level) {
  Contract contract = monthly_call();
  OptionResult const one = price_of(worker_settings(Method::mc, true), contract, 1024);
  contract.spot *= 4;
  contract.strike *= 4;
  OptionResult const four = price_of(worker_settings(Method::mc, true), contract, 1024);

  EXPECT_EQ(four.value[price], 4 * one.value[price]);  // a power of two: exactly
  EXPECT_EQ(four.value[delta], one.value[delta]);
  EXPECT_EQ(four.value[gamma], one.value[gamma] / 4);
}

TEST(OptionWorker, gives_a_bound_beside_the_price_and_the_gain_of_its_controls) {
  OptionResult const result = price_of(worker_settings(Method::mc), monthly_call(), drawn(65536));

  EXPECT_NEAR(result.method_price, 5.464839681160756, 1e-9);  // lower_bound_test.cpp
  EXPECT_NEAR(result.control_beta, 1, 0.2);
  EXPECT_GT(result.variance_reduction, 500);
  OptionResult const plain =
      price_of(worker_settings(Method::mc_plain), monthly_call(), drawn(65536));
  EXPECT_NEAR(plain.variance_reduction, 1, 1e-3);
  EXPECT_TRUE(std::isnan(plain.control_beta));
}

TEST(OptionWorker, does_not_remember_the_option_before) {
  for (Method const method : {Method::mc, Method::mc_plain, Method::rqmc}) {
    PricingSettings const settings = worker_settings(method, true);
    OptionResult const alone = price_of(settings, monthly_call(), 512);
    OptionWorker worker{settings, Kernels::named("auto")};
    Contract longer = put(with_start(seasoned(monthly_call())));
    longer.fixings = 400;
    Contract wide = monthly_call();
    wide.volatility = 5.5;  // in double precision
    for (Contract const& before : {longer, wide, on_strike(monthly_call(), 1.1)}) {
      static_cast<void>(price_on(worker, settings, before, 256));
      OptionResult const after = price_on(worker, settings, monthly_call(), 512);
      EXPECT_EQ(after.value, alone.value);
      EXPECT_EQ(after.std_error, alone.std_error);
    }
  }
}

TEST(OptionWorker, draws_other_numbers_for_another_seed_or_key) {
  Contract other_seed = monthly_call();
  ++other_seed.seed;
  Contract other_key = monthly_call();
  other_key.key ^= 1;
  Contract other_high_key = monthly_call();
  other_high_key.key ^= std::uint64_t{1} << 63;
  for (Method const method : {Method::mc, Method::mc_plain, Method::rqmc}) {
    PricingSettings const settings = worker_settings(method);
    double const value = price_of(settings, monthly_call(), 256).value[price];
    for (Contract const& other : {other_seed, other_key, other_high_key}) {
      EXPECT_NE(price_of(settings, other, 256).value[price], value);
    }
  }
}

// Two seeds that had replicates in common would seem to agree where they do not.
TEST(OptionWorker, scrambles_no_two_replicates_alike_whatever_the_seed) {
  std::set<std::uint64_t> scrambles;
  std::set<std::uint64_t> beyond;
  PricingSettings const settings = worker_settings(Method::rqmc);
  OptionWorker worker{settings, Kernels::named("auto")};
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Contract contract = monthly_call();
    contract.seed = seed;
    worker.prepare(contract);
    for (int replicate = 0; replicate < 32; ++replicate) {
      BlockItem const item = worker.block_item({replicate, 0, 0, 256});
      scrambles.insert(item.scramble_key);
      beyond.insert(item.beyond_key);
    }
  }
  EXPECT_EQ(scrambles.size(), 3200U);
  EXPECT_EQ(beyond.size(), 3200U);
}

TEST(OptionWorker, gives_the_same_moments_in_any_order_of_replicates) {
  PricingSettings const settings = worker_settings(Method::rqmc);
  Contract const contract = monthly_call();
  OptionWorker worker{settings, Kernels::named("auto")};
  worker.prepare(contract);
  auto const moments = [&](int replicate) {
    auto const sums = worker.run({replicate, 0, 0, 256});
    return std::vector(sums.begin(), sums.end());
  };
  auto const first = moments(0);
  auto const other = moments(7);

  EXPECT_NE(first, other);
  EXPECT_EQ(moments(0), first);
  EXPECT_EQ(moments(7), other);
}

TEST(OptionWorker, cuts_blocks_where_it_likes) {
  // A short block is a prefix: its moments do not depend on what a longer one would hold.
  PricingSettings const settings = worker_settings(Method::mc);
  Contract const contract = monthly_call();
  OptionWorker worker{settings, Kernels::named("auto")};
  worker.prepare(contract);
  auto const count_of = [&](int samples) { return worker.run({0, 0, 0, samples})[exercised]; };
  double before = 0;
  for (int const samples : {1, 2, 255, 256, 257, 511, 513, 1023, 1024}) {
    double const count = count_of(samples);
    EXPECT_GE(count, before);
    EXPECT_LE(count, samples);
    before = count;
  }
}

TEST(OptionWorker, answers_exactly_where_it_can) {
  Contract const contract = geometric(monthly_call());
  PricingSettings const settings = worker_settings(Method::mc);
  OptionWorker worker{settings, Kernels::named("auto")};
  worker.prepare(contract);
  auto const exact = worker.exact();

  ASSERT_TRUE(exact.has_value());
  EXPECT_EQ(exact->method_price, exact->value[price]);
  EXPECT_EQ(exact->std_error[price], 0.0);
  EXPECT_TRUE(std::isnan(exact->control_beta));
  Contract const simulated = monthly_call();
  worker.prepare(simulated);
  EXPECT_FALSE(worker.exact().has_value());
}

TEST(OptionWorker, simulates_geometric_averages_by_the_plain_method) {
  Contract contract = geometric(monthly_call());
  contract.fixings = 10;
  contract.first_fixing = 0.1;
  OptionResult const result =
      price_of(worker_settings(Method::mc_plain, true), contract, drawn(65536));

  EXPECT_NEAR(result.value[price], 5.3425606635, 4 * result.std_error[price]);
  EXPECT_NEAR(result.method_price, 5.3425606635, 1e-10);
  OptionResult const exact = [&] {
    PricingSettings const settings = worker_settings(Method::mc);
    OptionWorker worker{settings, Kernels::named("auto")};
    worker.prepare(contract);
    return *worker.exact();
  }();
  for (std::size_t k = 0; k < output_count; ++k) {
    EXPECT_NEAR(result.value[k], exact.value[k], 4 * result.std_error[k]) << k;
  }
}

TEST(OptionWorker, chooses_double_precision_where_single_does_not_do) {
  Contract contract = monthly_call();
  PricingSettings automatic = worker_settings(Method::mc);
  automatic.precision = PrecisionChoice::automatic;
  PricingSettings single = automatic;
  single.precision = PrecisionChoice::fp32;
  PricingSettings twice = automatic;
  twice.precision = PrecisionChoice::fp64;
  EXPECT_EQ(precision_for(contract, automatic), Precision::fp32);
  EXPECT_EQ(precision_for(contract, twice), Precision::fp64);
  contract.volatility = 5.1;  // variance above 25
  EXPECT_EQ(precision_for(contract, automatic), Precision::fp64);
  EXPECT_EQ(precision_for(contract, single), Precision::fp32);
  contract.volatility = 5;
  EXPECT_EQ(precision_for(contract, automatic), Precision::fp32);
  contract.paths = 0;
  contract.std_error = 0.99e-4;
  EXPECT_EQ(precision_for(contract, automatic), Precision::fp64);
  contract.std_error = 1e-4;
  EXPECT_EQ(precision_for(contract, automatic), Precision::fp32);
}

// Their errors come near to what single precision is biased by.
TEST(OptionWorker, chooses_double_precision_for_very_many_paths) {
  for (auto const& [method, many] : {std::pair{Method::mc, 1 << 24}, {Method::rqmc, 1 << 20}}) {
    PricingSettings settings = worker_settings(method);
    settings.precision = PrecisionChoice::automatic;
    Contract contract = monthly_call();
    contract.paths = many;
    EXPECT_EQ(precision_for(contract, settings), Precision::fp32);
    contract.paths = many + 1;
    EXPECT_EQ(precision_for(contract, settings), Precision::fp64);
  }
}

TEST(OptionWorker, agrees_with_itself_in_both_precisions) {
  PricingSettings settings = worker_settings(Method::mc, true);
  OptionResult const single = price_of(settings, monthly_call(), drawn(65536));
  settings.precision = PrecisionChoice::fp64;
  OptionResult const twice = price_of(settings, monthly_call(), drawn(65536));
  for (std::size_t k = 0; k < output_count; ++k) {
    // Other normals: independent samples.
    EXPECT_NEAR(single.value[k], twice.value[k],
                4 * std::hypot(single.std_error[k], twice.std_error[k]));
    EXPECT_NE(single.value[k], twice.value[k]);
  }
}

TEST(OptionWorker, has_no_option_at_first) {
  PricingSettings const settings = worker_settings(Method::mc);
  OptionWorker worker{settings, Kernels::named("auto")};

  EXPECT_THROW(static_cast<void>(worker.run({0, 0, 0, 1})), ContractViolated);
}

}  // namespace
}  // namespace makespan::asian
