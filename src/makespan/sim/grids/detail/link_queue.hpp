// SPDX-License-Identifier: Apache-2.0
#pragma once

// A direction of a link in virtual time.

#include "makespan/base/quantity.hpp"
#include "makespan/sim/grids/grid_job.hpp"

namespace makespan::sim {

// Messages pass in the order in which they come. With a burst it is a token bucket as the generic
// cell rate algorithm has it (ITU-T I.371): what passes is never more than `burst` ahead of the
// bandwidth. Tested by tests/sim/grids/link_queue_test.cpp.
class LinkQueue {
 public:
  explicit LinkQueue(LinkModel const& model) : model_{model} {}

  // Of a message whose first byte is there at `first` and whose last one at `last`: when the last
  // one has passed, latency left out.
  [[nodiscard]] Seconds pass(Seconds first, Seconds last, double bytes);

  [[nodiscard]] LinkModel const& model() const { return model_; }

 private:
  LinkModel model_;
  Seconds booked_{};  // until when, at its bandwidth, with what has passed
};

}  // namespace makespan::sim
