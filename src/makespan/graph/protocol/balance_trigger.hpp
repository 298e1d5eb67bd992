// SPDX-License-Identifier: Apache-2.0
#pragma once

// When objects should move: a state machine that is told what phases take and says when it is worth
// to look for a better mapping, to go there, and to come back.
//
//   end_phase -> none | look | go_back       after `look`: looked; after `go_back`: went_back
//   looked    -> stay | move                 after `move`: moved
//
// Where loads of the phase that ended were not measured, they are in the next one, of which
// end_awaited_phase() tells before looked().
//
// A look costs: loads are measured and gathered, a balancer is asked. What it can gain is at most
// the longest of the places' times less their mean, in each phase to come. So it looks when that
// bound times the phases to come is more than what looking and moving cost. How many phases come is
// known, or assumed to be as many as have been: acting once the loss has reached the price costs at
// most twice the best choice (the ski-rental argument; Karlin et al., "Competitive snoopy caching",
// Algorithmica 3, 1988, https://doi.org/10.1007/BF01762111). Each look or move in vain doubles the
// price of the next, a gain that came true makes it 1 again, and so does an imbalance twice that of
// the last look in vain.
//
// After a move phases are compared with those before it. The mapping before comes back when phases
// got longer by more than they vary: at once by more than `slowdown_max`, else from the third
// phase on. They are compared twice: as they are, and over the places' mean, which does not change
// while loads grow. A gain must show in both; as they are, phases may have grown as loads did
// before the move. Where phases vary so much that a little more would not be seen, it is the move
// that has to prove itself: it is not begun if its gain could be chance, and it is taken back after
// eight phases in which less than half of the gain has come true. The first phase after a move is
// measured, so that what goes back has told how fast places are, and left out of comparisons.
//
// That it never costs much: all that looks, moves and slower phases cost is written down, and taken
// off as measured phases get shorter than before, at most by what was predicted. What is written
// down and not made up for is the waste. With w = `waste_max` and T the time of all phases so far,
// and of those to come, where their number is known, half of what they would take like the last, an
// act is begun only if the waste, and twice the worst that is expected of the act, is at most
// 3/4 w T. For a look the worst is its cost; for a move it is the way there and back, and three
// phases longer by `slowdown_max`, and by as much as phases vary. So the waste stays below
//
//   3/4 w T + surprise,
//
// where the surprise is what the last act cost above the worst expected, with what measuring for it
// cost, of which most is chance: nothing happens before T has made up for it, so surprises do not
// add up. A mapping that is kept may be slower than the one before by no more than w/4 in sum over
// moves without a gain: together w. Without surprises that holds at every moment, with them for all
// runs that go on long enough. Three things cannot be known: which differences are hidden in noise,
// whether random loads would have suited the old mapping better, and whether phases that stay long
// after a way back do so because of the move: where its effects last for three phases and more, the
// next move is compared with those.
//
// A place that becomes slower while a move is on trial looks like a bad move. If all of the eight
// phases after the way back are longer than those before the move, what the trial's took more is
// not the move's doing by as much, and is taken off the waste; of the last trial only: what was
// taken off before is written down again.
// tests/graph/protocol/balance_worlds_test.cpp drives it through worlds that try.
//
// Tested by tests/graph/protocol/balance_trigger_test.cpp.

#include <cstdint>
#include <vector>

#include "makespan/graph/protocol/phase_window.hpp"
#include "makespan/graph/protocol/trigger_options.hpp"

namespace makespan::graph {

enum class BalanceAdvice : std::uint8_t { none, look, go_back };
enum class BalanceVerdict : std::uint8_t { stay, move };

// Of a look, in seconds. Predictions come from one model, for the phase that was and for the
// proposed mapping; only their ratio to the measured phase counts.
struct LookFacts {
  double look_s{0.0};  // measured
  double predicted_now_s{0.0};
  double predicted_new_s{0.0};
  double migrate_s{0.0};  // expected
};

// Not thread-safe: the coordinator alone has it. Calls out of turn, and times that are negative or
// no numbers, break a contract. The end of a phase takes O(places), all else O(1).
class BalanceTrigger {
 public:
  explicit BalanceTrigger(TriggerOptions const& options);

