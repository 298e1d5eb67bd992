// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/protocol/speed_table.hpp"

#include <algorithm>

#include "makespan/base/contracts.hpp"

namespace makespan::bag {

SpeedTable::SpeedTable(int workers) : records_(static_cast<std::size_t>(workers)) {
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
  return measured(worker) ? at(worker).work / at(worker).taken : Speed{0.0};
}

void SpeedTable::record(int worker, Work work, Seconds taken) {
  MAKESPAN_EXPECT(worker >= 0 && worker < workers());
  if (!(work > Work{0.0} && taken > Seconds{0.0})) return;
  Record& mine = records_[static_cast<std::size_t>(worker)];
  mine = {mine.work * memory + work, mine.taken * memory + taken};
  total_ = Speed{0.0};
  Speed fastest{0.0};
  int unknown = 0;
  for (int other = 0; other < workers(); ++other) {
    total_ += speed(other);
    fastest = std::max(fastest, speed(other));
    if (!measured(other)) ++unknown;
  }
  total_ += fastest * unknown;
}

}  // namespace makespan::bag
