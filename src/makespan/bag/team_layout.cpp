// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/team_layout.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "makespan/base/error.hpp"
#include "makespan/base/number_text.hpp"
#include "makespan/machine/affinity.hpp"

namespace makespan::bag {

namespace {

// Far above what any machine has, far below what makes the operating system give in.
constexpr int threads_max = 4096;

std::string list_of(std::vector<int> const& cores) {
  std::string text;
  for (int const core : cores) text += (text.empty() ? "" : ", ") + std::to_string(core);
  return text;
}

void check(PieceRule const& rule, Mode mode) {
  if (rule.items_min < 1 || rule.items_max < rule.items_min) {
    throw InputError("pieces of " + std::to_string(rule.items_min) + " to " +
                         std::to_string(rule.items_max) + " items",
                     "a piece has one at least, and as many as its least",
                     "give items_min from 1 on and items_max from items_min on");
  }
  auto const is_time = [](Seconds time) {
    return time >= Seconds{} && std::isfinite(time.value());
  };
  if (!is_time(rule.time) || !is_time(rule.cost)) {
    throw InputError("pieces of " + short_text(rule.time.value()) + " s that cost " +
                         short_text(rule.cost.value()) + " s",
                     "times are finite numbers from 0 on", "give 0.0005 and 0, say");
  }
  if (rule.spans_tasks && claims_as_one(mode)) {
    throw InputError("pieces that go over tasks, of a device that claims as one",
                     "its threads share the items of one task", "use mode auto or mo");
  }
}

void check(TeamDevice const& device, std::vector<int> const& allowed) {
  if (device.threads < 0 || device.threads > threads_max) {
    throw InputError("threads = " + std::to_string(device.threads),
                     "outside 0 .. " + std::to_string(threads_max),
                     "give the count of threads, or 0 for one on each core");
  }
  for (int const core : device.cores) {
    if (std::ranges::find(allowed, core) != allowed.end()) continue;
    throw InputError("core " + std::to_string(core), "this process may not use it",
                     "its cores are " + list_of(allowed));
  }
  check(device.pieces, device.mode);
}

}  // namespace

TeamLayout::TeamLayout(std::vector<TeamDevice> const& devices) {
  if (devices.empty()) {
    throw InputError("no devices", "no thread would run items", "name one at least");
  }
  std::vector<int> const allowed = machine::allowed_cores();
  for (TeamDevice const& device : devices) {
    check(device, allowed);
    auto const cores = device.cores.empty() ? allowed.size() : device.cores.size();
    int const threads = device.threads > 0 ? device.threads : static_cast<int>(cores);
    int const number = this->devices();
    int const first_worker = workers();
    bool const as_one = claims_as_one(device.mode);
    for (int thread = 0; thread < threads; ++thread) {
      std::optional<int> core;
      if (!device.cores.empty())
        core = device.cores[static_cast<std::size_t>(thread) % device.cores.size()];
      if (!as_one || thread == 0) claiming_.push_back(this->threads());
      roles_.push_back({.device = number,
                        .worker = first_worker + (as_one ? 0 : thread),
                        .claims = !as_one || thread == 0,
                        .core = core});
    }
    sizes_.push_back(threads);
    pieces_.push_back(device.pieces);
    modes_.resize(modes_.size() + static_cast<std::size_t>(as_one ? 1 : threads), device.mode);
  }
  if (threads() > threads_max) {
    throw InputError(std::to_string(threads()) + " threads on all devices",
                     "more than " + std::to_string(threads_max), "give fewer");
  }
}

}  // namespace makespan::bag