  // Whether end_phase() of the phase that now begins will say `look`, whatever it is told.
  [[nodiscard]] bool looks_after_next() const;
  // Whether the phase that now begins is the first of a mapping that may have to go back. Automatic
  // only.
  [[nodiscard]] bool begins_trial() const {
    return awaits_ == Awaits::move && options_.when == BalanceWhen::automatic;
  }
  [[nodiscard]] BalanceAdvice end_phase(PhaseFacts const& phase);
  // Of the first of a trial, in its place, where loads were measured in it: that makes it longer,
  // so it is compared with no other. Says `none`, or `go_back` where it is longer than measuring
  // explains.
  [[nodiscard]] BalanceAdvice end_measured_phase(PhaseFacts const& phase);
  // Of one that was measured since the look is to come: it is compared with no other, and what it
  // takes more than those before, and than their growth explains, is the look's cost.
  void end_awaited_phase(PhaseFacts const& phase);
  [[nodiscard]] BalanceVerdict looked(LookFacts const& look);
  // Objects are where the look proposed; to bring them there took so long [s].
  void moved(double migrate_s);
  // They are again where they were; that took so long, with the look at where they are [s].
  void went_back(double back_s);

  // Of looks, migrations and slower phases, less what was gained since [s]. Automatic only.
  [[nodiscard]] double wasted_s() const { return closed_s_ + open_s_; }
  // By how much more than a look costs it must promise.
  [[nodiscard]] double price() const;
  [[nodiscard]] std::int64_t phases() const { return phases_; }

 private:
  enum class Awaits : std::uint8_t { phase, look, move, way_back };

  [[nodiscard]] BalanceAdvice advise();
  [[nodiscard]] bool should_look() const;
  [[nodiscard]] bool may_waste(double worst_s) const;
  [[nodiscard]] double whole_s() const;
  [[nodiscard]] double look_expected_s() const;
  [[nodiscard]] double migrate_expected_s() const;
  [[nodiscard]] double move_worst_s() const;
  [[nodiscard]] double horizon() const;
  [[nodiscard]] double tolerance() const;
  [[nodiscard]] double longer_by() const;
  void write_down(PhaseFacts const& phase);
  void count(PhaseFacts const& phase);
  [[nodiscard]] static double chance(std::int64_t phases, PhaseSummary const& before);
  [[nodiscard]] bool is_longer() const;
  [[nodiscard]] bool must_go_back() const;
  [[nodiscard]] double part_come_true() const;
  [[nodiscard]] double grown_s() const;
  [[nodiscard]] static double grown_s(PhaseSummary const& from, double phases);
  void forgive();
  void settle();
  void raise_price(double excess_s);

  // Of the last few, the last first lost.
  class Recent {
   public:
    void add(double value);
    [[nodiscard]] double most_or(double otherwise) const;

   private:
    std::vector<double> values_;
  };

  TriggerOptions options_;
  Awaits awaits_{Awaits::phase};
  std::int64_t phases_{0};
  double time_s_{0.0};  // of all phases

  PhaseWindow window_;          // under the present mapping
  PhaseSummary now_{};          // of the window
  Recent looks_s_;              // what they cost, without measuring
  double measuring_s_{0.0};     // what measuring for the look that is to come has cost
  Recent migrate_errors_;       // what migrations cost, over what was expected
  double migrate_told_s_{0.0};  // as the last look expected
  double look_open_s_{0.0};     // of the look that led to the present move
  double price_{1.0};
  double vain_excess_s_{0.0};  // imbalance at the last look in vain

  // Of the last move.
  bool is_on_trial_{false};
  PhaseSummary before_{};
  double gain_s_{0.0};            // predicted, of a phase
  double tolerated_{0.0};         // by how much kept mappings were slower, in sum
  double trial_s_{0.0};           // what it has cost so far, without gains
  std::vector<double> longer_s_;  // what each of its phases took more than one before it
  double open_s_{0.0};            // what it has cost less what it has gained, never below 0
  double closed_s_{0.0};          // waste of all acts before

  // Of the last way back.
  PhaseSummary left_{};     // phases before the move, until they are compared with those after it
  double forgiven_s_{0.0};  // what is not in closed_s_
};

}  // namespace makespan::graph
