// SPDX-License-Identifier: Apache-2.0
#pragma once

// Objects that compute and send each other messages: what one phase of a run looked like, and what
// balancers decide from.

#include <cstdint>
#include <span>
#include <vector>

#include "makespan/base/quantity.hpp"

namespace makespan::graph {

// The place of each object, by number. Places are numbered by Places.
using Mapping = std::vector<std::int32_t>;

// What goes between an object and another in a phase.
struct Traffic {
  std::int32_t other{};  // an object
  float messages{};
  double bytes{};

  friend bool operator==(Traffic const&, Traffic const&) = default;
};

// The largest work, bytes, messages, speed and latency, and over 1 the smallest speed, bandwidth
// and latency but 0: so that every time that follows from them is a number.
inline constexpr double amount_max = 1e30;

// A graph as columns. Objects and edges are numbered from 0.
struct GraphColumns {
  int kinds{1};                 // of places that the work is known for
  double noise{0.0};            // of work; see Graph::noise()
  std::vector<double> work{};   // of a phase, shape (objects, kinds); see Graph::work()
  std::vector<double> bytes{};  // to migrate it, shape (objects); empty: 0
  // Of memory, as Lifflander et al., "A communication- and memory-aware model for load balancing
  // tasks", 2024 (https://arxiv.org/abs/2404.16793), has it; shape (objects).
  std::vector<double> footprint{};       // bytes that it keeps where it is; empty: `bytes`
  std::vector<double> working{};         // more bytes while it runs; empty: 0
  std::vector<std::int32_t> block{};     // data that it shares with others, -1: none; empty: none
  std::vector<double> block_bytes{};     // shape (blocks); once in each memory where one needs it
  Mapping place{};                       // where it is now, shape (objects)
  std::vector<std::uint8_t> is_fixed{};  // may not move, shape (objects); empty: all may
  std::vector<std::int32_t> from{};      // objects, shape (edges), as the columns below
  std::vector<std::int32_t> to{};
  std::vector<double> messages{};
  std::vector<double> edge_bytes{};
};

// Immutable. Tested by tests/graph/model/graph_test.cpp.
class Graph {
 public:
  // Throws InputError that names the object or the edge: columns of other lengths, work, bytes,
  // messages or noise that are negative, no number or above amount_max, an edge to an object that
  // is not there, a block that is not. Edges from an object to itself cost nothing wherever it is,
  // and are left out; edges between the same two objects stay apart.
  explicit Graph(GraphColumns columns);

  [[nodiscard]] int objects() const { return static_cast<int>(now_.size()); }
  [[nodiscard]] int kinds() const { return kinds_; }

  // Work of a phase on places of a kind: over a place's speed, the time that it takes there. For
  // measured loads: seconds on a place of that kind whose speed is 1.
  [[nodiscard]] Work work(int object, int kind) const {
    return Work{work_[static_cast<std::size_t>(object) * static_cast<std::size_t>(kinds_) +
                      static_cast<std::size_t>(kind)]};
  }
  // The relative standard deviation of a place's work, as measured, from what it will be; 0 where
  // work is known.
  [[nodiscard]] double noise() const { return noise_; }
  [[nodiscard]] double bytes(int object) const { return bytes_[static_cast<std::size_t>(object)]; }
  // Bytes that it keeps where it is, and what it needs besides while it runs.
  [[nodiscard]] double footprint(int object) const {
    return footprint_.empty() ? bytes(object) : footprint_[static_cast<std::size_t>(object)];
  }
  [[nodiscard]] double working(int object) const {
    return working_.empty() ? 0.0 : working_[static_cast<std::size_t>(object)];
  }
  // The data that it shares with others, -1: none.
  [[nodiscard]] int block(int object) const {
    return block_.empty() ? -1 : block_[static_cast<std::size_t>(object)];
  }
  [[nodiscard]] int blocks() const { return static_cast<int>(block_bytes_.size()); }
  [[nodiscard]] double block_bytes(int block) const {
    return block_bytes_[static_cast<std::size_t>(block)];
  }
  [[nodiscard]] bool may_move(int object) const {
    return is_fixed_[static_cast<std::size_t>(object)] == 0;
  }
  // Where each object is now.
  [[nodiscard]] Mapping const& now() const { return now_; }

  // To whom an object sends, and from whom it gets, in the order of the edges.
  [[nodiscard]] std::span<Traffic const> sent(int object) const {
    return part_of(sent_, sent_begin_, object);
  }
  [[nodiscard]] std::span<Traffic const> received(int object) const {
    return part_of(received_, received_begin_, object);
  }

 private:
  [[nodiscard]] static std::span<Traffic const> part_of(std::vector<Traffic> const& all,
                                                        std::vector<std::int64_t> const& begin,
                                                        int object) {
    auto const at = static_cast<std::size_t>(object);
    return {all.data() + begin[at], all.data() + begin[at + 1]};
  }

  int kinds_;
  double noise_;
  std::vector<double> work_;
  std::vector<double> bytes_;
  std::vector<double> footprint_;
  std::vector<double> working_;
  std::vector<std::int32_t> block_;
  std::vector<double> block_bytes_;
  std::vector<std::uint8_t> is_fixed_;
  Mapping now_;
  std::vector<Traffic> sent_;  // by sender
  std::vector<std::int64_t> sent_begin_;
  std::vector<Traffic> received_;  // by receiver
  std::vector<std::int64_t> received_begin_;
};

}  // namespace makespan::graph
