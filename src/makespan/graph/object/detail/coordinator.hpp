// SPDX-License-Identifier: Apache-2.0
#pragma once

// What place 0 does for all: sees when a phase is over, begins the next, has objects moved where
// that is worth it, and has them saved.
//
//   creating -> running -> (looking) -> (saving) -> running … -> over
//
// Of moves it tells the places that they concern. After a loss it waits (restoring) until all
// places have their objects from copies; in a phase that starves, it asks what messages wait for.
//
// What objects take and send is measured only in a phase after which loads will be looked at, or
// that the program asks for: it costs some 100 ns for each message.
//
// Balancing in phases, with measured loads that persist, is that of Charm++ (Kale and Krishnan,
// OOPSLA 1993, https://doi.org/10.1145/165854.165874); when it is worth it, BalanceTrigger says.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "makespan/base/ids.hpp"
#include "makespan/graph/object/detail/place_messenger.hpp"
#include "makespan/graph/object/detail/world_plan.hpp"
#include "makespan/graph/object/message/coordinator_messages.hpp"
#include "makespan/graph/object/message/envelope.hpp"
#include "makespan/graph/object/message/envelope_check.hpp"
#include "makespan/graph/object/object_program.hpp"
#include "makespan/graph/protocol/availability.hpp"
#include "makespan/graph/protocol/balance_trigger.hpp"
#include "makespan/graph/protocol/home_places.hpp"
#include "makespan/graph/protocol/quiescence.hpp"
#include "makespan/graph/rebalance/rebalancer.hpp"

namespace makespan::graph {

// For the thread of place 0. Tested by tests/graph/object/coordinator_test.cpp,
// coordinator_balance_test.cpp, and through object_world_test.cpp.
class Coordinator {
 public:
  Coordinator(WorldPlan const& plan, ObjectProgram const& program, PlaceMessenger& messenger);

  // An envelope of a place. Throws what the program or a balancer throws: then abort() is due.
  void take(Envelope const& envelope);
  // Ends the run at all places, once.
  void abort(std::string const& text, FailureKind kind = FailureKind::other);

 private:
  // With places that decide together, after a phase: looking (for what places learn from), deciding
  // (step by step), concluding (what is it worth?).
  enum class Stage : std::uint8_t {
    creating,
    running,
    starved,
    looking,
    deciding,
    concluding,
    saving,
    restoring,
    over
  };
  using MoveOrders = std::vector<std::vector<Target>>;  // by place

  // Of a run that begins, or goes on, with phase `first`.
  [[nodiscard]] static TriggerOptions trigger_options(WorldPlan const& plan,
                                                      ObjectProgram const& program,
                                                      std::int64_t first);
  void lose(ImageId image, std::string const& why);
  void take(Verdict const& verdict);
  void take_counts(Envelope const& envelope);
  void take_waiting(Envelope const& envelope);
  void take_restored(Envelope const& envelope);
  void take_loads(Envelope const& envelope);
  void take_changes(Envelope const& envelope);
  void take_outcome(Envelope const& envelope);
  void take_saved(Envelope const& envelope);
  void end_phase();
  void look();
  void decide();
  void begin_step();
  void conclude();
  // Asks the trigger; whether objects move.
  [[nodiscard]] bool judge(double predicted_now_s, double predicted_new_s, double migrate_s);
  void save_or_begin(MoveOrders moves);
  void begin(std::int64_t phase, MoveOrders moves);
  void end();
  void forget_phases();
  [[nodiscard]] PhaseReport report(PhaseFacts const& facts) const;
  [[nodiscard]] std::int64_t processed() const;
  [[nodiscard]] PhaseFacts facts() const;
  [[nodiscard]] int threads() const { return messenger_.numbers().threads; }
  [[nodiscard]] bool is_live(std::size_t place) const {
    return !homes_.is_lost(static_cast<int>(place));
  }
  void post_all(Envelope envelope);
  [[nodiscard]] std::int64_t now_ns() const {
    PlaceWork* const work = messenger_.work();
    return messenger_.clocks().wall_ns() + (work != nullptr ? work->so_far_ns() : 0);
  }
  [[nodiscard]] double seconds_since(std::int64_t begin_ns) const;
  [[nodiscard]] EnvelopeBounds bounds() const;
  [[nodiscard]] bool has_all_replies();

  WorldPlan const& plan_;
  ObjectProgram const& program_;
  PlaceMessenger& messenger_;
  Stage stage_{Stage::creating};
  std::int64_t phase_{-1};
  std::uint32_t generation_;

  HomePlaces homes_;
  Quiescence quiescence_;
  Rebalancer rebalancer_;
  BalanceTrigger trigger_;
  bool goes_back_{false};            // the look is for a way back
  bool is_measured_{false};          // the phase that runs: objects' loads, and what they send
  std::int64_t measured_phase_{-1};  // the last that was
  std::int64_t step_{0};             // of the decision that places make; 0: none
  bool takes_decision_{false};       // with the next phase
  bool is_awaited_{false};           // it is measured since the trigger wants to look

  int replies_{0};                          // to the last thing that all were asked
  std::vector<PlaceState> states_;          // by place: what it last said
  std::vector<std::int64_t> versions_;      // by image: of that
  std::vector<Availability> availability_;  // by place
  std::vector<PlaceLoads> loads_;           // by place
  // Where places decide together: what they learn from, by place, and what the decision is worth.
  std::vector<std::vector<LoadChange>> changes_;
  DecisionWorth worth_{};
  std::int64_t phase_begin_ns_{0};
  std::int64_t run_begin_ns_{-1};  // -1: no phase has begun
  std::int64_t look_begin_ns_{0};
  bool was_moved_{false};  // the trigger waits to hear what moving cost
  bool was_back_{false};
  PhaseReport prelude_{};  // what came before the phase: moves, the decision
  std::int64_t messages_before_{0};
  MoveOrders moves_{};  // of the next phase, while objects are saved
  std::int64_t saved_;  // the phase that the last complete copies are for; -1: none
};

}  // namespace makespan::graph
