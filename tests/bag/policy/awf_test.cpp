// SPDX-License-Identifier: Apache-2.0
// Goal: the first loop is even, later ones have weights from those before. Method: whole loops of
// equal items.
#include "makespan/bag/policy/awf.hpp"

#include <gtest/gtest.h>

#include "drain.hpp"
#include "makespan/base/error.hpp"

namespace makespan::bag {
namespace {

TEST(Awf, learns_from_loop_to_loop) {
  AwfPolicy policy{OptionValues{}};
  Drain const drain{.items = 100, .speeds = {3, 1}};

  auto const first = drain.chunks(policy);
  auto const second = drain.chunks(policy);

  // Half shares of 100, 50, 24, 12, 6 and 2; then those of weighted_factoring_test.cpp.
  EXPECT_EQ(first, unrolled({{25, 2}, {13, 2}, {6, 2}, {3, 2}, {2, 2}, {1, 2}}));
  EXPECT_EQ(second, (std::vector<std::int64_t>{38, 13, 18, 6, 9, 3, 5, 2, 2, 1, 1, 1, 1}));
}

TEST(Awf, counts_later_loops_more) {
  AwfPolicy policy{OptionValues{}};
  Drain const drain{.items = 100, .speeds = {0, 0}};
  auto const loop_in = [&](double seconds_of_0) {
    static_cast<void>(policy.next_chunk(drain.request(0, 100)));
    for (int worker = 0; worker < 2; ++worker) {
      policy.chunk_finished({.worker = worker,
                             .step = worker,
                             .items = 10,
                             .work = Work{10},
                             .computing = Seconds{worker == 0 ? seconds_of_0 : 10.0},
                             .with_claim = Seconds{100}});
    }
  };
  loop_in(10.0);
  loop_in(5.0);

  // Speeds (10 + 2 * 10) / (10 + 2 * 5) = 1.5 and 1: weight 1.2 of 25.
  EXPECT_DOUBLE_EQ(policy.next_chunk(drain.request(0, 100)).work()->value(), 30.0);
}

TEST(Awf, begins_anew_with_another_count_of_workers) {
  AwfPolicy policy{OptionValues{}};
  static_cast<void>(Drain{.items = 100, .speeds = {3, 1}}.chunks(policy));

  auto const chunks = Drain{.items = 60, .speeds = {3, 1, 1}}.chunks(policy);

  EXPECT_EQ(std::vector(chunks.begin(), chunks.begin() + 3), unrolled({{10, 3}}));
}

TEST(Awf, has_no_options) {
  EXPECT_THROW(AwfPolicy{OptionValues({{"weight", 1.0}})}, InputError);
}

}  // namespace
}  // namespace makespan::bag
