// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/protocol/balance_trigger.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "makespan/base/contracts.hpp"

namespace makespan::graph {

namespace {

// Fewer phases have no median worth the name, and the first one of a run or of a mapping is often
// longer than others.
constexpr std::int64_t phases_min = 3;
// What has not come true by then will not.
constexpr auto trial_phases = static_cast<std::int64_t>(PhaseWindow::length);
// How many costs are remembered; the largest of them is expected.
constexpr std::size_t costs_kept = 4;
// Where much is chance, a move is kept that makes this part of its gain come true.
constexpr double proof_part = 0.5;
// Costs are expected to be at most so many times what they were.
constexpr double safety = 2.0;
// The part of the waste that acts may use; the rest is for mappings that are hardly slower.
constexpr double acts_part = 0.75;
// Three standard errors.
constexpr double certainty = 3.0;
constexpr double price_max = 1e12;
// What a phase of nothing but messages takes where they are noted, at most, and then some: 1.4 was
// measured (docs/performance/objects.md).
constexpr double measured_times = 2.0;
// What phases to come will take at least, of what they take now.
constexpr double left_part = 0.5;

}  // namespace

void BalanceTrigger::Recent::add(double value) {
  if (values_.size() == costs_kept) values_.erase(values_.begin());
  values_.push_back(value);
}

double BalanceTrigger::Recent::most_or(double otherwise) const {
  return values_.empty() ? otherwise : *std::ranges::max_element(values_);
}

BalanceTrigger::BalanceTrigger(TriggerOptions const& options) : options_{options} {
  MAKESPAN_EXPECT(options.every >= 1);
  MAKESPAN_EXPECT(options.phases >= 0);
  MAKESPAN_EXPECT(is_time(options.look_first_s));
  MAKESPAN_EXPECT(options.waste_max > 0.0);
  MAKESPAN_EXPECT(options.slowdown_max >= 0.0);
}

bool BalanceTrigger::looks_after_next() const {
  return options_.when == BalanceWhen::periodic && (phases_ + 1) % options_.every == 0;
}

void BalanceTrigger::count(PhaseFacts const& phase) {
  ++phases_;
  time_s_ += phase.phase_s;
}

BalanceAdvice BalanceTrigger::end_measured_phase(PhaseFacts const& phase) {
  MAKESPAN_EXPECT(awaits_ == Awaits::phase);
  MAKESPAN_EXPECT(is_on_trial_);
  count(phase);
  write_down(phase);
  if (phase.phase_s <= measured_times * before_.phase_s) return BalanceAdvice::none;
  awaits_ = Awaits::way_back;
  return BalanceAdvice::go_back;
}

void BalanceTrigger::end_awaited_phase(PhaseFacts const& phase) {
  MAKESPAN_EXPECT(awaits_ == Awaits::look);
  MAKESPAN_EXPECT(is_time(phase.phase_s));
  count(phase);
  // Of one phase, and so in part chance: it is written down, but the next look is not expected to
  // cost that. This phase is the next after those of the window.
  double const since_middle = 0.5 * static_cast<double>(now_.phases + 1);
  measuring_s_ = std::max(0.0, phase.phase_s - grown_s(now_, since_middle));
}

BalanceAdvice BalanceTrigger::end_phase(PhaseFacts const& phase) {
  MAKESPAN_EXPECT(awaits_ == Awaits::phase);
  count(phase);
  window_.add(phase);
  now_ = window_.summary();
  write_down(phase);
  BalanceAdvice const advice = advise();
  if (advice == BalanceAdvice::look) awaits_ = Awaits::look;
  if (advice == BalanceAdvice::go_back) awaits_ = Awaits::way_back;
  return advice;
}

BalanceAdvice BalanceTrigger::advise() {
  switch (options_.when) {
    case BalanceWhen::never:
      return BalanceAdvice::none;
    case BalanceWhen::periodic:
      return phases_ % options_.every == 0 ? BalanceAdvice::look : BalanceAdvice::none;
    case BalanceWhen::automatic:
      break;
  }
  forgive();
  if (is_on_trial_) {
    if (must_go_back()) return BalanceAdvice::go_back;
    settle();
  }
  return should_look() ? BalanceAdvice::look : BalanceAdvice::none;
}

// What a phase takes so many phases after the middle of a window, if loads go on growing.
double BalanceTrigger::grown_s(PhaseSummary const& from, double phases) {
  return from.phase_s * std::pow(1.0 + from.growth, phases);
}

// What the phase took more than one before the move, or less.
void BalanceTrigger::write_down(PhaseFacts const& phase) {
  if (before_.phases == 0) return;
  double const even_s = before_.ratio * phase.mean_s;
  // Against the lesser of the two: whether loads grew or shrank since the move, the account errs on
  // the side of waste. Only what they were seen to grow by before it is taken to go on.
  double const over_s = phase.phase_s - std::min(grown_s(), even_s);
  double const change_s = std::max(over_s, -gain_s_);
  if (is_on_trial_) {
    longer_s_.push_back(std::max(0.0, change_s));
    trial_s_ += longer_s_.back();
  }
  // Later on, loads are others, and what is longer is not the move's doing.
  if (is_on_trial_ || change_s < 0.0) open_s_ = std::max(0.0, open_s_ + change_s);
}

// By how much phases are longer than before the move, as a fraction; below 0 if they are shorter.
double BalanceTrigger::longer_by() const {
  if (before_.phase_s <= 0.0) return 0.0;
  return std::max(now_.phase_s / before_.phase_s, now_.ratio / before_.ratio) - 1.0;
}

// By how much the ratio of so many phases can differ from that of those before by chance.
double BalanceTrigger::chance(std::int64_t phases, PhaseSummary const& before) {
  // Half of the range of a few numbers is about their standard deviation.
  double const deviation = 0.5 * before.ratio_range / before.ratio;
  return certainty * deviation *
         std::sqrt(1.0 / static_cast<double>(phases) + 1.0 / static_cast<double>(before.phases));
}

bool BalanceTrigger::is_longer() const {
  if (before_.phase_s <= 0.0) return false;
  double const grace = tolerance() + (now_.phases < phases_min ? options_.slowdown_max : 0.0);
  // Times may be on their way up: the range, and as much of it again as there are phases.
  double const trend =
      before_.phase_range_s / before_.phase_s *
      (1.0 + static_cast<double>(now_.phases) / static_cast<double>(before_.phases));
  return now_.phase_s / before_.phase_s - 1.0 > grace + trend ||
         now_.ratio / before_.ratio - 1.0 > grace + chance(now_.phases, before_);
}

// Of what was predicted. A phase must be shorter over the places' mean, which tells it apart from
// loads that shrink; and it must be shorter as it is, for objects that are further apart make all
// places work more, and the mean longer. Loads that were seen to grow may go on growing.
double BalanceTrigger::part_come_true() const {
  if (gain_s_ <= 0.0) return 0.0;
  double const saved_part = 1.0 - now_.ratio / before_.ratio;
  return std::min(saved_part * before_.phase_s, grown_s() - now_.phase_s) / gain_s_;
}

// What a phase would take by now without the move. Phases are counted from the middle of one window
// to that of the other: medians are compared.
double BalanceTrigger::grown_s() const {
  return grown_s(before_, 0.5 * static_cast<double>(before_.phases + window_.count()));
}

bool BalanceTrigger::must_go_back() const {
  if (is_longer()) return true;
  // Where chance hides what is a little longer, the move has to prove itself.
  bool const is_chance_small = chance(trial_phases, before_) <= tolerance();
  return now_.phases == trial_phases && !is_chance_small && part_come_true() < proof_part;
}

// After a way back, when effects of moves that outlast them have passed: what phases of the trial
// took more than those before, they would have taken more without it by what all phases take more
// now.
void BalanceTrigger::forgive() {
  if (left_.phases == 0 || now_.phases < trial_phases) return;
  double const later =
      0.5 * static_cast<double>(left_.phases + now_.phases + std::ssize(longer_s_));
  double const expected_s = std::max(left_.phase_s, grown_s(left_, later)) + left_.phase_range_s;
  double const slower_s = std::max(0.0, now_.phase_min_s - expected_s);
  double forgiven_s = 0.0;
  for (double const longer_s : longer_s_) forgiven_s += std::min(longer_s, slower_s);
  left_ = {};
  if (forgiven_s <= 0.0) return;
  closed_s_ += forgiven_s_ - forgiven_s;
  forgiven_s_ = forgiven_s;
}

// Ends the trial of a mapping as soon as it is known what it is worth.
void BalanceTrigger::settle() {
  if (now_.phases < phases_min) return;
  double const part = part_come_true();
  bool const is_certain = part * gain_s_ >= chance(now_.phases, before_) * before_.phase_s;
  bool const has_come_true = part >= 0.5 && is_certain;
  if (!has_come_true && now_.phases < trial_phases) return;
  is_on_trial_ = false;
  // Mappings that turned out faster make up for earlier ones that were kept and were slower.
  tolerated_ = std::max(0.0, tolerated_ + longer_by());
  if (has_come_true) {
    price_ = 1.0;
    vain_excess_s_ = 0.0;
  } else {
    raise_price(now_.excess_s);
  }
}

bool BalanceTrigger::should_look() const {
  if (is_on_trial_ || now_.phases < phases_min) return false;
  double const look_s = look_expected_s();
  double const cost_s = look_s + migrate_expected_s();
  return now_.excess_s * horizon() > price() * cost_s && may_waste(look_s + move_worst_s());
}

BalanceVerdict BalanceTrigger::looked(LookFacts const& look) {
  MAKESPAN_EXPECT(awaits_ == Awaits::look);
  MAKESPAN_EXPECT(is_time(look.look_s));
  MAKESPAN_EXPECT(is_time(look.predicted_now_s));
  MAKESPAN_EXPECT(is_time(look.predicted_new_s));
  MAKESPAN_EXPECT(is_time(look.migrate_s));
  awaits_ = Awaits::phase;
  double const cost_s = look.look_s + std::exchange(measuring_s_, 0.0);
  closed_s_ += cost_s;
  looks_s_.add(look.look_s);
  migrate_told_s_ = look.migrate_s;
  price_ = price();
  double const now_s = look.predicted_now_s;
  double const saved_s = std::max(0.0, now_s - look.predicted_new_s);
  double gain_s = saved_s > 0.0 ? saved_s / now_s * now_.phase_s : 0.0;
  // The loads are of one phase; what was random in it cannot be gained by a mapping.
  if (options_.when == BalanceWhen::automatic) gain_s = std::min(gain_s, now_.excess_s);
  // A gain that could not be distinguished from chance afterwards is not tried.
  bool const is_visible = gain_s > chance(trial_phases, now_) * now_.phase_s;
  bool const is_worth_it = is_visible && gain_s * horizon() > price_ * migrate_expected_s();
  bool const may_move =
      options_.when == BalanceWhen::periodic || (is_worth_it && may_waste(move_worst_s()));
  if (may_move) {
    awaits_ = Awaits::move;
    look_open_s_ = cost_s;
    gain_s_ = gain_s;
    return BalanceVerdict::move;
  }
  // What is only too dear as yet will be looked at again when it can be afforded.
  if (!is_worth_it) raise_price(now_.excess_s);
  return BalanceVerdict::stay;
}

void BalanceTrigger::moved(double migrate_s) {
  MAKESPAN_EXPECT(awaits_ == Awaits::move);
  MAKESPAN_EXPECT(is_time(migrate_s));
  awaits_ = Awaits::phase;
  if (migrate_told_s_ > 0.0) migrate_errors_.add(migrate_s / migrate_told_s_);
  // looked() has counted this look as spent in vain. It is part of the move's cost instead, for
  // which the gain may make up; what the move before has not made up for is final.
  closed_s_ += open_s_ - look_open_s_;
  trial_s_ = look_open_s_ + migrate_s;
  open_s_ = trial_s_;
  before_ = now_;
  longer_s_.clear();
  left_ = {};  // its phases are too few to tell
  is_on_trial_ = options_.when == BalanceWhen::automatic;
  window_.clear();
}

void BalanceTrigger::went_back(double back_s) {
  MAKESPAN_EXPECT(awaits_ == Awaits::way_back);
  MAKESPAN_EXPECT(is_time(back_s));
  awaits_ = Awaits::phase;
  // Gains between are forgotten: what was taken back counts in full.
  closed_s_ += trial_s_ + back_s;
  open_s_ = 0.0;
  is_on_trial_ = false;
  raise_price(before_.excess_s);
  left_ = std::exchange(before_, {});
  window_.clear();
}

bool BalanceTrigger::may_waste(double worst_s) const {
  return wasted_s() + safety * worst_s <= acts_part * options_.waste_max * whole_s();
}

// Of the time of a run whose length is known, at least: phases may get shorter by themselves.
double BalanceTrigger::whole_s() const {
  auto const left = static_cast<double>(std::max<std::int64_t>(0, options_.phases - phases_));
  return time_s_ + left_part * left * now_.phase_s;
}

double BalanceTrigger::look_expected_s() const {
  return looks_s_.most_or(options_.look_first_s);
}

double BalanceTrigger::migrate_expected_s() const {
  return migrate_told_s_ * migrate_errors_.most_or(1.0);
}

// There and back again, and phases that are longer while it is found out.
double BalanceTrigger::move_worst_s() const {
  auto const watched = static_cast<double>(phases_min);
  double const slower_s = watched * options_.slowdown_max * now_.phase_s + now_.phase_range_s;
  return 2.0 * migrate_expected_s() + slower_s / safety;  // what is slower is bounded, not expected
}

double BalanceTrigger::horizon() const {
  std::int64_t const left = options_.phases > 0 ? options_.phases - phases_ : phases_;
  return static_cast<double>(std::max<std::int64_t>(0, left));
}

double BalanceTrigger::tolerance() const {
  return std::max(0.0, (1.0 - acts_part) * options_.waste_max - tolerated_);
}

double BalanceTrigger::price() const {
  bool const is_news = now_.excess_s > 2.0 * vain_excess_s_;
  return is_news ? 1.0 : price_;
}

void BalanceTrigger::raise_price(double excess_s) {
  price_ = std::min(price_max, 2.0 * price_);
  vain_excess_s_ = excess_s;
}

}  // namespace makespan::graph
