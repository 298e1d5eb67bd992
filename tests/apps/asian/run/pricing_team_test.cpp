// SPDX-License-Identifier: Apache-2.0
// Goal: a book has the same bits whichever of several images computed it, for every dispatcher,
// policy and mode, and after failures. Method: a mixed book on all images, against one thread of
// image 0.
#include "makespan/apps/asian/run/pricing_team.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "apps/asian/basket_contracts.hpp"
#include "apps/asian/heston_contracts.hpp"
#include "apps/asian/mixed_book.hpp"
#include "apps/asian/surface_contracts.hpp"
#include "apps/asian/team_bits.hpp"
#include "makespan/apps/asian/run/pricing_run.hpp"
#include "makespan/bag/dispatcher.hpp"
#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/base/error.hpp"

namespace makespan::asian {
namespace {

// One device of two threads on each image, wherever that runs.
PricingSettings on_two_threads(Method method, bool greeks) {
  PricingSettings settings = settings_of(method, greeks);
  settings.threads = 2;
  return settings;
}

// Only image 0 has bits to compare.
void expect_same_bits(BookColumns const& columns, PricingSettings const& settings) {
  std::vector<std::uint64_t> const bits = bits_on_all(columns, settings);
  if (!bits.empty()) {
    EXPECT_EQ(bits, bits_alone(columns, settings));
  }
}

TEST(PricingTeam, has_the_same_bits_for_every_estimator) {
  BookColumns const columns = mixed_book();
  for (MethodEntry const& entry : methods()) {
    SCOPED_TRACE(entry.name);
    expect_same_bits(columns, on_two_threads(entry.method, true));
  }
}

TEST(PricingTeam, has_the_same_bits_of_a_random_variance) {
  BookColumns columns;
  for (Heston const& model : heston_models) {
    Contract row = put(seasoned(monthly_call()));
    row.key += columns.spot.size();
    row.paths = 5000;
    add_heston_row(columns, row, model);
    add_heston_row(columns, geometric(on_strike(row, 1)), model);
  }
  for (bool const greeks : {false, true}) {
    expect_same_bits(columns, on_two_threads(Method::automatic, greeks));
  }
}

// Each image makes its own loadings and slices of what it was sent.
TEST(PricingTeam, has_the_same_bits_of_baskets_and_surfaces) {
  BookColumns columns;
  std::int32_t const surface = add_surface(columns, skewed());
  for (BasketOf const& basket : {five(), spread(), three_for_two()}) {
    Contract row = put(monthly_call());
    row.key += columns.spot.size();
    row.paths = 5000;
    std::int32_t const number = add_basket(columns, basket);
    if (columns.basket_offset.size() == 2) {
      columns.basket_surface[1] = surface;
      columns.basket_volatility[1] = 0;
    }
    add_basket_row(columns, row, number);
    add_basket_row(columns, on_strike(row, 1), number);
    columns.surface.resize(columns.spot.size(), -1);
  }
  Contract local = monthly_call();
  local.volatility = 0;
  columns.add(local);
  columns.basket.push_back(-1);
  columns.surface.push_back(surface);
  for (Method const method : {Method::automatic, Method::rqmc, Method::rqmc_smooth}) {
    expect_same_bits(columns, on_two_threads(method, true));
  }
}

TEST(PricingTeam, has_the_same_bits_under_every_dispatcher_and_mode) {
  BookColumns const columns = mixed_book();
  for (bag::DispatcherEntry const& dispatcher : bag::dispatchers()) {
    for (bag::ModeEntry const& mode : bag::modes()) {
      SCOPED_TRACE(std::string(dispatcher.name) + " " + std::string(mode.name));
      PricingSettings settings = on_two_threads(Method::mc, false);
      settings.dispatcher = dispatcher.dispatcher;
      settings.mode = mode.mode;
      expect_same_bits(columns, settings);
    }
  }
}

TEST(PricingTeam, has_the_same_bits_after_devices_have_failed) {
  BookColumns const columns = mixed_book();
  for (int const device : {0, 1}) {
    PricingSettings settings = on_two_threads(Method::mc, false);
    settings.injections.push_back(
        {.kind = bag::Injection::Kind::fail, .device = device, .item = 3});
    PricingTeam probe(settings_of(Method::mc, false));
    int const images = probe.images();
    probe.finish_all();
    if (images > 1) expect_same_bits(columns, settings);
  }
}

TEST(PricingTeam, names_the_devices_of_all_images) {
  BookColumns const columns = mixed_book();
  bits_on_all(columns, on_two_threads(Method::mc, false), [](RunSummary const& summary) {
    ASSERT_EQ(std::ssize(summary.devices), summary.images);
    EXPECT_EQ(summary.threads, 2 * summary.images);
    int first_thread = 0;
    for (int image = 0; image < summary.images; ++image) {
      DeviceSummary const& device = summary.devices[static_cast<std::size_t>(image)];
      EXPECT_EQ(device.image, image);
      EXPECT_EQ(device.threads, 2);
      EXPECT_EQ(device.first_thread, first_thread);
      EXPECT_FALSE(device.isa.empty());
      first_thread += device.threads;
    }
    EXPECT_EQ(std::ssize(summary.busy), summary.threads);
  });
}

TEST(PricingTeam, prices_one_book_after_the_other) {
  BookColumns const columns = mixed_book();
  PricingSettings const settings = on_two_threads(Method::mc, false);
  PricingTeam team(settings);
  if (team.image() == 0) {
    std::vector<std::uint64_t> const bits = bits_alone(columns, settings);
    for (int round = 0; round < 3; ++round) {
      PricingRun run(columns.book(), settings, &team);
      EXPECT_TRUE(run.summary().complete);
      EXPECT_EQ(bits_of(run.results()), bits);
    }
  } else {
    team.serve();
  }
  team.finish_all();
}

TEST(PricingTeam, of_a_run_that_was_cancelled_can_begin_another) {
  BookColumns columns;
  Contract endless = monthly_call();
  endless.paths = std::int64_t{1} << 32;
  endless.max_paths = endless.paths;
  columns.add(endless);
  PricingSettings const settings = on_two_threads(Method::mc, false);
  PricingTeam team(settings);
  if (team.image() == 0) {
    {
      PricingRun run(columns.book(), settings, &team);
      static_cast<void>(run.wait_for(std::chrono::milliseconds(50)));
      run.cancel();
      EXPECT_FALSE(run.summary().complete);
    }
    BookColumns const book = mixed_book();
    PricingRun run(book.book(), settings, &team);
    EXPECT_TRUE(run.summary().complete);
  } else {
    team.serve();
  }
  team.finish_all();
}

}  // namespace
}  // namespace makespan::asian
