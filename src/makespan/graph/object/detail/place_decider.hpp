// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a place has to say where places decide together, and what it remembers between decisions.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "makespan/base/number_map.hpp"
#include "makespan/graph/balancer/place_decision.hpp"
#include "makespan/graph/object/message/coordinator_messages.hpp"
#include "makespan/graph/rebalance/object_loads.hpp"

namespace makespan::graph {

// What a place knows of its objects when it decides.
struct DecisionFacts {
  ObjectLoads loads{};
  std::function<bool(int object)> is_fixed{};
  std::function<int(int object)> place_of{};  // where it is believed to be
};

// Of one place, among the places that are not lost. Places are numbered as in the run outside, and
// in a decision without gaps. Tested by tests/graph/object/place_decider_test.cpp.
class PlaceDecider {
 public:
  // `all` has every place of the run.
  PlaceDecider(int place, std::shared_ptr<Places const> all);

  // Places that are left, rising; what was remembered is void.
  void begin_anew(std::vector<int> live);

  // What objects took before and now: of those that have come from elsewhere the longest, and of
  // those that stayed the longest and the sum of all others. Remembers what they take now.
  [[nodiscard]] std::vector<LoadChange> changes(std::span<ObjectLoad const> now);

  // Begins a decision, by `balancer`; or to go back to before the last one.
  void begin(DistributedBalancer const& balancer, DecisionOrder const& order,
             DecisionFacts const& facts);
  // Of the decision that has begun.
  [[nodiscard]] PlaceDecision& decision() { return *decision_; }
  [[nodiscard]] bool is_deciding() const { return decision_ != nullptr; }
  // After its last step.
  [[nodiscard]] DecisionWorth worth();
  // What comes of it, in numbers of the run; and remembers what has come from where. The decision
  // is over.
  [[nodiscard]] DecisionOutcome accept();
  // The decision is over; nothing comes of it.
  void drop() { decision_.reset(); }

  // That decide.
  [[nodiscard]] int places() const { return static_cast<int>(live_.size()); }
  // Of a place in a decision, the number in the run; and the other way round.
  [[nodiscard]] int number_of(int place) const { return live_.at(static_cast<std::size_t>(place)); }
  [[nodiscard]] int index_of(int number) const;

 private:
  struct Remembered {
    double cpu_s{};
    std::int32_t place{};  // where it took that
  };

  [[nodiscard]] std::vector<KnownObject> returning(ObjectLoads const& loads) const;
  [[nodiscard]] KnownObjects known(DecisionOrder const& order, DecisionFacts const& facts) const;

  int place_;
  std::shared_ptr<Places const> all_;
  std::shared_ptr<Places const> machine_;      // of live places
  std::vector<int> live_;                      // numbers in the run
  NumberMap<Remembered> before_{};             // by object
  NumberMap<std::int32_t> came_from_{};        // by object: with the last decision that was taken
  std::unique_ptr<PlaceDecision> decision_{};  // null: none has begun
  DecisionOutcome outcome_{};
};

}  // namespace makespan::graph
