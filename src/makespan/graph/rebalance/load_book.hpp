// SPDX-License-Identifier: Apache-2.0
#pragma once

// Adds up what the objects of one place take, and to whom they send, in a phase.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "makespan/graph/rebalance/object_loads.hpp"

namespace makespan::graph {

// Tested by tests/graph/rebalance/load_book_test.cpp.
class LoadBook {
 public:
  explicit LoadBook(int objects);

  // Where an object's time is added up [s].
  [[nodiscard]] double& cpu_s(int object) { return cpu_s_[static_cast<std::size_t>(object)]; }
  // All that was ever added up [s].
  [[nodiscard]] double whole_cpu_s(int object) const {
    return cpu_s_[static_cast<std::size_t>(object)] + cleared_s_[static_cast<std::size_t>(object)];
  }

  void note_message(int from, int to, double bytes);

  // What `object` sent, receivers in the order in which they were first sent to.
  [[nodiscard]] std::vector<ObjectTraffic> traffic_of(int object) const;

  // Times and traffic are 0 again.
  void clear();

 private:
  struct Edge {
    std::int32_t to;
    std::int32_t messages;
    double bytes;
  };
  struct Edges {
    std::vector<Edge> all{};
    std::size_t next{0};  // where the next message probably belongs: they come as last time
  };

  std::vector<double> cpu_s_;
  std::vector<double> cleared_s_;
  std::vector<Edges> sent_;  // by sender
};

}  // namespace makespan::graph
