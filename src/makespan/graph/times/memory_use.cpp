// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/times/memory_use.hpp"

#include <algorithm>
#include <cstddef>

namespace makespan::graph {

MemoryUse::MemoryUse(Graph const& graph, Places const& places,
                     std::span<std::int32_t const> mapping)
    : graph_{graph}, places_{places} {
  if (!places.has_memory_limits()) return;
  used_ = places.memories().used_bytes;
  working_.resize(static_cast<std::size_t>(places.count()));
  for (int object = 0; object < graph.objects(); ++object) {
    add(object, mapping[static_cast<std::size_t>(object)]);
  }
}

double MemoryUse::excess_bytes(int memory) const {
  double const limit = limit_bytes(memory);
  return fits(memory, used_bytes(memory)) ? 0.0 : used_bytes(memory) - limit;
}

double MemoryUse::excess_bytes() const {
  double sum = 0.0;
  for (int memory = 0; memory < static_cast<int>(used_.size()); ++memory) {
    sum += excess_bytes(memory);
  }
  return sum;
}

double MemoryUse::fullest() const {
  double most = 0.0;
  for (int memory = 0; memory < static_cast<int>(used_.size()); ++memory) {
    if (used_bytes(memory) <= 0.0) continue;
    double const share = used_bytes(memory) / limit_bytes(memory);
    most = std::max(most, fits(memory, used_bytes(memory)) ? std::min(share, 1.0) : share);
  }
  return most;
}

bool MemoryUse::has_room(int object, int from, int to) const {
  if (!is_limited() || from == to) return true;
  int const memory = places_.memory_of(to);
  double const bytes = graph_.working(object);
  // A place runs one object at a time, so only the largest of its working bytes counts.
  double more = std::max(0.0, bytes - largest(working_[static_cast<std::size_t>(to)]));
  if (places_.memory_of(from) == memory) {
    // Footprint and block are in that memory already; where it leaves it may have been the largest.
    more -= std::max(0.0, bytes - largest_without(working_[static_cast<std::size_t>(from)], bytes));
  } else {
    more += bytes_of_arrival(object, memory);
  }
  return more <= 0.0 || fits(memory, used_bytes(memory) + more);
}

bool MemoryUse::has_room_for(int object, int place) const {
  int const memory = places_.memory_of(place);
  double const running = largest(working_[static_cast<std::size_t>(place)]);
  double const more =
      bytes_of_arrival(object, memory) + std::max(0.0, graph_.working(object) - running);
  return more <= 0.0 || fits(memory, used_bytes(memory) + more);
}

// In a memory where it is not.
double MemoryUse::bytes_of_arrival(int object, int memory) const {
  int const block = graph_.block(object);
  bool const is_lacking = block >= 0 && !sharers_.contains(block_cell(memory, block));
  return graph_.footprint(object) + (is_lacking ? graph_.block_bytes(block) : 0.0);
}

void MemoryUse::move(int object, int from, int to) {
  if (!is_limited() || from == to) return;
  remove(object, from);
  add(object, to);
}

void MemoryUse::add(int object, int place) {
  int const memory = places_.memory_of(place);
  double& used = used_[static_cast<std::size_t>(memory)];
  used += graph_.footprint(object);
  int const block = graph_.block(object);
  if (block >= 0 && ++sharers_[block_cell(memory, block)] == 1) used += graph_.block_bytes(block);
  double const bytes = graph_.working(object);
  if (bytes == 0.0) return;
  Working& working = working_[static_cast<std::size_t>(place)];
  used += std::max(0.0, bytes - largest(working));
  ++working[bytes];
}

void MemoryUse::remove(int object, int place) {
  int const memory = places_.memory_of(place);
  double& used = used_[static_cast<std::size_t>(memory)];
  used -= graph_.footprint(object);
  int const block = graph_.block(object);
  if (block >= 0) {
    auto const sharers = sharers_.find(block_cell(memory, block));
    if (--sharers->second == 0) {
      sharers_.erase(sharers);
      used -= graph_.block_bytes(block);
    }
  }
  double const bytes = graph_.working(object);
  if (bytes == 0.0) return;
  Working& working = working_[static_cast<std::size_t>(place)];
  auto const own = working.find(bytes);
  if (--own->second == 0) working.erase(own);
  // Beside those that are left: its own have been taken out.
  used -= std::max(0.0, bytes - largest(working));
}

}  // namespace makespan::graph
