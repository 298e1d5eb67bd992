// SPDX-License-Identifier: Apache-2.0
#include "makespan/apps/asian/run/detail/worker_kind.hpp"

#include <cstddef>
#include <optional>
#include <set>

#include "makespan/apps/asian/kernel/kernels.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/machine/core_kind.hpp"

namespace makespan::asian {

namespace {

// A worker that was at work for less has mostly filled tables and caches.
constexpr Seconds taken_min{1e-2};

// Of the cores that a worker's threads are tied to, each kind once; empty when they are tied to
// none, or the system does not tell.
std::string core_kinds(bag::TeamLayout const& layout, int worker) {
  std::set<std::string> kinds;
  for (int thread = 0; thread < layout.threads(); ++thread) {
    bag::TeamLayout::ThreadRole const& role = layout.role(thread);
    if (role.worker == worker && role.core) kinds.insert(machine::core_kind(*role.core));
  }
  std::string text;
  for (std::string const& kind : kinds) {
    if (!kind.empty()) text += (text.empty() ? " of " : " and ") + kind;
  }
  return text;
}

std::string count(std::size_t number, std::string const& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

}  // namespace

std::vector<std::string> worker_kinds(std::vector<machine::DeviceSpec> const& specs,
                                      bag::TeamLayout const& layout) {
  MAKESPAN_EXPECT(std::ssize(specs) == layout.devices());
  std::size_t const all_cores = machine::allowed_cores().size();
  std::vector<std::string> kinds;
  for (int worker = 0; worker < layout.workers(); ++worker) {
    int const device = layout.role(layout.claiming_thread(worker)).device;
    machine::DeviceSpec const& spec = specs[static_cast<std::size_t>(device)];
    auto const threads = static_cast<std::size_t>(layout.threads_of(device));
    if (spec.kind == machine::DeviceKind::cuda) {
      kinds.push_back(spec.isa + ", 1 of " + count(threads, "thread"));
      continue;
    }
    std::string kind{Kernels::named(spec.isa).isa};
    kind += ", " + std::to_string(layout.threads_of_worker(worker)) + " of ";
    kind += count(threads, "thread") + " on ";
    kind += count(spec.cores.empty() ? all_cores : spec.cores.size(), "core");
    kinds.push_back(kind + core_kinds(layout, worker));
  }
  return kinds;
}

SpeedByKind speeds_by_kind(std::vector<std::string> const& kinds, bag::SpeedTable const& speeds) {
  MAKESPAN_EXPECT(std::ssize(kinds) == speeds.workers());
  std::map<std::string, bag::SpeedTable::Total> totals;
  for (int worker = 0; worker < speeds.workers(); ++worker) {
    auto const one = speeds.total_of(worker);
    if (one.taken < taken_min) continue;
    auto& all = totals[kinds[static_cast<std::size_t>(worker)]];
    // Work and time are summed apart: the mean of speeds would weigh a short look as a long one.
    all = {.work = all.work + one.work, .taken = all.taken + one.taken};
  }
  SpeedByKind by_kind;
  for (auto const& [kind, total] : totals) by_kind[kind] = total.work / total.taken;
  return by_kind;
}

}  // namespace makespan::asian
