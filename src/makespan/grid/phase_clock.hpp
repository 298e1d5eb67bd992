// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the time of a device goes: sums by phase, and the last phases one by one for callers that
// want to see them.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "makespan/grid/grid_options.hpp"

namespace makespan::grid {

enum class Phase : std::uint8_t {
  boundary,
  interior,
  pack,
  send,
  wait,
  unpack,
  sweep,  // by an accelerator, which computes while its thread is in other phases
};
inline constexpr std::size_t phase_count = 7;

[[nodiscard]] std::string_view name_of(Phase phase);

struct PhaseSpan {
  Phase phase{};
  std::int64_t step{};
  Seconds begin{};  // since the clock's zero
  Seconds end{};
  std::int64_t points{};  // that the device had in this step
};

// For the device's driver alone. Tested by tests/grid/phase_clock_test.cpp.
class PhaseClock {
 public:
  using Clock = std::chrono::steady_clock;

  // Keeps the last `spans` phases, none by default.
  explicit PhaseClock(std::int64_t spans = 0) : kept_(static_cast<std::size_t>(spans)) {}

  // From its making to its end.
  class Timing {
   public:
    Timing(PhaseClock& clock, Phase phase, std::int64_t step)
        : clock_{clock}, phase_{phase}, step_{step} {}
    Timing(Timing const&) = delete;
    Timing& operator=(Timing const&) = delete;
    ~Timing() { clock_.add(phase_, step_, begin_, Clock::now()); }

   private:
    PhaseClock& clock_;
    Phase phase_;
    std::int64_t step_;
    Clock::time_point begin_{Clock::now()};
  };
  [[nodiscard]] Timing time(Phase phase, std::int64_t step) { return {*this, phase, step}; }
  void add(Phase phase, std::int64_t step, Clock::time_point begin, Clock::time_point end);

  void set_zero(Clock::time_point zero) { zero_ = zero; }
  // Of the device, from now on.
  void set_points(std::int64_t points) { points_ = points; }
  // Busy: what an accelerator was.
  [[nodiscard]] DeviceTimes times() const;
  // Oldest first.
  [[nodiscard]] std::vector<PhaseSpan> spans() const;

 private:
  std::array<Seconds, phase_count> sums_{};
  std::vector<PhaseSpan> kept_;
  std::size_t added_{0};
  Clock::time_point zero_{};
  std::int64_t points_{0};
};

}  // namespace makespan::grid
