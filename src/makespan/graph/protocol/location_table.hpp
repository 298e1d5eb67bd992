// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where one place believes that objects are, and what it does with a message for one.
//
// Objects are numbered through all collections. Each counts its moves, so that the later of two
// reports about it is known. A place that knows nothing of an object asks its home, which is told
// of every move. A place that an object has left knows where it went, so a message that comes too
// late follows it.

#include <cstddef>
#include <cstdint>
#include <vector>

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
  LocationTable(int place, int places, int objects);

  [[nodiscard]] int objects() const { return static_cast<int>(believed_.size()); }
  // The place that is told of an object's moves: objects in blocks of equal length, by number. If
  // that place is lost, the next that is there.
  [[nodiscard]] int home(int object) const;
  // `place`, or the next that is there.
  [[nodiscard]] int heir(int place) const;
  // What was heard last; for an object without a report: its home, after 0 moves.
  [[nodiscard]] Location believed(int object) const {
    return believed_[static_cast<std::size_t>(object)];
  }
  [[nodiscard]] bool is_here(int object) const {
    return is_here_[static_cast<std::size_t>(object)] != 0;
  }

  // Of a message that was sent here because the object was said to be here after `moves` moves.
  [[nodiscard]] Route route(int object, std::uint32_t moves) const;

  // It has come, after so many moves.
  void arrive(int object, std::uint32_t moves);
  // It goes from here; where it will be found.
  Location depart(int object, int to);
  // Takes in a report from another place. False if a later one is known already.
  bool learn(int object, Location said);
  // The place is lost. At least one place must be left. clear() is due.
  void lose(int place);
  [[nodiscard]] bool is_lost(int place) const {
    return is_lost_[static_cast<std::size_t>(place)] != 0;
  }
  // All that was known is void: after a restart.
  void clear();

 private:
  int place_;
  int places_;
  std::vector<Location> believed_;
  std::vector<std::uint8_t> is_here_;
  std::vector<std::uint8_t> is_lost_;  // by place
};

}  // namespace makespan::graph
