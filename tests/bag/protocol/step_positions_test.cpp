// SPDX-License-Identifier: Apache-2.0
// Goal: the number of a claim says which items it takes, for every policy with a closed form, also
// when numbers between are others'. Method: the whole loop cut by one claimant, and by two that
// share the numbers.
#include "makespan/bag/protocol/step_positions.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "makespan/bag/policy/policy_registry.hpp"

namespace makespan::bag {
namespace {

TEST(StepPositions, cut_the_loop_without_gaps_in_any_order_of_numbers) {
  LoopFacts const loop{.items = 1000, .work = Work{1000.0}, .item_cost_spread = 0.0, .workers = 3};
  for (PolicyEntry const& entry : policies()) {
    if (entry.form != PolicyForm::closed) continue;
    SCOPED_TRACE(entry.name);
    auto const policy = entry.make({});
    auto const& closed = dynamic_cast<ClosedFormPolicy const&>(*policy);
    StepPositions all(closed, loop);
    StepPositions even(closed, loop);
    StepPositions odd(closed, loop);

    std::int64_t end = 0;
    for (std::int64_t step = 0; end < loop.items; ++step) {
      ItemRange const items = all.at(step);
      EXPECT_EQ(items.begin, end);
      EXPECT_FALSE(items.empty());
      EXPECT_EQ((step % 2 == 0 ? even : odd).at(step), items);
      end = items.end;
    }
    EXPECT_EQ(end, loop.items);
    EXPECT_TRUE(all.at(5000).empty());
    EXPECT_TRUE(even.at(5000).empty());
  }
}

}  // namespace
}  // namespace makespan::bag
