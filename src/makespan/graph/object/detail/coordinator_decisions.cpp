// SPDX-License-Identifier: Apache-2.0
// What is between phases: looks at loads, and decisions, at place 0 or by all places together.
#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "makespan/base/number_map.hpp"
#include "makespan/graph/object/detail/coordinator.hpp"
#include "makespan/graph/object/message/coordinator_messages.hpp"
#include "makespan/graph/object/message/envelope_check.hpp"
#include "makespan/graph/rebalance/move_orders.hpp"

namespace makespan::graph {

namespace {

// As columns, one for each that objects tell of.
struct ObjectChanges {
  std::vector<double> before_s{};
  std::vector<double> now_s{};
  std::vector<std::int32_t> place_before{};
  std::vector<std::int32_t> place_now{};
};

// Of the objects that move.
double bytes_of(std::vector<Target> const& moves, std::span<PlaceLoads const> places) {
  NumberMap<std::int32_t> moving;
  for (Target const& each : moves) moving[each.object] = 1;
  double bytes = 0.0;
  for (PlaceLoads const& place : places) {
    for (ObjectLoad const& load : place.loads.objects) {
      if (moving.find(load.object) != nullptr) bytes += load.bytes;
    }
  }
  return bytes;
}

}  // namespace

void Coordinator::look() {
  stage_ = Stage::looking;
  look_begin_ns_ = now_ns();
  post_all({.kind = EnvelopeKind::look, .phase = phase_});
}

// --- looking

void Coordinator::take_loads(Envelope const& envelope) {
  if (stage_ != Stage::looking || envelope.phase != phase_) return;
  auto const place = static_cast<std::size_t>(envelope.from);
  ObjectLoads loads = read_loads(envelope.bytes);
  expect_within(bounds(), loads);
  loads_[place] = {.loads = std::move(loads), .availability = availability_[place].value()};
  if (has_all_replies()) decide();
}

void Coordinator::decide() {
  std::vector<Target> moves;
  if (std::exchange(goes_back_, false)) {
    // Places tell what was measured last: after the move.
    rebalancer_.learn(loads_, measured_phase_);
    moves = rebalancer_.way_back(loads_);
    prelude_.moved_bytes = bytes_of(moves, loads_);
    prelude_.decision_s = seconds_since(look_begin_ns_);
    was_back_ = true;
  } else {
    Proposal proposal = rebalancer_.propose(loads_, phase_);
    if (judge(proposal.predicted_now_s, proposal.predicted_new_s, proposal.migrate_s)) {
      moves = std::move(proposal.moves);
      prelude_.moved_bytes = proposal.moved_bytes;
    }
  }
  prelude_.moved = std::ssize(moves);
  MoveOrders orders = move_orders(moves, loads_, homes_);
  for (PlaceLoads& each : loads_) each = {};
  save_or_begin(std::move(orders));
}

bool Coordinator::judge(double predicted_now_s, double predicted_new_s, double migrate_s) {
  prelude_.decision_s = seconds_since(look_begin_ns_);
  BalanceVerdict const verdict = trigger_.looked({.look_s = prelude_.decision_s,
                                                  .predicted_now_s = predicted_now_s,
                                                  .predicted_new_s = predicted_new_s,
                                                  .migrate_s = migrate_s});
  was_moved_ = verdict == BalanceVerdict::move;
  return was_moved_;
}

// --- places that decide together

void Coordinator::take_changes(Envelope const& envelope) {
  if (stage_ != Stage::looking || envelope.phase != phase_) return;
  DistributedBalancer const* const balancer = rebalancer_.distributed();
  expect_together({.steps = balancer == nullptr ? 0 : balancer->steps()}, "changes of loads");
  std::vector<LoadChange> changes = read_changes(envelope.bytes);
  expect_within(bounds(), changes);
  changes_[static_cast<std::size_t>(envelope.from)] = std::move(changes);
  if (!has_all_replies()) return;
  ObjectChanges all;
  for (std::size_t place = 0; place < changes_.size(); ++place) {
    for (LoadChange const& each : std::exchange(changes_[place], {})) {
      all.before_s.push_back(each.before_s);
      all.now_s.push_back(each.now_s);
      all.place_before.push_back(each.place_before);
      all.place_now.push_back(static_cast<std::int32_t>(place));
    }
  }
  rebalancer_.learn({.before_s = all.before_s,
                     .now_s = all.now_s,
                     .place_before = all.place_before,
                     .place_now = all.place_now},
                    measured_phase_);
  stage_ = Stage::deciding;
  step_ = 1;
  worth_ = {};
  begin_step();
}

// Of the decision; after the last one places are asked what it is worth.
void Coordinator::begin_step() {
  // On the way back no balancer is asked: places send back what came to them (OwnMoves).
  int const steps = goes_back_ ? 1 : rebalancer_.distributed()->steps();
  if (step_ > steps) {
    stage_ = Stage::concluding;
    step_ = 0;
    return post_all({.kind = EnvelopeKind::decide, .phase = phase_, .number = 0});
  }
  DecisionOrder order{.goes_back = static_cast<std::uint8_t>(goes_back_ ? 1 : 0),
                      .noise = rebalancer_.noise()};
  // With the first step: places keep what a decision began with until it is over.
  for (std::size_t place = 0; place < states_.size() && step_ == 1; ++place) {
    if (!is_live(place)) continue;
    order.speeds.push_back(rebalancer_.speeds()[place]);
    order.availability.push_back(availability_of(availability_[place].value()));
  }
  quiescence_.begin();
  post_all({.kind = EnvelopeKind::decide,
            .phase = phase_,
            .number = step_,
            .bytes = step_ == 1 ? as_message_bytes(order) : std::vector<std::byte>()});
}

void Coordinator::take_outcome(Envelope const& envelope) {
  if (stage_ != Stage::concluding || envelope.phase != phase_) return;
  DecisionWorth const worth = read_worth(envelope.bytes);
  expect_within(bounds(), worth);
  // The next phase waits for the longest; what moves adds up.
  worth_.now_s = std::max(worth_.now_s, worth.now_s);
  worth_.new_s = std::max(worth_.new_s, worth.new_s);
  worth_.migrate_s = std::max(worth_.migrate_s, worth.migrate_s);
  worth_.moved_bytes += worth.moved_bytes;
  worth_.moved += worth.moved;
  if (has_all_replies()) conclude();
}

void Coordinator::conclude() {
  // What places told each other is none of the program's messages.
  messages_before_ = processed();
  if (std::exchange(goes_back_, false)) {
    takes_decision_ = was_back_ = true;
    prelude_.decision_s = seconds_since(look_begin_ns_);
  } else {
    takes_decision_ = judge(worth_.now_s, worth_.new_s, worth_.migrate_s);
  }
  if (takes_decision_) {
    prelude_.moved = worth_.moved;
    prelude_.moved_bytes = worth_.moved_bytes;
  }
  save_or_begin({});
}

}  // namespace makespan::graph
