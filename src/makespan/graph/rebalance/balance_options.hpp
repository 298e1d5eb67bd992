// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a run of objects is balanced.

#include <limits>
#include <string>
#include <vector>

#include "makespan/base/option_values.hpp"
#include "makespan/graph/protocol/trigger_options.hpp"

namespace makespan::graph {

struct BalanceOptions {
  TriggerOptions trigger{};
  std::string balancer{"makespan"};
  OptionValues balancer_options{};
  std::string load_model{"last"};
  OptionValues load_model_options{};
  // Of places, relative to each other, as a first guess; empty: equal. What objects take after they
  // have moved corrects it.
  std::vector<double> speeds{};
  // By which part measured loads of places err, until two phases tell (see load_noise()); 0 where
  // they are known.
  double load_noise{0.02};
  // What the objects of an image may take of its memory, by the bytes that it takes to move them;
  // infinite: no limit. A balancer whose places decide together does not take one.
  double image_memory_bytes{std::numeric_limits<double>::infinity()};
};

}  // namespace makespan::graph
