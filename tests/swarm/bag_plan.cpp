// SPDX-License-Identifier: Apache-2.0
#include "swarm/bag_plan.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>
#include <utility>

#include "makespan/bag/policy/policy_registry.hpp"
#include "swarm/plan_parts.hpp"

namespace makespan::swarm {

namespace {

constexpr std::array modes{bag::Mode::automatic, bag::Mode::automatic, bag::Mode::mt, bag::Mode::mo,
                           bag::Mode::mth};
constexpr std::array dispatchers{bag::Dispatcher::steal,   bag::Dispatcher::steal,
                                 bag::Dispatcher::steal,   bag::Dispatcher::hierarchical,
                                 bag::Dispatcher::counter, bag::Dispatcher::boss,
                                 bag::Dispatcher::fixed};

Seconds seconds_of(Nanoseconds time) {
  return Seconds{static_cast<double>(time) * 1e-9};
}

DevicePlan device_plan(Draws& draws, bool fails, bool is_remembered) {
  DevicePlan device{.threads = draws.count(1, 3), .mode = draws.one_of(modes)};
  device.speed = static_cast<double>(draws.between(1, 16));
  device.is_remembered = is_remembered && draws.chance(0.8);
  if (fails && draws.chance(0.5)) device.fails = draws.time(10 * microsecond, 100 * millisecond);
  return device;
}

std::vector<ImagePlan> image_plans(Draws& draws) {
  bool const fails = draws.chance(0.5);
  bool const is_remembered = draws.chance(0.3);
  std::vector<ImagePlan> images(static_cast<std::size_t>(draws.count(1, 4)));
  int node = 0;
  for (ImagePlan& image : images) {
    if (&image != images.data() && draws.chance(0.5)) ++node;
    image.node = node;
    for (int devices = draws.count(1, 2); devices > 0; --devices) {
      image.devices.push_back(device_plan(draws, fails, is_remembered));
    }
  }
  return images;
}

// A thread of speed 1 takes up to 2 ms for an item, one of speed 16 a sixteenth of that.
std::vector<bag::Segment> segments(Draws& draws) {
  std::vector<bag::Segment> all;
  int const tasks = draws.count(1, 6);
  for (int task = 0; task < tasks; ++task) {
    auto const cost = static_cast<double>(draws.time(20 * microsecond, 2 * millisecond)) * 1e-9;
    all.push_back(
        {.task = TaskId{task}, .items = draws.between(1, 24), .cost_per_item = Work{cost}});
  }
  return all;
}

std::string_view policy_name(Draws& draws) {
  auto const all = bag::policies();
  return draws.chance(0.4) ? std::string_view("equal_time") : draws.one_of(all).name;
}

// What hangs may do so for longer than the limit, or for less; what does not may be overdue, too.
void add_overdue(BagPlan& plan, Draws& draws) {
  plan.look = draws.time(100 * microsecond, 2 * millisecond);
  plan.overdue = {.multiple = draws.chance(0.5) ? 1.0 : 4.0,
                  .floor = seconds_of(draws.time(100 * microsecond, 5 * millisecond)),
                  .run_again = draws.chance(0.7)};
  if (draws.chance(0.6)) {
    plan.overdue.limit = seconds_of(draws.time(millisecond, 50 * millisecond));
  }
  for (ImagePlan& image : plan.images) {
    for (DevicePlan& device : image.devices) {
      if (!draws.chance(0.4)) continue;
      device.hangs = draws.time(10 * microsecond, 50 * millisecond);
      device.hang = draws.time(millisecond, 200 * millisecond);
    }
  }
}

}  // namespace

BagPlan bag_plan(std::uint64_t seed) {
  Draws draws(seed);
  BagPlan plan{.seed = seed, .images = image_plans(draws)};
  for (int bags = draws.chance(0.4) ? 2 : 1; bags > 0; --bags) plan.bags.push_back(segments(draws));
  plan.policy = policy_name(draws);
  plan.dispatcher = draws.one_of(dispatchers);
  plan.weather = weather(draws, static_cast<int>(plan.images.size()));
  if (draws.chance(0.15)) plan.stop = draws.time(100 * microsecond, 30 * millisecond);
  if (draws.chance(0.4)) plan.disk = draws.time(100 * microsecond, 50 * millisecond);
  plan.part_bytes = draws.chance(0.3) ? 24 : 4096;
  if (draws.chance(0.4)) add_overdue(plan, draws);
  return plan;
}

namespace {

void add_without_image(std::vector<BagPlan>& all, BagPlan const& plan) {
  if (plan.images.size() == 1) return;
  BagPlan less = plan;
  less.images.pop_back();
  forget_images(less.weather, static_cast<int>(less.images.size()));
  all.push_back(std::move(less));
}

void add_without_devices(std::vector<BagPlan>& all, BagPlan const& plan) {
  for (std::size_t image = 0; image < plan.images.size(); ++image) {
    auto const& devices = plan.images[image].devices;
    for (std::size_t device = 0; device < devices.size(); ++device) {
      BagPlan less = plan;
      auto& mine = less.images[image].devices;
      if (devices[device].fails >= 0) {
        mine[device].fails = -1;
        all.push_back(less);
      }
      if (devices[device].hangs >= 0) {
        mine[device].hangs = -1;
        all.push_back(less);
      }
      if (devices[device].threads > 1) {
        mine[device].threads = 1;
        all.push_back(less);
      }
      if (devices.size() == 1) continue;
      mine.erase(mine.begin() + static_cast<std::ptrdiff_t>(device));
      all.push_back(std::move(less));
    }
  }
}

void add_without_items(std::vector<BagPlan>& all, BagPlan const& plan) {
  for (std::size_t bag = 0; bag < plan.bags.size(); ++bag) {
    if (plan.bags.size() > 1) {
      BagPlan less = plan;
      less.bags.erase(less.bags.begin() + static_cast<std::ptrdiff_t>(bag));
      all.push_back(std::move(less));
    }
    auto const& tasks = plan.bags[bag];
    for (std::size_t task = 0; task < tasks.size(); ++task) {
      BagPlan less = plan;
      auto& mine = less.bags[bag];
      if (mine[task].items > 1) {
        mine[task].items /= 2;
        all.push_back(less);
      }
      if (tasks.size() == 1) continue;
      mine.erase(mine.begin() + static_cast<std::ptrdiff_t>(task));
      all.push_back(std::move(less));
    }
  }
}

}  // namespace

std::vector<BagPlan> smaller(BagPlan const& plan) {
  std::vector<BagPlan> all;
  add_without_image(all, plan);
  add_without_items(all, plan);
  add_without_devices(all, plan);
  for (Weather const& less : smaller(plan.weather)) {
    all.push_back(plan);
    all.back().weather = less;
  }
  if (plan.stop >= 0) {
    all.push_back(plan);
    all.back().stop = -1;
  }
  if (plan.disk > 0) {
    all.push_back(plan);
    all.back().disk = 0;
  }
  if (plan.look > 0) {
    all.push_back(plan);
    all.back().look = 0;
  }
  return all;
}

std::string describe(BagPlan const& plan) {
  std::ostringstream text;
  text << "bag world " << plan.seed << ": policy " << plan.policy << ", dispatcher "
       << bag::dispatchers()[static_cast<std::size_t>(plan.dispatcher)].name << '\n';
  int number = 0;
  for (ImagePlan const& image : plan.images) {
    text << "  image " << number++ << " on node " << image.node << ':';
    for (DevicePlan const& device : image.devices) {
      text << ' ' << device.threads << " threads of speed " << device.speed << " (mode "
           << name_of(device.mode) << ')';
      if (device.is_remembered) text << " as is known";
      if (device.fails >= 0) text << " that fail at " << device.fails / microsecond << " us";
      if (device.hangs >= 0) {
        text << " of which one hangs at " << device.hangs / microsecond << " us for "
             << device.hang / microsecond << " us";
      }
      text << ';';
    }
    text << '\n';
  }
  for (auto const& tasks : plan.bags) {
    text << "  a bag of";
    for (bag::Segment const& task : tasks) {
      text << ' ' << task.items << " items of " << task.cost_per_item.value() * 1e6 << " us;";
    }
    text << '\n';
  }
  if (plan.stop >= 0) text << "  stopped at " << plan.stop / microsecond << " us\n";
  if (plan.disk > 0)
    text << "  results take up to " << plan.disk / microsecond << " us to take in\n";
  if (plan.look > 0) {
    text << "  overdue after " << plan.overdue.multiple << " times the prediction and "
         << plan.overdue.floor.value() * 1e6 << " us"
         << (plan.overdue.run_again ? ", and run again" : "") << "; lost after "
         << plan.overdue.limit.value() * 1e6 << " us; looked for each " << plan.look / microsecond
         << " us\n";
  }
  text << "  messages hold " << plan.part_bytes << " bytes\n" << describe(plan.weather);
  return text.str();
}

}  // namespace makespan::swarm
