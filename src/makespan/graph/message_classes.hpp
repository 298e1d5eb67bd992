// SPDX-License-Identifier: Apache-2.0
#pragma once

// Messages between threads of a job by how near the two are, and what such a message costs.

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "makespan/graph/detail/thread_places.hpp"
#include "makespan/graph/message_cost.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

// What two threads have in common, the nearest first.
enum class Nearness : std::int8_t { core, l2, l3, numa_node, package, host, network };

struct MessageClass {
  Nearness nearness{};
  bool is_in_image{};  // both are threads of one image
  // Of `network`, which two hosts: the lesser first.
  std::int32_t host{-1};
  std::int32_t other_host{-1};

  friend auto operator<=>(MessageClass const&, MessageClass const&) = default;
};

[[nodiscard]] MessageClass class_of(ThreadPlace const& a, ThreadPlace const& b);
// "threads of an image, same L3", "images of a host, same NUMA node", "hosts 0 and 2".
[[nodiscard]] std::string label_of(MessageClass const& of);

// By the threads' numbers.
struct ThreadPair {
  int from{};
  int to{};

  friend bool operator==(ThreadPair const&, ThreadPair const&) = default;
};

// The first pair of each class that there is; of more than `host_pairs_max` pairs of hosts so many,
// evenly. O(threads²). Tested by tests/graph/message_classes_test.cpp, as the functions below.
[[nodiscard]] std::vector<ThreadPair> pairs_to_measure(std::span<ThreadPlace const> threads,
                                                       int host_pairs_max);

using ClassCosts = std::map<MessageClass, MessageCost>;

// The cost of a class: its own; or else the median over the known pairs of hosts, or that of the
// nearest class that is like it in being of one image or of several; or what is assumed
// (model/assumed_message_costs.hpp has the numbers).
struct CostFound {
  MessageCost cost{};
  bool is_own{};      // known for this very class
  bool is_assumed{};  // nothing like it is known
};
[[nodiscard]] CostFound cost_of(ClassCosts const& known, MessageClass const& of);

// Between the domains of these threads. Within a domain of one thread, to which no message comes
// from another, the cost of the nearest class.
[[nodiscard]] DomainCosts costs_between(ThreadDomains const& domains,
                                        std::span<ThreadPlace const> threads,
                                        ClassCosts const& known);

}  // namespace makespan::graph
