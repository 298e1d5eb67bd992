// SPDX-License-Identifier: Apache-2.0
// Goal: worlds repeat, and get smaller without getting well. Method: each world twice; a world with
// a planted fault, made smaller.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "swarm/world_kind.hpp"

namespace makespan::swarm {
namespace {

struct Told {
  Verdict verdict{};
  std::vector<std::string> lines{};
};

Told told(WorldKind const& kind, std::uint64_t seed) {
  Told told;
  told.verdict = kind.tell(seed, Fault::none,
                           [&told](std::string const& line) { told.lines.push_back(line); });
  return told;
}

TEST(Swarm, tells_the_same_story_of_the_same_seed) {
  for (WorldKind const& kind : world_kinds()) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      Told const first = told(kind, seed);

      EXPECT_EQ(first.lines, told(kind, seed).lines) << kind.name << " world " << seed;
      EXPECT_EQ(first.verdict.broken, "") << kind.name << " world " << seed;
    }
  }
}

TEST(Swarm, tells_other_stories_of_other_seeds) {
  for (WorldKind const& kind : world_kinds()) {
    EXPECT_NE(told(kind, 1).lines, told(kind, 2).lines) << kind.name;
  }
}

TEST(Swarm, shrinks_a_world_that_is_broken_to_one_that_is) {
  WorldKind const& bags = world_kinds().front();
  std::uint64_t seed = 0;
  while (bags.run(seed, Fault::double_steal).broken.empty()) ++seed;
  std::vector<std::string> whole;
  std::vector<std::string> small;

  static_cast<void>(bags.tell(seed, Fault::double_steal,
                              [&](std::string const& line) { whole.push_back(line); }));
  Verdict const verdict = bags.tell_smallest(
      seed, Fault::double_steal, [&](std::string const& line) { small.push_back(line); });

  EXPECT_NE(verdict.broken, "");
  EXPECT_LT(small.size(), whole.size());
}

}  // namespace
}  // namespace makespan::swarm
