// SPDX-License-Identifier: Apache-2.0
// How a phase begins at a place, and how the run ends.
#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "makespan/base/error.hpp"
#include "makespan/graph/object/detail/place_core.hpp"
#include "makespan/graph/object/detail/place_errors.hpp"
#include "makespan/graph/object/message/coordinator_messages.hpp"

namespace makespan::graph {

void PlaceCore::begin_phase(Envelope const& envelope) {
  expect_nothing_left(envelope);
  set_phase(envelope.phase);
  stage_ = Stage::gathering;
  was_idle_ = false;
  patience_ = 0;
  // Before loads_ is cleared: an interval that is still open would add its times to this phase's.
  static_cast<void>(clock_.end_phase());
  step_ = 0;
  PhaseOrder const order = PhaseOrder::of(envelope.number);
  is_measured_ = order.measured != Measured::nothing;
  notes_messages_ = order.measured == Measured::messages;
  if (is_measured_) loads_.clear();
  gathering_begin_ns_ = messenger_.clocks().wall_ns();
  if (order.takes_decision) move_as_decided();
  if (decider_) decider_->drop();
  for (Target const& target : envelope.targets) move_as_ordered(target);
  messenger_.flush();
  // Of this phase, from places that began it earlier.
  for (Envelope& early : std::exchange(early_, {})) take(std::move(early));
  start_if_complete();
}

// No place begins a phase before all have ended the one before.
void PlaceCore::expect_nothing_left(Envelope const& begin) const {
  bool const is_next = begin.phase > phase() && begin.phase - 1 == phase();
  if (is_next && queue_.empty() && awaited_ == 0) return;
  throw InputError("an order to begin phase " + std::to_string(begin.phase),
                   "this place is in phase " + std::to_string(phase()) + ", with " +
                       std::to_string(queue_.size()) + " messages left and " +
                       std::to_string(awaited_) + " objects to come",
                   "start the same executable, with the same input, on all images");
}

void PlaceCore::move_as_ordered(Target const& target) {
  bool const is_here = table_.is_here(target.object);
  bool const is_to_be_here = target.place == place();
  std::uint32_t const moves = table_.believed(target.object).moves;
  if (is_here && (is_to_be_here || target.moves != moves + 1)) {
    throw InputError(
        "an order to bring " + plan_.name_of(target.object) + " to place " +
            std::to_string(target.place) + " by move " + std::to_string(target.moves),
        "it is at place " + std::to_string(place()) + " after move " + std::to_string(moves),
        "start the same executable, with the same input, on all images");
  }
  if (is_here) {
    // 1: the coordinator tells its home, and the receiver waits for it (take_arrival()).
    return hand_over(target.object, table_.depart(target.object, target.place), 1);
  }
  if (!table_.learn(target.object, {.place = target.place, .moves = target.moves})) return;
  // The phase does not start here before all objects are there that belong here.
  if (is_to_be_here) ++awaited_;
  look_again(target.object);
}

void PlaceCore::start_if_complete() {
  if (stage_ != Stage::gathering || awaited_ > 0) return;
  gathering_s_ = 1e-9 * static_cast<double>(messenger_.clocks().wall_ns() - gathering_begin_ns_);
  stage_ = Stage::running;
  if (trace_) trace_->add_phase(phase(), now_ns());
  if (program_.begin) {
    worked(Worker::program, [this] { program_.begin(*this, phase()); });
  }
  // Messages that came while objects were still on their way here.
  for (Envelope& early : std::exchange(early_, {})) take(std::move(early));
}

void PlaceCore::finish(Envelope const& envelope) {
  stage_ = Stage::over;
  if (envelope.kind == EnvelopeKind::abort) {
    end_reason_ = told_failure(envelope);
    if (!coordinator_) messenger_.drop_unsent();  // what the coordinator says has to arrive
    return;
  }
  has_ended_ = true;
  clock_.settle();
  try {
    // After settle(): the program may ask what its objects took.
    if (program_.end) program_.end(*this);
  } catch (...) {
    error_ = std::current_exception();
  }
}

}  // namespace makespan::graph
