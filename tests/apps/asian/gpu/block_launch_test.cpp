// SPDX-License-Identifier: Apache-2.0
// Goal: options of a launch are whole wherever its tables are carried, and a launch begins anew
// once it is cleared. Method: tables read back from a copy at another place.
#include "makespan/apps/asian/gpu/detail/block_launch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <concepts>
#include <cstring>
#include <vector>

#include "apps/asian/path_set.hpp"
#include "apps/asian/sample_contracts.hpp"
#include "makespan/apps/asian/run/option_worker.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::asian {
namespace {

PricingSettings settings_with(Method method, PrecisionChoice precision) {
  PricingSettings settings;
  settings.method = method;
  settings.greeks = true;
  settings.precision = precision;
  return settings;
}

template <class T>
void expect_copied(std::span<T const> placed, std::span<T const> own,
                   std::vector<std::byte> const& tables) {
  ASSERT_EQ(placed.size(), own.size());
  auto const* const begin = reinterpret_cast<std::byte const*>(placed.data());
  EXPECT_GE(begin, tables.data());
  EXPECT_LE(begin + placed.size_bytes(), tables.data() + tables.size());
  if constexpr (std::equality_comparable<T>) {
    EXPECT_TRUE(std::ranges::equal(placed, own));  // what lies between members may differ
  } else {
    EXPECT_EQ(std::memcmp(placed.data(), own.data(), own.size_bytes()), 0);
  }
}

// Three options of unlike length, one after the other through one worker, whose tables are gone
// when they are looked at.
TEST(BlockLaunch, carries_all_tables_that_its_options_show) {
  for (auto const precision : {PrecisionChoice::fp32, PrecisionChoice::fp64}) {
    for (Method const method : {Method::mc, Method::rqmc}) {
      bool const single = precision == PrecisionChoice::fp32;
      bool const sobol = method == Method::rqmc;
      PricingSettings const settings = settings_with(method, precision);
      OptionWorker worker{settings, Kernels::named("auto")};
      BlockLaunch launch({.precision = single ? Precision::fp32 : Precision::fp64,
                          .model = PathModel::lognormal,
                          .estimator = Estimator::controlled,
                          .greeks = true});
      std::vector<Contract> const contracts{with_fixings(3), with_fixings(130), with_fixings(1)};
      for (Contract const& contract : contracts) {
        worker.prepare(contract);
        launch.add_option(worker.block_option());
      }
      std::vector<std::byte> const tables(launch.tables().begin(), launch.tables().end());
      std::vector<BlockOption> placed(launch.options());
      launch.place_options(tables.data(), sobol_directions(), placed);

      ASSERT_EQ(placed.size(), 3U);
      EXPECT_EQ(launch.scratch().normals, sobol ? 131 : 0);
      EXPECT_EQ(launch.scratch().dimensions, sobol ? 130 : 0);
      EXPECT_EQ(launch.uses_sobol(), sobol);
      for (std::size_t i = 0; i < placed.size(); ++i) {
        worker.prepare(contracts[i]);
        PathJob const own = worker.block_option().path;
        PathJob const& path = placed[i].path;
        EXPECT_EQ(path.tables.steps, contracts[i].fixings);
        if (single) {
          expect_copied(path.tables.steps_f32, own.tables.steps_f32, tables);
          expect_copied(path.tables.greeks_f32, own.tables.greeks_f32, tables);
        } else {
          expect_copied(path.tables.steps_f64, own.tables.steps_f64, tables);
        }
        if (sobol) {
          expect_copied(path.sobol.bridge, own.sobol.bridge, tables);
          expect_copied(path.sobol.inverse_root_dt, own.sobol.inverse_root_dt, tables);
          EXPECT_EQ(path.sobol.direction.data(), sobol_directions().data());
        } else {
          expect_copied(path.philox_steps, own.philox_steps, tables);
        }
        EXPECT_EQ(path.normals, nullptr);
      }
    }
  }
}

TEST(BlockLaunch, is_empty_once_cleared) {
  PricingSettings const settings = settings_with(Method::rqmc, PrecisionChoice::fp32);
  OptionWorker worker{settings, Kernels::named("auto")};
  Contract const contract = with_fixings(9);
  worker.prepare(contract);
  BlockLaunch launch({Precision::fp32, PathModel::lognormal, Estimator::controlled, true});
  launch.add_option(worker.block_option());
  launch.add_item(worker.block_item({0, 0, 0, 5}));
  launch.add_node({0, 1});

  launch.clear();

  EXPECT_EQ(launch.options(), 0U);
  EXPECT_TRUE(launch.items().empty() && launch.nodes().empty() && launch.tables().empty());
  EXPECT_TRUE(launch.scratch().is_empty());
  EXPECT_FALSE(launch.uses_sobol());
  EXPECT_EQ(launch.add_option(worker.block_option()), 0);
}

TEST(BlockLaunchContract, wants_options_of_its_kind_and_whole_nodes_of_its_items) {
  PricingSettings const settings = settings_with(Method::mc, PrecisionChoice::fp32);
  OptionWorker worker{settings, Kernels::named("auto")};
  Contract const contract = with_fixings(9);
  worker.prepare(contract);
  BlockLaunch without_greeks({Precision::fp32, PathModel::lognormal, Estimator::controlled, false});
  BlockLaunch plain({Precision::fp32, PathModel::lognormal, Estimator::plain, true});
  BlockLaunch launch({Precision::fp32, PathModel::lognormal, Estimator::controlled, true});

  EXPECT_THROW(without_greeks.add_option(worker.block_option()), ContractViolated);
  EXPECT_THROW(plain.add_option(worker.block_option()), ContractViolated);
  launch.add_option(worker.block_option());
  for (std::int64_t i = 0; i < 4; ++i) launch.add_item(worker.block_item({0, i, i * 1024, 1024}));
  for (BlockNode const node :
       {BlockNode{0, 3}, BlockNode{1, 4}, BlockNode{-1, 1}, BlockNode{0, 0}}) {
    EXPECT_THROW(launch.add_node(node), ContractViolated);
  }
}

}  // namespace
}  // namespace makespan::asian
