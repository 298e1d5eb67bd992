// SPDX-License-Identifier: Apache-2.0
#pragma once

// The copies of objects that a place keeps in memory, its own and those of the places whose buddy
// it is: the last two of each, since the last may not be complete everywhere (double in-memory
// checkpointing: Zheng, Shi and Kale, "FTC-Charm++", CLUSTER 2004,
// https://doi.org/10.1109/CLUSTR.2004.1392606).

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace makespan::graph {

// Tested by tests/graph/object/object_copies_test.cpp.
class ObjectCopies {
 public:
  // What `place` had when `phase` was about to begin.
  void keep(int place, std::int64_t phase, std::vector<std::byte> objects) {
    auto& copies = copies_[place];
    copies[phase] = std::move(objects);
    while (copies.size() > 2) copies.erase(copies.begin());
  }

  // Null if there is none.
  [[nodiscard]] std::vector<std::byte> const* find(int place, std::int64_t phase) const {
    auto const copies = copies_.find(place);
    if (copies == copies_.end()) return nullptr;
    auto const copy = copies->second.find(phase);
    return copy == copies->second.end() ? nullptr : &copy->second;
  }

 private:
  std::map<int, std::map<std::int64_t, std::vector<std::byte>>> copies_;  // by place, phase
};

}  // namespace makespan::graph
