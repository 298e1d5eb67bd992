// SPDX-License-Identifier: Apache-2.0
#include "swarm/world_kind.hpp"

#include <array>
#include <utility>

#include "swarm/bag_world.hpp"
#include "swarm/objects_world.hpp"

namespace makespan::swarm {

namespace {

constexpr int shrinking_runs_max = 2000;

template <class Plan>
Verdict tell(Plan const& plan, Fault fault, Story const& story) {
  story(describe(plan));
  Verdict verdict = run_world(plan, fault, story);
  story(verdict.broken.empty() ? "all holds" : "BROKEN: " + verdict.broken);
  return verdict;
}

// The first step that leaves it broken is taken, again and again.
template <class Plan>
Plan smallest(Plan plan, Fault fault) {
  int runs = 0;
  for (bool has_shrunk = true; has_shrunk && runs < shrinking_runs_max;) {
    has_shrunk = false;
    for (Plan& less : smaller(plan)) {
      ++runs;
      if (run_world(less, fault, {}).broken.empty()) continue;
      plan = std::move(less);
      has_shrunk = true;
      break;
    }
  }
  return plan;
}

template <class Plan>
WorldKind kind(std::string_view name, Plan (*plan_of)(std::uint64_t)) {
  return {.name = name,
          .run = [plan_of](std::uint64_t seed,
                           Fault fault) { return run_world(plan_of(seed), fault, {}); },
          .tell = [plan_of](std::uint64_t seed, Fault fault,
                            Story const& story) { return tell(plan_of(seed), fault, story); },
          .tell_smallest =
              [plan_of](std::uint64_t seed, Fault fault, Story const& story) {
                return tell(smallest(plan_of(seed), fault), fault, story);
              }};
}

}  // namespace

std::span<WorldKind const> world_kinds() {
  static std::array const kinds{kind("bag", &bag_plan), kind("objects", &objects_plan)};
  return kinds;
}

}  // namespace makespan::swarm
