// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a run of objects is balanced.

#include <string>
#include <vector>

#include "makespan/base/option_values.hpp"
#include "makespan/graph/protocol/balance_trigger.hpp"

namespace makespan::graph {

// What it costs to send between places, where nobody has measured it. On the one machine that we
// know (two cores of a virtual AMD EPYC): a message between threads of an image 0.5 µs, between
// images of a host 5 µs and 2 GB/s. Between hosts: TCP on a cluster's network.
struct MessageCosts {
  double image_latency_s{0.5e-6};
  double image_bytes_s{10e9};
  double node_latency_s{5e-6};
  double node_bytes_s{2e9};
  double network_latency_s{30e-6};
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
  MessageCosts costs{};
};

}  // namespace makespan::graph
