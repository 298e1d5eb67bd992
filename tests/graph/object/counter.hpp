// SPDX-License-Identifier: Apache-2.0
#pragma once

// Objects whose state tells what happened to them.

#include <cereal/types/vector.hpp>
#include <cstdint>
#include <vector>

#include "makespan/graph/object/object_world.hpp"

namespace makespan::graph {

// Counts what it gets, and passes on what it is told to. Its memory must travel whole.
struct Counter {
  std::int64_t sum{0};
  std::int64_t messages{0};
  std::vector<int> memory{};

  void add(ObjectPlace& /*here*/, std::int64_t what) {
    sum += what;
    ++messages;
  }
  void add_all(ObjectPlace& /*here*/, std::vector<std::int64_t> const& what) {
    for (std::int64_t const each : what) sum += each;
    ++messages;
  }
  // Passes on to the next object, `hops` times.
  void pass(ObjectPlace& here, Collection<Counter> all, int self, int hops) {
    ++messages;
    int const next = (self + 1) % all.count;
    if (hops > 0) here.send<&Counter::pass>(all, next, all, next, hops - 1);
  }
  void go(ObjectPlace& here, Collection<Counter> all, int self, int place) {
    ++messages;
    here.migrate(all, self, place);
  }
  // Goes on its way, and calls the next one from there.
  void wander(ObjectPlace& here, Collection<Counter> all, int self, int hops) {
    ++messages;
    here.migrate(all, self, (here.place() + 1) % here.places());
    if (hops == 0) return;
    int const next = (self * 7 + hops) % all.count;
    here.send<&Counter::wander>(all, next, all, next, hops - 1);
  }

  template <class Archive>
  void serialize(Archive& archive) {
    archive(sum, messages, memory);
  }
};

[[nodiscard]] inline Counter new_counter(int index) {
  return {.sum = 0, .messages = 0, .memory = std::vector<int>(100, index)};
}

}  // namespace makespan::graph
