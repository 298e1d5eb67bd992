// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/rebalance/load_book.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace makespan::graph {

namespace {

// Receivers that are found fastest by looking through them.
constexpr std::size_t looked_through = 12;

}  // namespace

void LoadBook::look_up(int object) {
  std::int32_t const* const at = entries_of_.find(object);
  if (at != nullptr) {
    likely_ = entries_.begin() + *at;
    return;
  }
  entries_of_[object] = static_cast<std::int32_t>(entries_.size());
  entries_.push_back({.object = object});
  // Set anew in any case: push_back() leaves the entries of a deque where they are, and no iterator
  // valid.
  likely_ = entries_.end() - 1;
}

LoadBook::Edges& LoadBook::found_edges_of(int object) {
  look_up(object);
  if (likely_->sent < 0) {
    likely_->sent = static_cast<std::int32_t>(sent_.size());
    senders_.push_back(&*likely_);
    sent_.emplace_back();
  }
  last_sender_ = object;
  last_sent_ = static_cast<std::size_t>(likely_->sent);
  return sent_[last_sent_];
}

std::size_t LoadBook::Edges::at_of(std::int32_t to) {
  if (at_.empty()) {
    auto const found = std::ranges::find(all, to, &Edge::to);
    if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
  } else if (std::int32_t const* const found = at_.find(to)) {
    return static_cast<std::size_t>(*found);
  }
  all.push_back({.to = to, .messages = 0, .bytes = 0.0});
  std::size_t const at = all.size() - 1;
  if (!at_.empty()) {
    at_[to] = static_cast<std::int32_t>(at);
  } else if (all.size() > looked_through) {
    index();
  }
  return at;
}

void LoadBook::Edges::index() {
  at_.clear();
  if (all.size() <= looked_through) return;
  for (std::size_t at = 0; at < all.size(); ++at) at_[all[at].to] = static_cast<std::int32_t>(at);
}

void LoadBook::Edges::clear() {
  if (std::erase_if(all, [](Edge const& edge) { return edge.messages == 0; }) > 0) index();
  for (Edge& edge : all) {
    edge.messages = 0;
    edge.bytes = 0.0;
  }
  next = 0;
}

std::vector<ObjectTraffic> LoadBook::traffic_of(int object) const {
  std::vector<ObjectTraffic> traffic;
  std::int32_t const* const at = entries_of_.find(object);
  std::int32_t const sent = at != nullptr ? entries_[static_cast<std::size_t>(*at)].sent : -1;
  if (sent < 0) return traffic;
  Edges const& edges = sent_[static_cast<std::size_t>(sent)];
  traffic.reserve(edges.all.size());
  for (Edge const& edge : edges.all) {
    if (edge.messages == 0) continue;
    traffic.push_back({.from = object,
                       .to = edge.to,
                       .messages = static_cast<double>(edge.messages),
                       .bytes = edge.bytes});
  }
  return traffic;
}

ObjectLoads LoadBook::take(int object, std::uint32_t moves) {
  ObjectLoads taken{.objects = {{.object = object, .moves = moves, .cpu_s = cpu_s(object)}},
                    .traffic = traffic_of(object)};
  std::int32_t const* const at = entries_of_.find(object);
  if (at == nullptr) return taken;
  Entry& entry = entries_[static_cast<std::size_t>(*at)];
  entry.cleared_s += std::exchange(entry.cpu_s, 0.0);
  entry.brought_s = 0.0;
  if (entry.sent >= 0) sent_[static_cast<std::size_t>(entry.sent)].clear();
  return taken;
}

void LoadBook::add(ObjectLoads const& brought) {
  for (ObjectLoad const& each : brought.objects) {
    look_up(each.object);
    likely_->brought_s += each.cpu_s;
  }
  for (ObjectTraffic const& each : brought.traffic) {
    Edges& edges = edges_of(each.from);
    Edge& edge = edges.all[edges.at_of(each.to)];
    // It comes from elsewhere, and may be more than is counted.
    double const room = std::numeric_limits<std::int32_t>::max() - edge.messages;
    edge.messages += static_cast<std::int32_t>(std::min(each.messages, room));
    edge.bytes += each.bytes;
  }
}

void LoadBook::clear() {
  likely_ = entries_.begin();
  last_sender_ = -1;
  for (Entry& entry : entries_) {
    entry.cleared_s += std::exchange(entry.cpu_s, 0.0);
    entry.brought_s = 0.0;
  }
  // Objects that were silent lose their receivers; the others' move up, and their entries are told.
  std::size_t kept = 0;
  for (std::size_t at = 0; at < sent_.size(); ++at) {
    sent_[at].clear();
    if (sent_[at].all.empty()) {
      senders_[at]->sent = -1;
      continue;
    }
    senders_[at]->sent = static_cast<std::int32_t>(kept);
    if (kept != at) {
      sent_[kept] = std::move(sent_[at]);
      senders_[kept] = senders_[at];
    }
    ++kept;
  }
  sent_.resize(kept);
  senders_.resize(kept);
}

}  // namespace makespan::graph
