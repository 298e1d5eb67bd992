// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a team of devices is asked to do in one run.

#include <stop_token>

#include "makespan/bag/item_runner.hpp"
#include "makespan/bag/protocol/bag.hpp"
#include "makespan/trace/trace.hpp"

namespace makespan::bag {

// What a team is to do.
struct TeamJob {
  Bag const& bag;
  ItemRunner& runner;
  std::stop_token stop;
  trace::Trace* trace{};  // of its first threads; null: no trace is recorded
};

}  // namespace makespan::bag
