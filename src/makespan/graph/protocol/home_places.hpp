// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which place is told where an object is.

#include <cstdint>
#include <vector>

namespace makespan::graph {

// Each collection is cut into blocks of consecutive objects, one for each place, as
// InitialMap::block makes them: so objects that are made in blocks, and do not move, are at home,
// and no place need be told of them. Objects are numbered through all collections. Pure. Tested by
// tests/graph/protocol/home_places_test.cpp.
class HomePlaces {
 public:
  // `ends`, by collection: one more than the number of its last object.
  HomePlaces(int places, std::vector<int> ends);

  [[nodiscard]] int places() const { return static_cast<int>(is_lost_.size()); }
  [[nodiscard]] int objects() const { return ends_.empty() ? 0 : ends_.back(); }
  // If the place of its block is lost, the next that is there.
  [[nodiscard]] int home(int object) const;
  // `place`, or the next that is there.
  [[nodiscard]] int heir(int place) const {
    while (is_lost(place)) place = (place + 1) % places();
    return place;
  }

  // At least one place must be left.
  void lose(int place);
  [[nodiscard]] bool is_lost(int place) const {
    return is_lost_[static_cast<std::size_t>(place)] != 0;
  }

 private:
  std::vector<int> ends_;
  std::vector<std::uint8_t> is_lost_;  // by place
};

}  // namespace makespan::graph
