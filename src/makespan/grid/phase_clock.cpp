// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/phase_clock.hpp"

#include <algorithm>

namespace makespan::grid {

std::string_view name_of(Phase phase) {
  constexpr std::array<std::string_view, phase_count> names{"boundary", "interior", "pack", "send",
                                                            "wait",     "unpack",   "sweep"};
  return names[static_cast<std::size_t>(phase)];
}

void PhaseClock::add(Phase phase, std::int64_t step, Clock::time_point begin,
                     Clock::time_point end) {
  auto const seconds = [](Clock::duration time) {
    return Seconds{std::chrono::duration<double>(time).count()};
  };
  sums_[static_cast<std::size_t>(phase)] += seconds(end - begin);
  if (kept_.empty()) return;
  kept_[added_ % kept_.size()] = {.phase = phase,
                                  .step = step,
                                  .begin = seconds(begin - zero_),
                                  .end = seconds(end - zero_),
                                  .points = points_};
  ++added_;
}

DeviceTimes PhaseClock::times() const {
  auto const of = [this](Phase phase) { return sums_[static_cast<std::size_t>(phase)]; };
  return {.boundary = of(Phase::boundary),
          .interior = of(Phase::interior),
          .pack = of(Phase::pack),
          .send = of(Phase::send),
          .wait = of(Phase::wait),
          .unpack = of(Phase::unpack),
          .busy = of(Phase::sweep)};
}

std::vector<PhaseSpan> PhaseClock::spans() const {
  std::size_t const count = std::min(added_, kept_.size());
  std::vector<PhaseSpan> spans(count);
  for (std::size_t i = 0; i < count; ++i) spans[i] = kept_[(added_ - count + i) % kept_.size()];
  return spans;
}

}  // namespace makespan::grid
