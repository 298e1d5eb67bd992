// SPDX-License-Identifier: Apache-2.0
// Goal: what the registry calls a closed form is one: the number of the claim and the loop decide,
// so that a worker that knows them needs no communication. Method: every such policy of the
// registry, its claims in another order and by other workers than in a drain.
#include "makespan/bag/policy/closed_form_policy.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <set>
#include <string_view>

#include "drain.hpp"
#include "makespan/bag/policy/chunk_policy.hpp"
#include "makespan/bag/policy/detail/chunk_bounds.hpp"
#include "makespan/bag/policy/policy_registry.hpp"

namespace makespan::bag {
namespace {

// By name; the rest is left out.
std::vector<std::unique_ptr<ClosedFormPolicy>> closed_forms() {
  std::vector<std::unique_ptr<ClosedFormPolicy>> found;
  for (PolicyEntry const& entry : policies()) {
    if (entry.form != PolicyForm::closed) continue;
    auto policy = entry.make({});
    auto* const closed = dynamic_cast<ClosedFormPolicy*>(policy.get());
    EXPECT_NE(closed, nullptr) << entry.name;
    if (closed == nullptr) continue;
    static_cast<void>(policy.release());
    found.emplace_back(closed);
  }
  return found;
}

TEST(ClosedForm, has_the_techniques_that_have_one) {
  std::set<std::string_view> names;
  for (PolicyEntry const& entry : policies()) {
    if (entry.form == PolicyForm::closed) names.insert(entry.name);
  }

  EXPECT_EQ(names, (std::set<std::string_view>{"fac2", "fiss", "mfsc", "pls", "random", "self",
                                               "static", "tfss", "trapezoid", "viss"}));
}

TEST(ClosedForm, depends_on_the_number_of_the_claim_alone) {
  for (auto const& policy : closed_forms()) {
    Drain const drain{.items = 5000, .speeds = {1, 40, 0}, .claim_cost = Seconds{1e-3}};
    LoopFacts const loop = drain.request(0, drain.items).loop;
    auto const chunks = drain.chunks(*policy);

    std::int64_t items = 0;
    for (std::size_t step = chunks.size(); step-- > 0;) {
      std::int64_t const chunk = policy->chunk_at(loop, static_cast<std::int64_t>(step));
      // The last one is what is left.
      EXPECT_EQ(step + 1 < chunks.size() ? chunk : std::min(chunk, chunks[step]), chunks[step]);
      items += chunk;
    }
    EXPECT_GE(items, drain.items);
  }
}

TEST(ClosedForm, stays_within_the_loop) {
  for (auto const& policy : closed_forms()) {
    for (std::int64_t const items : {1LL, 2LL, 7LL, 1'000'000'000'000'000LL}) {
      for (int const workers : {1, 2, 3, 1000}) {
        LoopFacts const loop{items, Work{static_cast<double>(items)}, 0.0, workers};
        for (std::int64_t const step : {0LL, 1LL, 999LL, 5000LL, 1'000'000'000'000'000LL}) {
          std::int64_t const chunk = policy->chunk_at(loop, step);
          EXPECT_GE(chunk, 1);
          EXPECT_LE(chunk, items);
        }
      }
    }
  }
}

TEST(ChunkBounds, rounds_up_into_the_range) {
  EXPECT_EQ(whole_items(2.1, 10), 3);
  EXPECT_EQ(whole_items(3.0, 10), 3);
  EXPECT_EQ(whole_items(9.5, 10), 10);
  EXPECT_EQ(whole_items(-HUGE_VAL, 10), 1);
  EXPECT_EQ(whole_items(0.0, 10), 1);
  EXPECT_EQ(whole_items(std::nan(""), 10), 1);
  EXPECT_EQ(whole_items(HUGE_VAL, 10), 10);
  EXPECT_EQ(whole_items(1e15 - 0.5, 1'000'000'000'000'000), 1'000'000'000'000'000);
  EXPECT_EQ(even_share(1000, 4), 250);
  EXPECT_EQ(even_share(1001, 4), 251);
}

TEST(ChunkBounds, keeps_work_between_an_item_and_the_rest) {
  ChunkRequest const request = Drain{.items = 10, .speeds = {1}}.request(3, 5);

  EXPECT_EQ(*bounded_work(Work{0.25}, request).work(), Work{1.0});
  EXPECT_EQ(*bounded_work(Work{std::nan("")}, request).work(), Work{1.0});
  EXPECT_EQ(*bounded_work(Work{2.5}, request).work(), Work{2.5});
  EXPECT_EQ(*bounded_work(Work{7.0}, request).work(), Work{5.0});
}

}  // namespace
}  // namespace makespan::bag
