// SPDX-License-Identifier: Apache-2.0
// Goal: a number leads to its collection, and plans that differ have other fingerprints. Method:
// collections of all sizes, 0 too.
#include "makespan/graph/object/detail/world_plan.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace makespan::graph {
namespace {

WorldPlan plan_of(std::vector<std::pair<std::string, int>> const& collections) {
  WorldPlan plan;
  for (auto const& [name, count] : collections) {
    plan.collections.push_back({.name = name, .first = plan.objects, .count = count});
    plan.objects += count;
  }
  return plan;
}

TEST(WorldPlan, names_an_object) {
  WorldPlan const plan = plan_of({{"cells", 20}, {"walls", 5}});

  EXPECT_EQ(plan.name_of(0), "cells[0]");
  EXPECT_EQ(plan.name_of(19), "cells[19]");
  EXPECT_EQ(plan.name_of(20), "walls[0]");
  EXPECT_EQ(plan.name_of(24), "walls[4]");
}

TEST(WorldPlan, passes_over_collections_of_nothing) {
  WorldPlan const plan =
      plan_of({{"none", 0}, {"a", 2}, {"no", 0}, {"nor", 0}, {"b", 1}, {"last", 0}});

  std::vector<std::string> names;
  for (int number = 0; number < plan.objects; ++number) names.push_back(plan.name_of(number));

  EXPECT_EQ(names, (std::vector<std::string>{"a[0]", "a[1]", "b[0]"}));
  EXPECT_EQ(&plan.collection_of(2), &plan.collections[4]);
}

TEST(WorldPlan, of_the_same_collections_has_the_same_fingerprint) {
  WorldPlan other = plan_of({{"cells", 20}, {"walls", 5}});
  other.options.threads = 7;
  other.options.balance.balancer = "random";
  other.collections[0].mobility = Mobility::fixed;

  EXPECT_EQ(plan_of({{"cells", 20}, {"walls", 5}}).fingerprint(), other.fingerprint());
}

TEST(WorldPlan, of_other_collections_has_another_fingerprint) {
  std::vector<WorldPlan> const plans{
      plan_of({}),
      plan_of({{"cells", 20}}),
      plan_of({{"cells", 20}, {"walls", 5}}),
      plan_of({{"walls", 5}, {"cells", 20}}),
      plan_of({{"cells", 21}, {"walls", 4}}),
      plan_of({{"cell", 20}, {"walls", 5}}),
      plan_of({{"cells", 20}, {"walls", 5}, {"none", 0}}),
  };

  for (std::size_t a = 0; a < plans.size(); ++a) {
    for (std::size_t b = a + 1; b < plans.size(); ++b) {
      EXPECT_NE(plans[a].fingerprint(), plans[b].fingerprint()) << a << " and " << b;
    }
  }
}

}  // namespace
}  // namespace makespan::graph
