// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the messages that an object receives would cost it in each domain.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

// The cost of a message and of a byte between domains, as tables with rows by sender.
// Tested by tests/graph/times/message_costs_test.cpp.
class MessageCosts {
 public:
  // Of a message and of a byte what they take of the receiver, as Places knows them.
  [[nodiscard]] static MessageCosts in_seconds(Places const& places);
  // Of a message alpha times its NUCO factor between domains and -alpha within one; of a byte
  // nothing.
  [[nodiscard]] static MessageCosts by_nuco_factor(Places const& places, double alpha_s);

  // Adds to `sums_s`, shape (domains), what `received` would cost in each, with the sender of each
  // in its domain of `domain_of`, by object.
  void add_received(std::span<Traffic const> received, std::span<std::int32_t const> domain_of,
                    std::span<double> sums_s);

 private:
  explicit MessageCosts(int domains);

  // Both of shape (domains, domains), the sender's first; `byte_s_` is empty where bytes are free.
  std::vector<double> message_s_;
  std::vector<double> byte_s_;
  std::size_t domains_;
  // Sums over one object's senders, by domain; 0 between calls.
  std::vector<double> messages_;
  std::vector<double> bytes_;
  std::vector<char> is_heard_;
  std::vector<std::int32_t> heard_;
};

}  // namespace makespan::graph
