// SPDX-License-Identifier: Apache-2.0
// Goal: what the threads of a GPU do for a block gives the moments that a CPU's vectors give, bit
// for bit. Method: the program on the host, one thread after the other in each phase, in rising and
// in falling order, against OptionWorker::run().
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "apps/asian/path_set.hpp"
#include "host_blocks.hpp"
#include "makespan/apps/asian/run/option_worker.hpp"
#include "test_size.hpp"

namespace makespan::asian {
namespace {

void expect_same_moments(PricingSettings const& settings, Contract const& contract,
                         Block const& block) {
  OptionWorker worker{settings, Kernels::named("auto")};
  worker.prepare(contract);
  auto const moments = worker.run(block);
  std::vector<double> const expected{moments.begin(), moments.end()};
  BlockOption const option = worker.block_option();
  BlockItem const item = worker.block_item(block);
  for (Order const order : {Order::rising, Order::falling}) {
    auto const ours = host_block_moments(worker.precision(), option, item, order);
    ASSERT_EQ(ours.size(), expected.size());
    EXPECT_EQ(std::memcmp(ours.data(), expected.data(), ours.size() * sizeof(double)), 0)
        << contract.fixings << " fixings, volatility " << contract.volatility << ", samples "
        << block.sample_first << " + " << block.samples;
  }
}

std::vector<Block> blocks() {
  return {{0, 0, 0, 1},
          {0, 1, block_samples, 255},
          {3, 0, 0, slab_samples + 1},
          {1, 5, 5 * block_samples, block_samples}};
}

struct Case {
  Method method;
  bool greeks;
  PrecisionChoice precision;
};

class BlockProgram : public testing::TestWithParam<Case> {
 protected:
  static PricingSettings settings(int rounds) {
    PricingSettings settings;
    settings.method = GetParam().method;
    settings.greeks = GetParam().greeks;
    settings.precision = GetParam().precision;
    settings.philox_rounds = rounds;
    return settings;
  }
};

TEST_P(BlockProgram, gives_the_moments_of_vectors_for_any_steps_and_samples) {
  for (std::int64_t const fixings : {1, 2, 3, 5, 63, 64, 65, 67, 200}) {
    if (is_small_build && fixings > 5 && fixings != 65) continue;
    for (Block const& block : blocks()) {
      expect_same_moments(settings(10), with_fixings(fixings), block);
    }
  }
}

TEST_P(BlockProgram, gives_the_moments_of_vectors_for_any_growth) {
  for (double const volatility : {0.002, 0.05, 0.2, 0.6, 2.0}) {
    expect_same_moments(settings(7), with_fixings(21, volatility), {0, 0, 0, block_samples});
  }
}

TEST_P(BlockProgram, gives_the_moments_of_vectors_for_any_payoff) {
  for (Contract const& contract :
       {put(with_start(seasoned(monthly_call()))), on_strike(monthly_call(), 0.95),
        geometric(monthly_call()), on_strike(geometric(seasoned(monthly_call())), 1.05)}) {
    expect_same_moments(settings(10), contract, {0, 0, 0, 777});
  }
}

INSTANTIATE_TEST_SUITE_P(
    EveryJob, BlockProgram, testing::ValuesIn([] {
      std::vector<Case> all;
      for (Method const method : {Method::mc, Method::mc_plain, Method::rqmc}) {
        for (bool const greeks : {false, true}) {
          for (auto const precision : {PrecisionChoice::fp32, PrecisionChoice::fp64}) {
            all.push_back({method, greeks, precision});
          }
        }
      }
      return all;
    }()),
    [](testing::TestParamInfo<Case> const& tested) {
      auto const entry = std::ranges::find(methods(), tested.param.method, &MethodEntry::method);
      std::string name{entry->name};
      name += tested.param.greeks ? "_with_Greeks" : "";
      return name + (tested.param.precision == PrecisionChoice::fp32 ? "_single" : "_double");
    });

TEST(BlockProgramOfSobolPoints, goes_on_beyond_the_direction_numbers_and_far_out) {
  PricingSettings settings;
  settings.method = Method::rqmc;
  expect_same_moments(settings, with_fixings(sobol_dimensions + 3), {2, 0, 0, 3});
  expect_same_moments(settings, with_fixings(12), {1, 0, (std::int64_t{1} << 32) - 1024, 1024});
}

}  // namespace
}  // namespace makespan::asian
