// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/load_clock.hpp"

#include <time.h>

#include <cerrno>
#include <system_error>
#include <utility>
#include <vector>

#include "makespan/base/median.hpp"

namespace makespan::graph {

std::int64_t ThreadClocks::cpu_ns() const {
  if (simulated_ns != nullptr) return *simulated_ns;
  timespec now{};
  if (::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) {
    throw std::system_error(errno, std::generic_category(), "the CPU clock of a thread");
  }
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

double ThreadClocks::ns_per_tick() const {
  if (simulated_ns != nullptr) return 1.0;
  static double const measured = [] {
    constexpr std::int64_t long_enough_ns = 20'000;
    constexpr int tries = 5;
    ThreadClocks const clocks;
    std::vector<double> ratios;
    for (int at = 0; at < tries; ++at) {
      std::int64_t const begin = clocks.ticks();
      std::int64_t const begin_ns = clocks.wall_ns();
      std::int64_t now_ns = begin_ns;
      while (now_ns - begin_ns < long_enough_ns) now_ns = clocks.wall_ns();
      std::int64_t const ticks = std::max<std::int64_t>(1, clocks.ticks() - begin);
      ratios.push_back(static_cast<double>(now_ns - begin_ns) / static_cast<double>(ticks));
    }
    // A stop between two readings spoils one of them.
    return median_or(std::move(ratios), 1.0);
  }();
  return measured;
}

namespace {

// What a stop leaves: a handler took some time, or its object would seem to have done nothing.
double least_ns(TimedHandler const& handler) {
  return handler.cpu_s == nullptr ? 0.0 : std::min(handler.ns, 1.0);
}

double take(TimedHandler& handler, double most_ns) {
  double const taken_ns = std::min(handler.ns - least_ns(handler), most_ns);
  handler.ns -= taken_ns;
  return taken_ns;
}

}  // namespace

void take_stop(std::span<TimedHandler> handlers, double stopped_ns) {
  // First off what no object owns.
  for (TimedHandler& handler : handlers) {
    if (handler.cpu_s == nullptr) stopped_ns -= take(handler, stopped_ns);
  }
  if (handlers.empty() || stopped_ns <= 0.0) return;
  // A stop makes long what it falls into.
  stopped_ns -= take(*std::ranges::max_element(handlers, {}, &TimedHandler::ns), stopped_ns);
  double left_ns = 0.0;
  for (TimedHandler const& handler : handlers) left_ns += handler.ns - least_ns(handler);
  if (stopped_ns <= 0.0 || left_ns == 0.0) return;
  // What is still left was spread: off all in proportion.
  double const part = std::max(0.0, 1.0 - stopped_ns / left_ns);
  for (TimedHandler& handler : handlers) {
    double const least = least_ns(handler);
    handler.ns = least + part * (handler.ns - least);
  }
}

}  // namespace makespan::graph
