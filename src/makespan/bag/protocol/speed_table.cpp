// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/protocol/speed_table.hpp"

#include <algorithm>
#include <cmath>

#include "makespan/base/contracts.hpp"

namespace makespan::bag {

Speed speed_together(std::span<Speed const> speeds) {
  Speed together{0.0};
  Speed fastest{0.0};
  int unknown = 0;
  for (Speed const speed : speeds) {
    // speed_of_the_gone is below 0: it adds nothing, and does not count as unknown.
    together += std::max(speed, Speed{0.0});
    fastest = std::max(fastest, speed);
    if (speed == Speed{0.0}) ++unknown;
  }
  return together + fastest * unknown;
}

SpeedTable::SpeedTable(int workers)
    : records_(static_cast<std::size_t>(workers)), speeds_(records_.size()) {
  MAKESPAN_EXPECT(workers > 0);
}

SpeedTable::Record const& SpeedTable::at(int worker) const {
  MAKESPAN_EXPECT(worker >= 0 && worker < workers());
  return records_[static_cast<std::size_t>(worker)];
}

bool SpeedTable::measured(int worker) const {
  return at(worker).taken > Seconds{0.0};
}

Speed SpeedTable::speed(int worker) const {
  MAKESPAN_EXPECT(worker >= 0 && worker < workers());
  return speeds_[static_cast<std::size_t>(worker)];
}

Speed SpeedTable::speed_seen(int worker) const {
  return at(worker).total.taken > Seconds{0.0} ? speed(worker) : Speed{0.0};
}

void SpeedTable::remember(int worker, Speed speed) {
  MAKESPAN_EXPECT(!measured(worker));
  MAKESPAN_EXPECT(speed > Speed{0.0} && std::isfinite(speed.value()));
  add(worker, speed * remembered_length, remembered_length);
}

void SpeedTable::record(int worker, Work work, Seconds taken) {
  MAKESPAN_EXPECT(worker >= 0 && worker < workers());
  if (!(work > Work{0.0} && taken > Seconds{0.0})) return;
  add(worker, work, taken);
  Total& total = records_[static_cast<std::size_t>(worker)].total;
  total = {.work = total.work + work, .taken = total.taken + taken};
}

void SpeedTable::add(int worker, Work work, Seconds taken) {
  Record& mine = records_[static_cast<std::size_t>(worker)];
  mine.work = mine.work * memory + work;
  mine.taken = mine.taken * memory + taken;
  // Kept, with their sum: each claim asks for that, and a thief for all of them.
  speeds_[static_cast<std::size_t>(worker)] = mine.work / mine.taken;
  total_ = speed_together(speeds_);
}

Speed SpeedTable::speed_to_go_by(int worker) const {
  // The slowest of the others: what is predicted by it is rather too long than too short.
  Speed slowest = speed_seen(worker);
  if (slowest > Speed{}) return slowest;
  for (int other = 0; other < workers(); ++other) {
    Speed const speed = speed_seen(other);
    bool const is_slower = !(slowest > Speed{}) || speed < slowest;
    if (speed > Speed{} && is_slower) slowest = speed;
  }
  return slowest;
}

}  // namespace makespan::bag
