// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/load_clock.hpp"

#include <time.h>

#include <cerrno>
#include <system_error>

namespace makespan::graph {

std::int64_t ThreadClocks::cpu_ns() const {
  if (simulated_ns != nullptr) return *simulated_ns;
  timespec now{};
  if (::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) {
    throw std::system_error(errno, std::generic_category(), "the CPU clock of a thread");
  }
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

namespace {

std::int64_t take(TimedHandler& handler, std::int64_t most_ns) {
  std::int64_t const taken_ns = std::min(handler.ns, most_ns);
  handler.ns -= taken_ns;
  return taken_ns;
}

}  // namespace

void take_stop(std::span<TimedHandler> handlers, std::int64_t stopped_ns) {
  // First off what no object owns.
  for (TimedHandler& handler : handlers) {
    if (handler.cpu_s == nullptr) stopped_ns -= take(handler, stopped_ns);
  }
  if (handlers.empty() || stopped_ns <= 0) return;
  // A stop makes long what it falls into.
  stopped_ns -= take(*std::ranges::max_element(handlers, {}, &TimedHandler::ns), stopped_ns);
  std::int64_t left_ns = 0;
  for (TimedHandler const& handler : handlers) left_ns += handler.ns;
  if (stopped_ns <= 0 || left_ns == 0) return;
  // What is still left was spread: off all in proportion.
  double const part =
      std::max(0.0, 1.0 - static_cast<double>(stopped_ns) / static_cast<double>(left_ns));
  for (TimedHandler& handler : handlers) {
    handler.ns = static_cast<std::int64_t>(static_cast<double>(handler.ns) * part);
  }
}

}  // namespace makespan::graph
