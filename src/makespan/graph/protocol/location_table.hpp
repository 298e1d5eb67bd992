// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where one place believes that objects are, and what it does with a message for one.
//
// Each object counts its moves, so that the later of two reports about it is known. A place that
// knows nothing of an object asks its home, which is told of every move. A place that an object has
// left knows where it went, so a message that comes too late follows it. Objects that a place has
// neither had nor heard of take no memory there: it believes them at home.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "makespan/base/number_map.hpp"
#include "makespan/graph/protocol/home_places.hpp"

namespace makespan::graph {

// Where an object is, or was, after so many moves. Its creation counts as the first; 0 moves: no
// report yet.
struct Location {
  std::int32_t place{0};
  std::uint32_t moves{0};

  friend bool operator==(Location const&, Location const&) = default;
};

enum class Routing : std::uint8_t {
  deliver,  // it is here
  keep,     // until something is known: it is on its way here, or not made yet
  forward,
};

struct Route {
  Routing routing{};
  Location to{};  // of forward
};

// Of one place. Pure. Tested by tests/graph/protocol/location_table_test.cpp.
class LocationTable {
 public:
  // `ends`, by collection: see HomePlaces.
  LocationTable(int place, int places, std::vector<int> ends);

  // The place that is told of an object's moves.
  [[nodiscard]] int home(int object) const { return homes_.home(object); }
  // `place`, or the next that is there.
  [[nodiscard]] int heir(int place) const { return homes_.heir(place); }
  // What was heard last; for an object without a report: its home, after 0 moves.
  [[nodiscard]] Location believed(int object) const {
    Known const* const known = known_.find(object);
    return known != nullptr ? known->at : Location{.place = home(object), .moves = 0};
  }
  [[nodiscard]] bool is_here(int object) const {
    Known const* const known = known_.find(object);
    return known != nullptr && known->is_here;
  }
  // Those that are here, by number.
  [[nodiscard]] std::vector<int> here() const;
  // How many objects it has, or has heard of, and the memory that takes.
  [[nodiscard]] std::size_t known() const { return known_.size(); }
  [[nodiscard]] std::size_t bytes() const { return known_.bytes(); }

  // Of a message that was sent here because the object was said to be here after `moves` moves.
  [[nodiscard]] Route route(int object, std::uint32_t moves) const;

  // It has come, after so many moves.
  void arrive(int object, std::uint32_t moves);
  // It goes from here; where it will be found.
  Location depart(int object, int to);
  // Takes in a report from another place. False if a later one is known already.
  bool learn(int object, Location said);
  // The place is lost. At least one place must be left. clear() is due.
  void lose(int place) { homes_.lose(place); }
  [[nodiscard]] bool is_lost(int place) const { return homes_.is_lost(place); }
  // All that was known is void: after a restart.
  void clear() { known_.clear(); }

 private:
  struct Known {
    Location at{};
    bool is_here{false};
  };

  int place_;
  HomePlaces homes_;
  NumberMap<Known> known_{};  // by object
};

}  // namespace makespan::graph
