// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a team did in one run, and how far it stayed from the best that it could have done.

#include <cstdint>
#include <vector>

#include "makespan/bag/protocol/overdue_watch.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::bag {

struct TeamReport {
  std::vector<Seconds> busy;  // by thread: time inside ItemRunner::run
  std::vector<Work> work;     // by thread: predicted cost of what it finished
  Seconds makespan;           // from the call to the end of the last chunk
  // work_done over the sum of the threads' speeds: the makespan if no thread had waited and claims
  // were free. The speed of a thread is its work over its busy time in this run; for one that came
  // too late to get any, what is known from earlier runs, and nothing if nothing is. Never above
  // the makespan, but for rounding. 0 if nothing was done.
  Seconds ideal;
  Speed speed{};   // that sum
  Work work_done;  // predicted cost of all that was finished
  std::int64_t claims{};
  std::int64_t steals{};
  std::vector<int> failed_devices;  // in this run and before it
  std::vector<OverduePiece> overdue{};
  bool complete{};  // every item was finished; false after a stop
};

}  // namespace makespan::bag
