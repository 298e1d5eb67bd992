// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sorts things into containers so that those that talk most are together.

#include <span>
#include <vector>

namespace makespan::graph {

// A square matrix of bytes, both ways in both cells.
class ByteMatrix {
 public:
  explicit ByteMatrix(int size)
      : size_(size), cells_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size)) {}

  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] double& at(int a, int b) { return cells_[cell(a, b)]; }
  [[nodiscard]] double at(int a, int b) const { return cells_[cell(a, b)]; }

 private:
  [[nodiscard]] std::size_t cell(int a, int b) const {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(size_) +
           static_cast<std::size_t>(b);
  }

  int size_;
  std::vector<double> cells_;
};

// A slot of a container; things of one class fit into slots of that class only.
struct Slot {
  int container;
  int like;  // the class
};

// Things and slots of the same count; thing i begins in slot i, so it is of that slot's class.
struct GroupingProblem {
  std::span<Slot const> slots;
  ByteMatrix const& between;  // things
  ByteMatrix const& pinned;   // rows things, columns slots: bytes with what is in a slot for good
};

// The slot of each thing: a permutation. Containers, numbered from 0, are filled in the order of
// their first slot, one thing after the other: the one that has most bytes with what is pinned
// there, over what is pinned where there still is room, and with those that the container took
// before. When that is nothing, the one with most bytes with all that are left. Of equals one that
// begins there, then the lower number. Within a container each takes the slot where most is pinned
// for it, or stays in its own. O(things² log things + things · containers²) at most. Tested by
// tests/graph/partition/grouping_test.cpp.
[[nodiscard]] std::vector<int> grouped(GroupingProblem const& problem);

}  // namespace makespan::graph
