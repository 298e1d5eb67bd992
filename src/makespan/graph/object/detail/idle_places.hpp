// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which places of an image are idle, in memory that its threads share: only the place that becomes
// idle last has something to say to others.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "makespan/graph/protocol/image_state.hpp"

namespace makespan::graph {

// What a place leaves for others to read when it becomes idle.
struct IdleNote {
  std::uint64_t generation{0};  // of the run: restarts so far
  std::int64_t phase{0};
  std::int64_t step{0};  // of the decision after it
  PlaceState state{};
};

// One word counts the idle places, and how often one became idle or busy. A place writes its note
// before it becomes idle, and no more until it is busy again. So notes that are read between two
// looks at the word that find it the same, with all places idle, are of one moment: a sequence lock
// (Lameter, "Effective synchronization on Linux/NUMA systems", Gelato Conference 2005) that costs
// a place one atomic addition for each change. Tested by tests/graph/object/idle_places_test.cpp.
class IdlePlaces {
 public:
  // All places are busy.
  explicit IdlePlaces(int places);

  // Of a place, by its own thread. Does nothing if it is busy.
  void become_busy(int place);
  // The state of the image, if with this place all are idle, in the same phase and step. If it is
  // another one, the places that are behind have yet to be told of the later one, and will be busy
  // and idle again. Only of a busy place.
  std::optional<ImageState> become_idle(int place, IdleNote const& note);
  [[nodiscard]] bool is_idle(int place) const { return of(place).is_idle; }

  // At this moment, for any thread of the image. Each idle state that it gives has been, or is
  // being, given by become_idle(), too.
  [[nodiscard]] ImageState look() const;

 private:
  static_assert(sizeof(IdleNote) % sizeof(std::uint64_t) == 0);
  using NoteWords = std::array<std::uint64_t, sizeof(IdleNote) / sizeof(std::uint64_t)>;

  // Another place's state is not on the same cache line.
  struct alignas(128) Slot {
    std::array<std::atomic<std::uint64_t>, std::tuple_size_v<NoteWords>> note{};
    bool is_idle{false};  // for its own thread
  };

  [[nodiscard]] Slot const& of(int place) const { return slots_[static_cast<std::size_t>(place)]; }
  // Where the word still is as it was: of all places, if they are idle in the same phase.
  [[nodiscard]] std::optional<ImageState> state_at(std::uint64_t word) const;

  std::vector<Slot> slots_;
  alignas(128) std::atomic<std::uint64_t> word_{0};
};

}  // namespace makespan::graph
