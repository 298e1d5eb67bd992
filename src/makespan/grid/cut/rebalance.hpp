// SPDX-License-Identifier: Apache-2.0
#pragma once

// When planes move to other devices, because these run at other speeds than was thought.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "makespan/base/quantity.hpp"
#include "makespan/grid/cut/slab_cut.hpp"

namespace makespan::grid {

// A device's speed from the time that it computed, without waiting: of two tellings the newer
// counts as much as all before it; of two in turn that are far off to the same side, alone: that is
// no noise, the device has another speed. Tested by tests/grid/cut/rebalance_test.cpp.
class SpeedMeter {
 public:
  // `planes` (in all steps together, or what is as much work) took `busy` over what the steps'
  // starts took. Nothing that was computed, or no time that passed, says nothing.
  void tell(double planes, Seconds busy);
  // Nothing before the first telling.
  [[nodiscard]] std::optional<Speed> speed() const { return speed_; }

 private:
  enum class Drift : std::uint8_t { none, up, down };
  [[nodiscard]] static Drift drift_of(Speed now, Speed known);

  std::optional<Speed> speed_{};
  Drift drift_{};
};

// Of each device, what it was measured to do. One that has computed nothing yet counts as fast as
// was said of it, beside the others. `said`: as many, in any unit.
[[nodiscard]] std::vector<Speed> present_speeds(std::span<SpeedMeter const> meters,
                                                std::span<Speed const> said);

struct RebalanceCosts {
  Seconds plane{};  // to move a plane
  Seconds fixed{};  // of moving any: devices wait for each other, and begin anew
};

struct RebalanceOptions {
  // What a step must gain at least, as a part of what it takes: less is noise, and would have
  // planes go back and forth.
  double gain_min{0.02};
};

// A change of cut: what a step takes now, what it would take, and planes that would move.
struct CutChange {
  Seconds now{};
  Seconds then{};
  std::int64_t planes{};
};

// Whether it gains enough of a step, and in the steps to come more than it costs.
[[nodiscard]] bool is_worth_it(CutChange const& change, std::int64_t steps_left,
                               RebalanceCosts const& costs, RebalanceOptions const& options = {});

}  // namespace makespan::grid
