// SPDX-License-Identifier: Apache-2.0
#include "swarm/objects_plan.hpp"

#include <array>
#include <sstream>
#include <utility>

#include "swarm/plan_parts.hpp"

namespace makespan::swarm {

ObjectsPlan objects_plan(std::uint64_t seed) {
  Draws draws(seed);
  ObjectsPlan plan{.seed = seed, .images = draws.count(1, 5), .threads = draws.count(1, 3)};
  plan.objects = draws.count(1, 12);
  plan.phases = draws.count(1, 5);
  plan.words = draws.count(1, 3);
  plan.hops = draws.count(0, 4);
  if (draws.chance(0.7)) plan.moves = 0.5 * draws.part();
  if (draws.chance(0.6)) plan.balance_every = draws.count(1, 3);
  constexpr std::array balancers{"rotate", "random", "gossip", "hierarchical"};
  plan.balancer = balancers[static_cast<std::size_t>(draws.count(1, 4)) - 1];
  if (draws.chance(0.6)) plan.checkpoint_every = draws.count(1, 2);
  plan.hearing = draws.time(microsecond, millisecond);
  plan.weather = weather(draws, plan.images);
  return plan;
}

std::vector<ObjectsPlan> smaller(ObjectsPlan const& plan) {
  std::vector<ObjectsPlan> all;
  auto const with = [&](auto&& change) {
    all.push_back(plan);
    change(all.back());
  };
  if (plan.images > 1) {
    with([](ObjectsPlan& less) { forget_images(less.weather, --less.images); });
  }
  if (plan.threads > 1) with([](ObjectsPlan& less) { --less.threads; });
  if (plan.phases > 1) with([](ObjectsPlan& less) { --less.phases; });
  if (plan.objects > 1) with([](ObjectsPlan& less) { less.objects /= 2; });
  if (plan.objects > 1) with([](ObjectsPlan& less) { --less.objects; });
  if (plan.words > 1) with([](ObjectsPlan& less) { --less.words; });
  if (plan.hops > 0) with([](ObjectsPlan& less) { --less.hops; });
  if (plan.moves > 0.0) with([](ObjectsPlan& less) { less.moves = 0.0; });
  if (plan.balance_every > 0) with([](ObjectsPlan& less) { less.balance_every = 0; });
  if (plan.checkpoint_every > 0) with([](ObjectsPlan& less) { less.checkpoint_every = 0; });
  for (Weather const& less : smaller(plan.weather)) {
    with([&less](ObjectsPlan& changed) { changed.weather = less; });
  }
  return all;
}

std::string describe(ObjectsPlan const& plan) {
  std::ostringstream text;
  text << "objects world " << plan.seed << ": " << plan.images << " images of " << plan.threads
       << " places, " << plan.objects << " objects, " << plan.phases << " phases\n"
       << "  each object says up to " << plan.words << " words, passed on up to " << plan.hops
       << " times; " << plan.moves * 100.0 << " % of them move their receiver; hearing takes up to "
       << plan.hearing / microsecond << " us\n";
  if (plan.balance_every > 0) {
    text << "  balancer " << plan.balancer << " every " << plan.balance_every << " phases\n";
  }
  if (plan.checkpoint_every > 0) {
    text << "  copies every " << plan.checkpoint_every << " phases\n";
  }
  text << describe(plan.weather);
  return text.str();
}

}  // namespace makespan::swarm
