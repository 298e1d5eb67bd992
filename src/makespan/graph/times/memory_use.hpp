// SPDX-License-Identifier: Apache-2.0
#pragma once

// How full memories are while objects go from one place to another, kept up move by move.

#include <cstdint>
#include <iterator>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "makespan/graph/model/graph.hpp"
#include "makespan/graph/model/places.hpp"

namespace makespan::graph {

// Of each memory (Places::memories()): what is in use anyway, the footprints of objects, each
// shared block that one of them needs, once, and by place the largest of what its objects need
// besides while they run, since a place runs one at a time: M of eq. 3 of Lifflander et al., 2024
// (https://arxiv.org/abs/2404.16793), where each rank is a place with its own memory.
//
// Where the places have no limits there is room for all. Tested by
// tests/graph/times/memory_use_test.cpp.
class MemoryUse {
 public:
  // Both are to outlive it.
  MemoryUse(Graph const& graph, Places const& places, std::span<std::int32_t const> mapping);

  [[nodiscard]] bool is_limited() const { return !used_.empty(); }
  [[nodiscard]] double used_bytes(int memory) const {
    return used_[static_cast<std::size_t>(memory)];
  }
  [[nodiscard]] double limit_bytes(int memory) const {
    return places_.memories().limit_bytes[static_cast<std::size_t>(memory)];
  }
  // 0 where it is within its limit, to rounding.
  [[nodiscard]] double excess_bytes(int memory) const;
  // Of all memories.
  [[nodiscard]] double excess_bytes() const;
  // Of the fullest memory, what is in use over its limit, 1 at most where it is within that; 0
  // where there are no limits.
  [[nodiscard]] double fullest() const;

  // Whether the object, which is at `from`, can go to `to` without making its memory's use exceed
  // the limit, or exceed it by more.
  [[nodiscard]] bool has_room(int object, int from, int to) const;
  void move(int object, int from, int to);

  // Of objects that are nowhere, before add() and after remove(): as above, and only where there
  // are limits.
  [[nodiscard]] bool has_room_for(int object, int place) const;
  void add(int object, int place);
  void remove(int object, int place);

 private:
  // What comes and goes leaves rounding behind.
  [[nodiscard]] bool fits(int memory, double bytes) const {
    constexpr double rounding = 1e-9;
    return bytes <= limit_bytes(memory) * (1.0 + rounding);
  }
  [[nodiscard]] double bytes_of_arrival(int object, int memory) const;
  [[nodiscard]] std::int64_t block_cell(int memory, int block) const {
    return static_cast<std::int64_t>(memory) * graph_.blocks() + block;
  }
  // What the object's place needs while one of its objects runs, by object the working bytes.
  using Working = std::map<double, std::int32_t>;
  [[nodiscard]] static double largest(Working const& working) {
    return working.empty() ? 0.0 : working.rbegin()->first;
  }
  // Were one that needs so many bytes, the largest or not, no longer there.
  [[nodiscard]] static double largest_without(Working const& working, double bytes) {
    if (working.empty()) return 0.0;
    auto const last = working.rbegin();
    if (last->first != bytes || last->second > 1) return last->first;
    return working.size() == 1 ? 0.0 : std::next(last)->first;
  }

  Graph const& graph_;
  Places const& places_;
  std::vector<double> used_{};  // by memory
  // By block_cell(), objects there that need the block; only where there are any.
  std::unordered_map<std::int64_t, std::int32_t> sharers_{};
  std::vector<Working> working_{};  // by place: how many objects need so many bytes
};

}  // namespace makespan::graph
