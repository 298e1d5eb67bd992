// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/rebalance/load_book.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace makespan::graph {

namespace {

// Receivers that are found fastest by looking through them.
constexpr std::size_t looked_through = 12;

// Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4); `slots` is a power of two.
std::size_t first_slot(std::int32_t to, std::size_t slots) {
  auto const spread = static_cast<std::uint32_t>(to) * 0x9E3779B9U;
  return static_cast<std::size_t>((std::uint64_t{spread} * slots) >> 32U);
}

}  // namespace

LoadBook::LoadBook(int objects)
    : cpu_s_(static_cast<std::size_t>(objects)),
      cleared_s_(cpu_s_.size()),
      edges_of_(cpu_s_.size(), -1) {
}

LoadBook::Edges& LoadBook::new_edges_of(int object) {
  edges_of_[static_cast<std::size_t>(object)] = static_cast<std::int32_t>(sent_.size());
  senders_.push_back(object);
  return sent_.emplace_back();
}

std::size_t LoadBook::Edges::at_of(std::int32_t to) {
  if (slots_.empty()) {
    auto const found = std::ranges::find(all, to, &Edge::to);
    if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
  } else {
    for (std::size_t slot = first_slot(to, slots_.size()); slots_[slot] != 0;
         slot = (slot + 1) % slots_.size()) {
      if (all[slots_[slot] - 1].to == to) return slots_[slot] - 1;
    }
  }
  all.push_back({.to = to, .messages = 0, .bytes = 0.0});
  std::size_t const at = all.size() - 1;
  // At most half of the slots are taken, so that few are looked at.
  if (2 * all.size() > slots_.size()) {
    index();
  } else {
    put(to, at);
  }
  return at;
}

void LoadBook::Edges::put(std::int32_t to, std::size_t at) {
  std::size_t slot = first_slot(to, slots_.size());
  while (slots_[slot] != 0) slot = (slot + 1) % slots_.size();
  slots_[slot] = static_cast<std::uint32_t>(at + 1);
}

void LoadBook::Edges::index() {
  slots_.clear();
  if (all.size() <= looked_through) return;
  slots_.resize(std::bit_ceil(4 * all.size()));
  for (std::size_t at = 0; at < all.size(); ++at) put(all[at].to, at);
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
  std::int32_t const at = edges_of_[static_cast<std::size_t>(object)];
  if (at < 0) return traffic;
  Edges const& edges = sent_[static_cast<std::size_t>(at)];
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

void LoadBook::clear() {
  for (std::size_t object = 0; object < cpu_s_.size(); ++object) {
    cleared_s_[object] += std::exchange(cpu_s_[object], 0.0);
  }
  std::size_t kept = 0;
  for (std::size_t at = 0; at < sent_.size(); ++at) {
    std::int32_t& of_sender = edges_of_[static_cast<std::size_t>(senders_[at])];
    sent_[at].clear();
    if (sent_[at].all.empty()) {
      of_sender = -1;
      continue;
    }
    of_sender = static_cast<std::int32_t>(kept);
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
