// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/cut/rebalance.hpp"

#include <algorithm>
#include <cstddef>

#include "makespan/base/contracts.hpp"

namespace makespan::grid {

void SpeedMeter::tell(double planes, Seconds busy) {
  constexpr double blend = 0.5;
  MAKESPAN_EXPECT(planes >= 0);
  if (!(planes > 0) || !(busy > Seconds{0.0})) return;
  Speed const now = Work{planes} / busy;
  Drift const before = drift_;
  drift_ = speed_ ? drift_of(now, *speed_) : Drift::none;
  bool const is_another_speed = drift_ != Drift::none && drift_ == before;
  speed_ = speed_ && !is_another_speed ? (1.0 - blend) * *speed_ + blend * now : now;
}

SpeedMeter::Drift SpeedMeter::drift_of(Speed now, Speed known) {
  constexpr double far = 1.2;
  if (now > far * known) return Drift::up;
  return far * now < known ? Drift::down : Drift::none;
}

std::vector<Speed> present_speeds(std::span<SpeedMeter const> meters, std::span<Speed const> said) {
  MAKESPAN_EXPECT(meters.size() == said.size());
  double said_of_known = 0;
  double known = 0;
  for (std::size_t at = 0; at < meters.size(); ++at) {
    if (auto const speed = meters[at].speed()) {
      said_of_known += said[at].value();
      known += speed->value();
    }
  }
  // What was said may be in any unit: those that are measured tell what it is in planes per second.
  double const scale = said_of_known > 0 ? known / said_of_known : 1;
  std::vector<Speed> speeds;
  speeds.reserve(meters.size());
  for (std::size_t at = 0; at < meters.size(); ++at) {
    speeds.push_back(meters[at].speed().value_or(scale * said[at]));
  }
  return speeds;
}

bool is_worth_it(CutChange const& change, std::int64_t steps_left, RebalanceCosts const& costs,
                 RebalanceOptions const& options) {
  Seconds const saves = change.now - change.then;
  Seconds const takes = static_cast<double>(change.planes) * costs.plane + costs.fixed;
  return saves > options.gain_min * change.now && static_cast<double>(steps_left) * saves > takes;
}

}  // namespace makespan::grid
