// SPDX-License-Identifier: Apache-2.0
// Goal: what the threads of a GPU do for a block gives the moments that a CPU's vectors give, bit
// for bit. Method: the program on the host, one thread after the other in each phase, in rising and
// in falling order, against OptionWorker::run().
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "apps/asian/basket_contracts.hpp"
#include "apps/asian/heston_contracts.hpp"
#include "apps/asian/path_set.hpp"
#include "apps/asian/surface_contracts.hpp"
#include "host_blocks.hpp"
#include "makespan/apps/asian/contract/contract_reader.hpp"
#include "makespan/apps/asian/path/sobol.hpp"
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
  BlockKind const kind{worker.precision(), option.path.model, option.moments.estimator,
                       option.moments.greeks};
  BlockLaunch launch(kind);
  launch.add_option(option);
  std::vector<std::byte> const tables(launch.tables().begin(), launch.tables().end());
  BlockOption placed{};
  launch.place_options(tables.data(), sobol_directions(), {&placed, 1});
  for (Order const order : {Order::rising, Order::falling}) {
    auto const ours = host_block_moments(kind, placed, item, launch.scratch(), order);
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

// Every kind of row that has a model, of a few steps, with blocks that end anywhere.
class BlockProgramOfModels : public testing::TestWithParam<Case> {
 protected:
  static void expect_same(BookColumns const& columns, bool has_sobol) {
    PricingSettings settings;
    settings.method = GetParam().method;
    settings.greeks = GetParam().greeks;
    if (!has_sobol && is_low_discrepancy(settings.method)) return;
    ContractBook const read = columns.book();
    ContractReader const book(read);
    for (std::int64_t row = 0; row < book.rows(); ++row) {
      settings.philox_rounds = row % 2 == 0 ? 10 : 7;
      for (Block const& block : blocks()) expect_same_moments(settings, book.at(row), block);
    }
  }

  static std::vector<Contract> rows() {
    return {with_fixings(3), put(seasoned(with_start(with_fixings(5)))),
            on_strike(with_fixings(2), 1.02)};
  }
};

TEST_P(BlockProgramOfModels, gives_the_moments_of_vectors_for_a_random_variance) {
  BookColumns columns;
  for (Heston const& model : {heston_models[0], heston_models[1]}) {
    for (Contract const& row : rows()) add_heston_row(columns, row, model);
  }
  expect_same(columns, false);
}

TEST_P(BlockProgramOfModels, gives_the_moments_of_vectors_for_baskets) {
  BookColumns columns;
  for (BasketOf const& basket : {single(), five(), spread(), three_for_two()}) {
    std::int32_t const number = add_basket(columns, basket);
    for (Contract const& row : rows()) add_basket_row(columns, row, number);
  }
  expect_same(columns, true);
}

TEST_P(BlockProgramOfModels, gives_the_moments_of_vectors_for_local_volatilities) {
  BookColumns columns;
  std::int32_t const number = add_surface(columns, skewed());
  for (Contract const& row : rows()) add_surface_row(columns, row, number, 20);
  expect_same(columns, true);
}

INSTANTIATE_TEST_SUITE_P(EveryJob, BlockProgramOfModels, testing::ValuesIn([] {
                           std::vector<Case> all;
                           for (Method const method :
                                {Method::mc, Method::mc_plain, Method::rqmc, Method::rqmc_smooth}) {
                             for (bool const greeks : {false, true}) {
                               all.push_back({method, greeks, PrecisionChoice::fp64});
                             }
                           }
                           return all;
                         }()),
                         [](testing::TestParamInfo<Case> const& tested) {
                           auto const entry = std::ranges::find(methods(), tested.param.method,
                                                                &MethodEntry::method);
                           return std::string{entry->name} +
                                  (tested.param.greeks ? "_with_Greeks" : "");
                         });

}  // namespace
}  // namespace makespan::asian
