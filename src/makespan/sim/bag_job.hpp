// SPDX-License-Identifier: Apache-2.0
#pragma once

// A bag on a machine that need not exist: what is asked, and what came of it.

#include <cstdint>
#include <string>
#include <vector>

#include "makespan/bag/dispatcher.hpp"
#include "makespan/bag/protocol/bag.hpp"
#include "makespan/base/option_values.hpp"
#include "makespan/base/quantity.hpp"
#include "makespan/sim/model/machine_model.hpp"

namespace makespan::sim {

struct BagJob {
  MachineModel machine{};
  std::vector<bag::Segment> segments{};
  std::vector<double> cost_factors{};  // by task id: how wrong its prediction is; 1 beyond the end
  std::string policy{"equal_time"};
  OptionValues policy_options{};
  bag::Dispatcher dispatcher{bag::Dispatcher::steal};
  std::vector<Speed> speeds{};        // that are remembered, by worker; 0, or none: not known
  double result_bytes_per_item{0.0};  // that travel to image 0
  std::int64_t spans_kept{0};         // of the schedule, the first ones
};

enum class SpanKind : std::uint8_t { run, claim, steal, wait };

struct JobSpan {
  int worker{};
  SpanKind kind{};
  Seconds begin{};
  Seconds end{};
  std::int64_t items{};
};

// Of one worker: a thread, or a device that claims as one.
struct WorkerUse {
  int device{};  // through all images
  Seconds running{};
  Seconds claiming{};
  Seconds waiting{};
  std::int64_t items{};
};

struct BagResult {
  bool complete{};
  Seconds makespan{};
  // All work over what the devices could do until then, changes and losses included; infinite where
  // none is left before it is done.
  Seconds ideal{};
  std::int64_t claims{};
  std::int64_t steals{};
  std::int64_t operations{};  // one-sided, to other images
  std::int64_t messages{};    // calls, and what was told
  std::vector<WorkerUse> workers{};
  std::vector<JobSpan> spans{};
};

}  // namespace makespan::sim
