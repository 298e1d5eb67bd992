// SPDX-License-Identifier: Apache-2.0
// What a place tells of its objects after a phase, and decides with others.
#include <string>
#include <utility>

#include "makespan/base/error.hpp"
#include "makespan/graph/object/detail/place_core.hpp"

namespace makespan::graph {

namespace {

// Messages of a decision, in numbers of the run.
class StepOutbox final : public DecisionOutbox {
 public:
  explicit StepOutbox(std::function<void(int place, DecisionMessage const& message)> post)
      : post_(std::move(post)) {}
  void send(int place, DecisionMessage message) override { post_(place, message); }

 private:
  std::function<void(int place, DecisionMessage const& message)> post_;
};

}  // namespace

// All of them; or, where places decide together, only what place 0 learns speeds from.
void PlaceCore::tell_loads() {
  worked(Worker::coordinator, [&] {
    if (!decider_) return post(EnvelopeKind::loads, as_message_bytes(loads_now()));
    post(EnvelopeKind::changes, as_message_bytes(decider_->changes(loads_now().objects)));
  });
}

void PlaceCore::take_decide(Envelope const& envelope) {
  expect_next_step(decision_stage(), envelope.number);
  step_ = envelope.number;
  if (step_ == 0) {
    return worked(Worker::coordinator,
                  [&] { post(EnvelopeKind::outcome, as_message_bytes(decider_->worth())); });
  }
  decide([&](DecisionOutbox& outbox) {
    if (step_ == 1) {
      DecisionOrder const order = read_decision_order(envelope.bytes);
      expect_within(decision_bounds(), order);
      decider_->begin(dynamic_cast<DistributedBalancer const&>(*balancer_), order,
                      decision_facts());
    }
    decider_->decision().step(static_cast<int>(step_), outbox);
  });
  // Of this step, from places that began it earlier.
  for (Envelope& early : std::exchange(early_, {})) take(std::move(early));
}

// Of those whose decision it is: places are numbered without gaps there.
EnvelopeBounds PlaceCore::decision_bounds() const {
  EnvelopeBounds of_all = bounds();
  of_all.places = decider_->places();
  return of_all;
}

DecisionStage PlaceCore::decision_stage() const {
  if (!decider_) return {};
  return {.steps = dynamic_cast<DistributedBalancer const&>(*balancer_).steps(),
          .now = decider_->is_deciding() ? step_ : 0};
}

DecisionFacts PlaceCore::decision_facts() {
  return {
      .loads = loads_now(),
      .is_fixed =
          [this](int object) { return plan_.collection_of(object).mobility == Mobility::fixed; },
      .place_of = [this](int object) { return table_.believed(object).place; }};
}

void PlaceCore::take_decision(Envelope const& envelope) {
  expect_deciding(decision_stage());
  if (table_.is_lost(envelope.from)) {
    throw InputError("what place " + std::to_string(envelope.from) + " tells of a decision",
                     "it is lost", "start the same executable, with the same input, on all images");
  }
  decide([&](DecisionOutbox& outbox) {
    DecisionMessage message = read_decision(envelope.bytes);
    expect_within(decision_bounds(), message);
    decider_->decision().take(decider_->index_of(envelope.from), std::move(message), outbox);
  });
  ++counts_.processed;
}

// Calls it with what sends to other places.
template <class Function>
void PlaceCore::decide(Function&& function) {
  StepOutbox outbox([this](int to, DecisionMessage const& message) {
    ++counts_.sent;
    send_envelope(decider_->number_of(to), {.kind = EnvelopeKind::decision,
                                            .from = place(),
                                            .number = step_,
                                            .bytes = as_message_bytes(message)});
    // Others can begin with it while this place goes on.
    messenger_.flush();
  });
  std::int64_t const begin_ns = trace_ ? now_ns() : 0;
  worked(Worker::coordinator, [&] { function(outbox); });
  if (trace_) trace_->add_decision(begin_ns, now_ns());
}

// Others have a say in where objects go.
void PlaceCore::expect_decided(int object, bool is_right) const {
  if (is_right) return;
  throw InputError("a decision to move " + plan_.name_of(object),
                   "it goes where it is, or from where it is not",
                   "start the same executable, with the same input, on all images");
}

// The place that an object goes to knows that it comes; its home is told.
void PlaceCore::move_as_decided() {
  expect_together(decision_stage(), "an order to move objects as places have decided");
  DecisionOutcome const outcome = decider_->accept();
  for (KnownObject const& each : outcome.leaving) {
    // Not so of one that is named twice: it has gone by then.
    expect_decided(each.object, table_.is_here(each.object) && each.to != place());
    Location const next = table_.depart(each.object, each.to);
    // 1: as for moves that the coordinator orders; the receiver knows them from its own outcome.
    hand_over(each.object, next, 1);
    int const home = table_.home(each.object);
    if (home == place() || home == each.to) continue;
    ++counts_.sent;
    send_envelope(home,
                  {.kind = EnvelopeKind::news,
                   .from = place(),
                   .targets = {{.object = each.object, .moves = next.moves, .place = next.place}}});
  }
  for (KnownObject const& each : outcome.arriving) {
    expect_decided(each.object, !table_.is_here(each.object));
    if (!table_.learn(each.object, {.place = place(), .moves = each.moves + 1})) continue;
    ++awaited_;
    look_again(each.object);
  }
}

}  // namespace makespan::graph
