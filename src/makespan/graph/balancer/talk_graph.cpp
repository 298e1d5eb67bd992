// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/balancer/talk_graph.hpp"

namespace makespan::graph {

TalkGraph::TalkGraph(Graph const& graph, Places const& places) : begin_{0} {
  double message_s = 0.0;
  double byte_s = 0.0;
  for (int from = 0; from < places.domains(); ++from) {
    for (int to = 0; to < places.domains(); ++to) {
      message_s += places.latency_s(from, to);
      byte_s += places.seconds_per_byte(from, to);
    }
  }
  double const pairs = static_cast<double>(places.domains()) * places.domains();
  message_s /= pairs;
  byte_s /= pairs;

  // Where in talks_ an object stands; older than the present object's begin: not yet.
  std::vector<std::int64_t> found(static_cast<std::size_t>(graph.objects()), -1);
  for (int object = 0; object < graph.objects(); ++object) {
    for (auto const edges : {graph.sent(object), graph.received(object)}) {
      for (Traffic const& edge : edges) {
        std::int64_t& at = found[static_cast<std::size_t>(edge.other)];
        if (at < begin_.back()) {
          at = std::ssize(talks_);
          talks_.push_back({.other = edge.other, .cost_s = 0.0});
        }
        talks_[static_cast<std::size_t>(at)].cost_s +=
            static_cast<double>(edge.messages) * message_s + edge.bytes * byte_s;
      }
    }
    begin_.push_back(std::ssize(talks_));
  }
}

}  // namespace makespan::graph
