// SPDX-License-Identifier: Apache-2.0
// What one claim costs, in nanoseconds: in the pure state machine alone, and in a team of threads
// whose items do nothing.
//
//   claim_bench [repeats]
//
// Each line is the median of the repeats (default 15) and, in parentheses, their median absolute
// deviation.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "makespan/bag/device_team.hpp"
#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/bag/protocol/claim_machine.hpp"

namespace makespan::bag {
namespace {

constexpr std::int64_t items_per_task = 4;

// As of a book of options: 1000 different costs.
Bag book(std::int64_t tasks) {
  std::vector<Segment> segments;
  for (std::int64_t task = 0; task < tasks; ++task) {
    segments.push_back(
        {TaskId{task}, items_per_task, Work{1.0 + static_cast<double>(task % 1000)}});
  }
  return Bag(std::move(segments));
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

double ns_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count();
}

void print_repeated(std::string const& what, int repeats,
                    std::function<double()> const& ns_per_claim) {
  ns_per_claim();  // warm-up
  std::vector<double> samples;
  for (int repeat = 0; repeat < repeats; ++repeat) samples.push_back(ns_per_claim());
  double const centre = median(samples);
  std::vector<double> distances;
  for (double const sample : samples) distances.push_back(std::abs(sample - centre));
  std::printf("%-58s %8.1f (%.1f) ns per claim\n", what.c_str(), centre, median(distances));
}

// One finish and one ask for each claim, without a clock: every chunk is said to take 1 s at
// speed 1.
double machine_ns(Bag const& bag, PolicyEntry const& entry) {
  auto const policy = entry.make({});
  SpeedTable speeds(2);
  ClaimMachine machine(bag, Mode::automatic, *policy, speeds);
  auto const begin = std::chrono::steady_clock::now();
  for (;;) {
    ClaimActions const actions = machine.step(Ask{0, Seconds{1e-7}});
    if (actions.order != Order::run) break;
    machine.step(Finish{0, actions.items, Seconds{bag.work_of(actions.items).value()}});
  }
  return ns_since(begin) / static_cast<double>(machine.claims());
}

class NothingToDo final : public ItemRunner {
 public:
  void run(int /*thread*/, TaskId /*task*/, std::int64_t /*item_begin*/,
           std::int64_t /*item_end*/) override {}
};

// Thread time of one claim: what all threads spend, since they do nothing else.
double team_ns(DeviceTeam& team, Bag const& bag) {
  NothingToDo nothing;
  TeamReport const report = team.run(bag, nothing, {});
  return report.makespan.value() * 1e9 * team.threads() / static_cast<double>(report.claims);
}

void run_all(int repeats) {
  for (std::int64_t const tasks : {100, 100'000}) {
    Bag const bag = book(tasks);
    for (PolicyEntry const& entry : policies()) {
      print_repeated("machine, " + std::to_string(tasks) + " tasks, " + std::string(entry.name),
                     repeats, [&] { return machine_ns(bag, entry); });
    }
    for (int const threads : {1, 2}) {
      DeviceTeam team({.devices = {{.threads = threads}}, .policy = "self"});
      print_repeated(
          "team of " + std::to_string(threads) + ", " + std::to_string(tasks) + " tasks, self",
          repeats, [&] { return team_ns(team, bag); });
    }
  }
}

}  // namespace
}  // namespace makespan::bag

int main(int argc, char** argv) {
  makespan::bag::run_all(argc > 1 ? std::max(1, std::atoi(argv[1])) : 15);
  return 0;
}
