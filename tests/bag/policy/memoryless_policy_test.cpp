// SPDX-License-Identifier: Apache-2.0
// Goal: what the registry calls memoryless is: the same request gets the same chunk, whatever was
// asked or told before. Method: every such policy of the registry, one object that has cut a loop
// and a fresh one.
#include "makespan/bag/policy/memoryless_policy.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string_view>

#include "drain.hpp"
#include "makespan/bag/policy/policy_registry.hpp"

namespace makespan::bag {
namespace {

TEST(Memoryless, has_the_techniques_that_need_what_is_left_alone) {
  std::set<std::string_view> names;
  for (PolicyEntry const& entry : policies()) {
    if (entry.form == PolicyForm::memoryless) names.insert(entry.name);
  }

  EXPECT_EQ(names, (std::set<std::string_view>{"equal_time", "guided"}));
}

TEST(Memoryless, forgets_what_was_before) {
  for (PolicyEntry const& entry : policies()) {
    if (entry.form != PolicyForm::memoryless) continue;
    SCOPED_TRACE(entry.name);
    Drain const drain{.items = 5000, .speeds = {1, 40, 0}, .claim_cost = Seconds{1e-3}};
    auto const used = entry.make({});
    auto const fresh = entry.make({});
    ASSERT_NE(dynamic_cast<MemorylessPolicy*>(used.get()), nullptr);
    static_cast<void>(drain.chunks(*used));

    for (std::int64_t left = 1; left < 5000; left += 37) {
      ChunkSize const a = used->next_chunk(drain.request(left, left));
      ChunkSize const b = fresh->next_chunk(drain.request(left, left));
      ASSERT_EQ(a.items() == nullptr, b.items() == nullptr);
      if (a.items() != nullptr) {
        EXPECT_EQ(*a.items(), *b.items());
      } else {
        EXPECT_EQ(*a.work(), *b.work());
      }
    }
  }
}

}  // namespace
}  // namespace makespan::bag
