// SPDX-License-Identifier: Apache-2.0
// Goal: a function is run on every item once, results come in order, and what an item throws names
// it. Method: small lists, with and without costs, on two threads.
#include "makespan/bag/run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>

#include "makespan/bag/device_failed.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TeamOptions two_threads() {
  return {.devices = {{.threads = 2}}};
}

TEST(Run, gives_results_in_order) {
  std::atomic<int> calls{0};
  auto const square = [&](std::int64_t index) {
    ++calls;
    return std::to_string(index * index);
  };
  std::vector<double> const costs{1, 9, 2, 8};

  EXPECT_THAT(run(4, {}, square, two_threads()), ElementsAre("0", "1", "4", "9"));
  EXPECT_THAT(run(4, costs, square, two_threads()), ElementsAre("0", "1", "4", "9"));
  EXPECT_THAT(run(0, {}, square, two_threads()), ElementsAre());
  EXPECT_EQ(calls, 8);
}

TEST(Run, takes_results_that_can_only_be_moved) {
  auto const results = run(
      3, {}, [](std::int64_t index) { return std::make_unique<std::int64_t>(index); },
      two_threads());

  ASSERT_EQ(results.size(), 3U);
  EXPECT_EQ(*results[2], 2);
}

TEST(Run, carries_home_what_an_item_throws) {
  auto const broken = [](std::int64_t index) -> int {
    if (index == 17) throw std::domain_error("no seventeen");
    return 0;
  };
  try {
    static_cast<void>(run(100, {}, broken, two_threads()));
    ADD_FAILURE();
  } catch (ItemFailed const& failed) {
    EXPECT_EQ(failed.index(), 17);
    EXPECT_THAT(failed.what(), HasSubstr("item 17: no seventeen"));
    EXPECT_THROW(std::rethrow_if_nested(failed), std::domain_error);
  }
}

TEST(Run, names_the_item_that_throws_what_is_no_exception) {
  auto const broken = [](std::int64_t index) -> int {
    if (index == 17) throw 4;  // NOLINT(hicpp-exception-baseclass)
    return 0;
  };
  try {
    static_cast<void>(run(100, {}, broken, two_threads()));
    ADD_FAILURE();
  } catch (ItemFailed const& failed) {
    EXPECT_EQ(failed.index(), 17);
    EXPECT_THROW(std::rethrow_if_nested(failed), int);
  }
}

TEST(Run, goes_on_where_a_function_says_that_its_device_failed) {
  std::atomic<bool> has_failed{false};
  auto const results = run(100, {},
                           [&](std::int64_t index) {
                             if (!has_failed.exchange(true))
                               throw DeviceFailed("its memory has gone");
                             return index;
                           },
                           {.devices = {{.threads = 1}, {.threads = 1}}});

  EXPECT_EQ(results.size(), 100U);
  EXPECT_TRUE(has_failed);
}

TEST(Run, refuses_invalid_costs) {
  std::vector<double> const costs{1, -1};

  EXPECT_THROW(run(2, costs, [](std::int64_t) { return 0; }), InputError);
}

}  // namespace
}  // namespace makespan::bag
