// SPDX-License-Identifier: Apache-2.0
#pragma once

// From what objects took to where they should be.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "makespan/graph/balancer/place_decision.hpp"
#include "makespan/graph/model/load_model.hpp"
#include "makespan/graph/protocol/kind_factors.hpp"
#include "makespan/graph/protocol/place_speeds.hpp"
#include "makespan/graph/rebalance/balance_options.hpp"
#include "makespan/graph/rebalance/balanced_objects.hpp"
#include "makespan/graph/rebalance/object_loads.hpp"
#include "makespan/graph/rebalance/place_layout.hpp"
#include "makespan/graph/rebalance/target.hpp"

namespace makespan::graph {

// What one place said when it was looked at.
struct PlaceLoads {
  ObjectLoads loads{};
  double availability{1.0};  // the processor's time over that on the clock while it computed
};

// As balancers are told of it: a place whose core was taken away nearly always still counts as
// something.
[[nodiscard]] double availability_of(double measured);

struct Proposal {
  std::vector<Target> moves{};  // of objects that should go elsewhere
  double predicted_now_s{};
  double predicted_new_s{};
  double migrate_s{};  // expected, of the place where it takes longest
  double moved_bytes{};
};

// Remembers loads from look to look, speeds of places, and how objects take to kinds of places.
// Tested by tests/graph/rebalance/rebalancer_test.cpp.
class Rebalancer {
 public:
  // Throws InputError on a balancer, a load model or options that there are not, on speeds that are
  // not one positive number for each place, and on a memory limit that the balancer cannot keep.
  Rebalancer(BalanceOptions const& options, BalancedObjects const& objects, PlaceLayout layout);
  ~Rebalancer();

  void lose(int place) {
    is_lost_[static_cast<std::size_t>(place)] = true;
    past_looks_ = {};  // of another machine
  }

  // Whether its balancer wants to know what objects send.
  [[nodiscard]] bool reads_messages() const { return balancer_->reads_messages(); }

  // Null if it decides from what all places tell.
  [[nodiscard]] DistributedBalancer const* distributed() const {
    return dynamic_cast<DistributedBalancer const*>(balancer_.get());
  }

  // Learns speeds, and how well loads are known, from what objects took before and now, in phase
  // number `phase`: from two in a row, or where they are not, at least how well. propose() does so,
  // too.
  void learn(ObjectTimes const& times, std::int64_t phase);
  // From what they took when the last proposal was made, and now: before objects go back.
  void learn(std::span<PlaceLoads const> places, std::int64_t phase) { learn(read(places), phase); }
  [[nodiscard]] double noise() const { return noise_; }

  // `places` by place, of phase number `phase`. A distributed balancer decides in this process.
  [[nodiscard]] Proposal propose(std::span<PlaceLoads const> places, std::int64_t phase);
  // Moves that bring back what the last proposal has moved, if it is still where that sent it: what
  // the program has sent elsewhere stays, and what there is no memory for any more.
  [[nodiscard]] std::vector<Target> way_back(std::span<PlaceLoads const> places) const;

  // By place, relative to each other, without what others take of their cores. Of places of several
  // kinds: beside others of their kind.
  [[nodiscard]] std::vector<double> const& speeds() const { return speeds_; }
  [[nodiscard]] KindFactors const& kind_factors() const { return kind_factors_; }

 private:
  struct Look {
    std::vector<double> cpu_s{};        // by object; below 0: not there
    std::vector<std::int32_t> place{};  // by object; -1: not there
  };

  [[nodiscard]] Look read(std::span<PlaceLoads const> places) const;
  void learn(Look const& now, std::int64_t phase);
  [[nodiscard]] Places live_places(std::span<PlaceLoads const> places) const;
  [[nodiscard]] std::vector<double> room_of_images(std::span<PlaceLoads const> places) const;
  [[nodiscard]] Places live_places_without_memories(std::span<PlaceLoads const> places) const;
  [[nodiscard]] int kind_of(std::size_t place) const {
    return kinds() == 1 ? 0 : layout_.kind[place];
  }
  [[nodiscard]] int kinds() const { return kind_factors_.kinds(); }
  // By object, on places of kind 0.
  [[nodiscard]] std::vector<double> work_next();
  [[nodiscard]] Graph graph_of(std::span<PlaceLoads const> places, std::vector<int> const& objects);
  [[nodiscard]] std::vector<int> live_numbers() const;

  std::vector<bool> is_fixed_;  // by object
  PlaceLayout layout_;
  std::vector<bool> is_lost_;  // by place
  std::unique_ptr<Balancer> balancer_;
  PastLooks past_looks_{};
  std::unique_ptr<LoadModel> load_model_;
  std::vector<double> speeds_;  // by place
  KindFactors kind_factors_;
  double image_memory_bytes_;
  double noise_;  // of a phase's loads
  std::vector<MeasuredWork> history_{};
  std::vector<std::vector<std::int32_t>> history_place_{};  // by object, where that was measured
  Look last_{};
  std::int64_t last_phase_{-2};
  // Of each object, with the last proposal: the place where it was, and the one that it is sent to.
  std::vector<std::int32_t> before_{};   // -1: it was not there
  std::vector<std::int32_t> sent_to_{};  // -1: it stays
};

}  // namespace makespan::graph
