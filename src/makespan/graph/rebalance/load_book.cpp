// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/rebalance/load_book.hpp"

#include <algorithm>
#include <utility>

namespace makespan::graph {

LoadBook::LoadBook(int objects)
    : cpu_s_(static_cast<std::size_t>(objects)), cleared_s_(cpu_s_.size()), sent_(cpu_s_.size()) {
}

void LoadBook::note_message(int from, int to, double bytes) {
  Edges& edges = sent_[static_cast<std::size_t>(from)];
  std::size_t at = edges.next;
  if (at >= edges.all.size() || edges.all[at].to != to) {
    auto const found = std::ranges::find(edges.all, to, &Edge::to);
    at = static_cast<std::size_t>(found - edges.all.begin());
    if (found == edges.all.end()) edges.all.push_back({.to = to, .messages = 0, .bytes = 0.0});
  }
  ++edges.all[at].messages;
  edges.all[at].bytes += bytes;
  edges.next = at + 1 < edges.all.size() ? at + 1 : 0;
}

std::vector<ObjectTraffic> LoadBook::traffic_of(int object) const {
  std::vector<ObjectTraffic> traffic;
  Edges const& edges = sent_[static_cast<std::size_t>(object)];
  traffic.reserve(edges.all.size());
  for (Edge const& edge : edges.all) {
    traffic.push_back({.from = object,
                       .to = edge.to,
                       .messages = static_cast<double>(edge.messages),
                       .bytes = edge.bytes});
  }
  return traffic;
}

void LoadBook::clear() {
  for (std::size_t object = 0; object < cpu_s_.size(); ++object) {
    cleared_s_[object] += std::exchange(cpu_s_[object], 0.0);
  }
  for (Edges& edges : sent_) {
    edges.all.clear();  // and keeps the memory: objects say much the same from phase to phase
    edges.next = 0;
  }
}

}  // namespace makespan::graph
