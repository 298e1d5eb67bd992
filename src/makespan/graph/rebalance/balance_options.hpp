// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a run of objects is balanced.

#include <string>
#include <vector>

#include "makespan/base/option_values.hpp"
#include "makespan/graph/protocol/balance_trigger.hpp"

namespace makespan::graph {

// What a message costs the place that gets it, if it was not measured: with many under way, since
// they travel together, so not the time of one. On the one machine that we know (two cores of a
// virtual AMD EPYC, docs/performance/objects.md) 0.2 µs from a thread of the image, 0.3 from
// another image of the host; between hosts the share of a TCP packet's cost. Bytes are copied some
// times on their way.
struct AssumedMessageCosts {
  double image_latency_s{0.2e-6};
  double image_bytes_s{10e9};
  double node_latency_s{0.3e-6};
  double node_bytes_s{2e9};
  double network_latency_s{2e-6};
  double network_bytes_s{1e9};
};

struct BalanceOptions {
  TriggerOptions trigger{};
  std::string balancer{"makespan"};
  OptionValues balancer_options{};
  std::string load_model{"last"};
  OptionValues load_model_options{};
  // Of places, relative to each other, as a first guess; empty: equal. What objects take after they
  // have moved corrects it.
  std::vector<double> speeds{};
  AssumedMessageCosts costs{};
};

}  // namespace makespan::graph
