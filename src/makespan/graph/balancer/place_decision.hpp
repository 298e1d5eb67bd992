// SPDX-License-Identifier: Apache-2.0
#pragma once

// Balancing where no place knows all objects: each decides with the places that it exchanges
// messages with.
//
//   coordinator: begin step 1 of `steps`       each place: step(1), take() whatever comes
//   coordinator: nothing is under way; step 2  each place: step(2), take() …
//   coordinator: nothing is under way          each place: outcome()
//
// The messages carry what is known of objects, never the objects: those move when the coordinator
// has heard what the decision is worth.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "makespan/graph/balancer/balancer.hpp"

namespace makespan::graph {

// What places tell each other of an object.
struct KnownObject {
  std::int32_t object{};
  std::int32_t place{};  // where it is
  std::int32_t to{};     // where it shall be
  std::uint32_t moves{};
  double cpu_s{};  // what it took of the processor there in the last phase [s]
  double bytes{};  // to move it
  std::uint8_t is_fixed{0};
};

// What one object sent to another in the last phase.
struct KnownEdge {
  std::int32_t from{};
  std::int32_t to{};
  std::int32_t to_place{};  // where the receiver was
  double messages{};
  double bytes{};
};

// Some objects, as columns.
struct KnownObjects {
  std::vector<KnownObject> objects{};
  std::vector<double> work{};  // of the next phase, shape (objects, kinds of places); Graph::work()
  std::vector<KnownEdge> edges{};

  // Of places that work is known for; 0 where there is no object.
  [[nodiscard]] std::size_t kinds() const {
    return objects.empty() ? 0 : work.size() / objects.size();
  }
  // Appends those of another.
  void append(KnownObjects const& other);
  // Appends one of another, without its edges.
  void append(KnownObjects const& other, std::size_t at);
};

struct DecisionMessage {
  std::int32_t kind{};  // the decision's own
  KnownObjects known{};
  std::vector<double> numbers{};
};

// Takes what a place sends in a step. A place may send to itself.
class DecisionOutbox {
 public:
  virtual ~DecisionOutbox() = default;
  virtual void send(int place, DecisionMessage message) = 0;
};

// What a place has come to.
struct DecisionOutcome {
  std::vector<KnownObject> leaving{};   // objects that are here and go, by object
  std::vector<KnownObject> arriving{};  // that are elsewhere and come, by object
  // The longest time of a place that this place knows of, as things are and as decided [s].
  double now_s{};
  double new_s{};
};

// Of one place, in one decision. All places make the same calls in the same order; in a step,
// messages arrive in any order. For one thread.
class PlaceDecision {
 public:
  virtual ~PlaceDecision() = default;
  // Begins a step, from 1 on: whatever was sent in the one before has been taken everywhere.
  virtual void step(int number, DecisionOutbox& outbox) = 0;
  // Of the step that has begun.
  virtual void take(int from, DecisionMessage message, DecisionOutbox& outbox) = 0;
  // After the last step.
  [[nodiscard]] virtual DecisionOutcome outcome() = 0;
};

// What a place knows when a decision begins.
struct DecisionView {
  int place{};
  std::shared_ptr<Places const> places{};  // all of them, at their present speeds
  KnownObjects own{};                      // that are here
  double noise{};                          // see Graph::noise()
};

// A balancer whose places decide together. map() runs all of them in the calling thread, message by
// message, in the order in which they are sent. Tested by
// tests/graph/balancer/place_decision_test.cpp.
class DistributedBalancer : public Balancer {
 public:
  [[nodiscard]] virtual int steps() const = 0;
  [[nodiscard]] virtual std::unique_ptr<PlaceDecision> at_place(DecisionView view) const = 0;

  [[nodiscard]] Mapping map(Graph const& graph, Places const& places) const final;
};

}  // namespace makespan::graph
