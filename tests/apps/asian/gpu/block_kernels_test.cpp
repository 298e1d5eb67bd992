// SPDX-License-Identifier: Apache-2.0
// Goal: a GPU's moments are those of a CPU's vectors, bit for bit, for every estimator and for any
// contract. Method: random contracts, each with a few blocks, in launches on GPUs of tests
// (gpus_of_test.hpp): the CPU's emulation of one, and one by CUDA where there is one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "apps/asian/path_set.hpp"
#include "gpus_of_test.hpp"
#include "makespan/apps/asian/run/detail/book_launcher.hpp"

namespace makespan::asian {
namespace {

class BlockKernels
    : public testing::TestWithParam<std::tuple<Method, bool, PrecisionChoice, int /*rounds*/>> {
 protected:
  void SetUp() override {
    if (auto const why = why_no_gpus_of_test(); !why.empty()) GTEST_SKIP() << why;
  }

  static PricingSettings settings() {
    PricingSettings settings;
    std::tie(settings.method, settings.greeks, settings.precision, settings.philox_rounds) =
        GetParam();
    settings.replicates = 16;
    return settings;
  }
};

std::string name_of_case(testing::TestParamInfo<BlockKernels::ParamType> const& tested) {
  auto const& [method, greeks, precision, rounds] = tested.param;
  auto const entry = std::ranges::find(methods(), method, &MethodEntry::method);
  return std::string(entry->name) + (greeks ? "_with_Greeks" : "") +
         (precision == PrecisionChoice::fp32 ? "_single_" : "_double_") + std::to_string(rounds);
}

INSTANTIATE_TEST_SUITE_P(
    EveryEstimator, BlockKernels,
    testing::Combine(testing::Values(Method::mc, Method::mc_plain, Method::rqmc), testing::Bool(),
                     testing::Values(PrecisionChoice::fp32, PrecisionChoice::fp64),
                     testing::Values(7, 10)),
    name_of_case);

Contract random_contract(std::mt19937_64& random) {
  auto const between = [&](double low, double high) {
    return std::uniform_real_distribution(low, high)(random);
  };
  auto const one_of = [&](int count) {
    return std::uniform_int_distribution(0, count - 1)(random);
  };
  int const fixings[] = {1, 2, 3, 4, 5, 12, 63, 64, 65, 130, 252, 367};
  Contract contract = with_fixings(fixings[one_of(12)], std::exp(between(-6.0, 1.2)));
  contract.key = random();
  contract.seed = random();
  contract.strike = contract.spot * std::exp(between(-0.5, 0.5));
  contract.rate = between(-0.02, 0.1);
  contract.drift = between(-0.05, 0.1);
  contract.expiry = 1.0;
  if (one_of(2) == 0) contract = put(contract);
  if (one_of(3) == 0) contract = geometric(contract);
  // (The average of one price is the price: nothing is simulated.)
  if (one_of(3) == 0 && contract.fixings > 1) contract = on_strike(contract, between(0.8, 1.2));
  return contract;
}

TEST_P(BlockKernels, give_the_moments_of_vectors) {
  PricingSettings const settings = BlockKernels::settings();
  Sampling const sampling = sampling_of(settings);
  std::mt19937_64 random(20261122);
  OptionWorker worker{settings, Kernels::named("auto")};
  auto const gpus = gpus_of_test(1);
  BookLauncher launcher(gpus->open(0, 1), settings);
  std::vector<Contract> contracts;
  std::vector<std::vector<Block>> blocks;
  for (int i = 0; i < contracts_of_test(); ++i) {
    contracts.push_back(random_contract(random));
    std::int64_t const samples = 1 + static_cast<std::int64_t>(random() % 5000);
    std::int64_t const all = blocks_between(sampling, 0, samples);
    blocks.emplace_back();
    for (std::int64_t item = 0; item < std::min<std::int64_t>(all, 7); ++item)
      blocks.back().push_back(block_at(sampling, 0, samples, item));
    worker.prepare(contracts.back());
    launcher.add(i, worker, blocks.back());
  }

  auto const pieces = launcher.run();

  ASSERT_EQ(pieces.size(), contracts.size());
  for (std::size_t i = 0; i < contracts.size(); ++i) {
    worker.prepare(contracts[i]);
    std::vector<MomentTree> expected(static_cast<std::size_t>(sampling.replicates));
    for (Block const& block : blocks[i]) {
      expected[static_cast<std::size_t>(block.replicate)].add(block.index, worker.run(block));
    }
    for (std::size_t replicate = 0; replicate < expected.size(); ++replicate) {
      if (expected[replicate].empty()) continue;
      auto const theirs = expected[replicate].total();
      auto const ours = pieces[i].trees[replicate].total();
      ASSERT_EQ(ours.size(), theirs.size());
      EXPECT_EQ(std::memcmp(ours.data(), theirs.data(), ours.size() * sizeof(double)), 0)
          << "contract " << i << ", " << contracts[i].fixings << " fixings, volatility "
          << contracts[i].volatility;
    }
  }
}

}  // namespace
}  // namespace makespan::asian
