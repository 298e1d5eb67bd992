// SPDX-License-Identifier: Apache-2.0
// Goal: batches follow the published x of mean and standard deviation. Method: pure calls, against
// the formula worked out by hand.
#include "makespan/bag/policy/factoring.hpp"

#include <gtest/gtest.h>

#include "drain.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

// Left at the begin of each batch, b, x, and the chunk:
//   1000: 4 / (2 sqrt 1000) = 0.06325, x = 1 + 0.004 + 0.06325 sqrt 2.004 = 1.0935, 228.6
//     84: 0.2182, x = 2 + 0.04762 + 0.2182 sqrt 4.04762 = 2.4866, 8.45
//     48: 0.2887, x = 2.6667, 4.5
//     28: 0.3780, x = 2.9122, 2.40
//     16: 0.5, x = 3.2808, 1.22
//      8: 0.7071, x = 4, 0.5
TEST(Factoring, matches_the_batches_for_1000_items_and_4_workers) {
  FactoringPolicy policy{OptionValues{{"item_s_mean", 2.0}, {"item_s_deviation", 2.0}}};

  auto const chunks = Drain{.items = 1000, .speeds = {1, 1, 1, 1}}.chunks(policy);

  EXPECT_EQ(chunks, unrolled({{229, 4}, {9, 4}, {5, 4}, {3, 4}, {2, 4}, {1, 8}}));
}

TEST(Factoring, takes_the_predicted_spread_when_none_is_given) {
  FactoringPolicy policy{OptionValues{}};

  auto const chunks =
      Drain{.items = 1000, .speeds = {1, 1, 1, 1}, .item_cost_spread = 1.0}.chunks(policy);

  EXPECT_EQ(chunks, unrolled({{229, 4}, {9, 4}, {5, 4}, {3, 4}, {2, 4}, {1, 8}}));
}

// The table of the literature: halves of what is left, rounded up.
TEST(Factoring, halves_while_no_spread_is_known) {
  FactoringPolicy policy{OptionValues{}};

  auto const chunks = Drain{.items = 1000, .speeds = {1, 1, 1, 1}}.chunks(policy);

  EXPECT_EQ(chunks,
            unrolled({{125, 4}, {63, 4}, {31, 4}, {16, 4}, {8, 4}, {4, 4}, {2, 4}, {1, 4}}));
}

// Chunks of 10 items took 5, 15, 5 and 15 s: mean 1, squared distances 4 * 10 * 0.25 over 3, which
// is 10/3. With 1000 left b = 4 * sqrt(10/3) / (2 sqrt 1000) = 0.11547, x = 2 + 0.01333 + 0.11547
// sqrt 4.01333 = 2.24466 and the chunk 111.4.
TEST(Factoring, learns_the_spread_from_finished_chunks) {
  FactoringPolicy policy{OptionValues{}};
  Drain const drain{.items = 2000, .speeds = {1, 1, 1, 1}};
  static_cast<void>(policy.next_chunk(drain.request(0, 2000)));
  for (double const seconds : {5.0, 15.0, 5.0, 15.0}) {
    policy.chunk_finished({.worker = 0,
                           .step = 0,
                           .items = 10,
                           .work = Work{10.0},
                           .computing = Seconds{seconds},
                           .with_claim = Seconds{seconds}});
  }

  EXPECT_EQ(*policy.next_chunk(drain.request(4, 1000)).items(), 112);
}

TEST(Factoring, rejects_a_mean_of_a_day) {
  EXPECT_THROW(FactoringPolicy{OptionValues({{"item_s_mean", 86'400.0}})}, InputError);
}

}  // namespace
}  // namespace makespan::bag
