// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/detail/coordinator.hpp"

#include <algorithm>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/graph/object/detail/checkpoint_files.hpp"
#include "makespan/graph/object/message/coordinator_messages.hpp"

namespace makespan::graph {

namespace {

std::string text_of(Envelope const& envelope) {
  return {reinterpret_cast<char const*>(envelope.bytes.data()), envelope.bytes.size()};
}

}  // namespace

Coordinator::Coordinator(WorldPlan const& plan, ObjectProgram const& program,
                         PlaceMessenger& messenger)
    : plan_(plan),
      program_(program),
      messenger_(messenger),
      phase_(plan.first_phase - 1),
      generation_(plan.generation),
      homes_(messenger.numbers().places(), plan.ends()),
      quiescence_(messenger.numbers().images),
      rebalancer_(plan.options.balance, plan.balanced_objects(), plan.layout),
      trigger_(trigger_options(plan, program, plan.first_phase)),
      states_(static_cast<std::size_t>(homes_.places())),
      versions_(static_cast<std::size_t>(messenger.numbers().images)),
      availability_(states_.size()),
      loads_(states_.size()),
      changes_(states_.size()),
      // What a run is taken up from is a copy to go back to.
      saved_(plan.options.checkpoint.from.empty() ? -1 : plan.first_phase) {
}

TriggerOptions Coordinator::trigger_options(WorldPlan const& plan, ObjectProgram const& program,
                                            std::int64_t first) {
  TriggerOptions options = plan.options.balance.trigger;
  // The trigger may spend on what is still to come, where it knows how much that is
  // (docs/decisions/0062).
  if (options.phases == 0) options.phases = std::max<std::int64_t>(0, program.phases - first);
  return options;
}

void Coordinator::take(Envelope const& envelope) {
  if (stage_ == Stage::over) return;
  if (envelope.kind == EnvelopeKind::failed) {
    // It may be of a run before this one, in which another place failed earlier.
    if (run_of(envelope.generation) != run_of(generation_)) return;
    return abort(text_of(envelope), static_cast<FailureKind>(envelope.number));
  }
  if (envelope.kind == EnvelopeKind::lost) return lose(ImageId{envelope.number}, text_of(envelope));
  if (envelope.generation != generation_) return;
  switch (envelope.kind) {
    case EnvelopeKind::report:
    case EnvelopeKind::answer:
      return take_counts(envelope);
    case EnvelopeKind::waiting:
      return take_waiting(envelope);
    case EnvelopeKind::restored:
      return take_restored(envelope);
    case EnvelopeKind::loads:
      return take_loads(envelope);
    case EnvelopeKind::changes:
      return take_changes(envelope);
    case EnvelopeKind::outcome:
      return take_outcome(envelope);
    default:
      MAKESPAN_ASSERT(envelope.kind == EnvelopeKind::saved);
      return take_saved(envelope);
  }
}

// --- the end of a phase

void Coordinator::take_counts(Envelope const& envelope) {
  if (envelope.phase != phase_) return;
  bool const runs = stage_ == Stage::running || stage_ == Stage::creating;
  if (!runs && stage_ != Stage::deciding) return;
  // Of the step before.
  if (envelope.kind == EnvelopeKind::report && envelope.number != step_) return;
  ImageState const state = read_image_state(envelope.bytes);
  expect_within(bounds(), state);
  int const image = envelope.from / threads();
  // Envelopes may overtake each other: what is older does not replace what is known.
  if (std::int64_t& version = versions_[static_cast<std::size_t>(image)];
      state.is_idle && state.version >= version) {
    version = state.version;
    std::ranges::copy(state.places, states_.begin() + std::ptrdiff_t{image} * threads());
  }
  take(envelope.kind == EnvelopeKind::report ? quiescence_.report(image, state)
                                             : quiescence_.answer(image, envelope.number, state));
}

void Coordinator::take(Verdict const& verdict) {
  if (verdict.question) {
    // The first place of an image answers for all of it.
    Envelope const question{.kind = EnvelopeKind::question,
                            .generation = generation_,
                            .phase = phase_,
                            .number = *verdict.question};
    for (int place = 0; place < messenger_.numbers().places(); place += threads()) {
      if (is_live(static_cast<std::size_t>(place))) messenger_.send(place, Envelope(question));
    }
    messenger_.flush();
  }
  if (verdict.quiet == Quiet::starved) {
    stage_ = Stage::starved;  // the places report which messages wait, and for which objects
    post_all({.kind = EnvelopeKind::ask_waiting, .phase = phase_});
  } else if (verdict.quiet == Quiet::yes && stage_ == Stage::deciding) {
    ++step_;
    begin_step();
  } else if (verdict.quiet == Quiet::yes) {
    end_phase();
  }
}

void Coordinator::end_phase() {
  // Homes know by now where their objects were made.
  if (stage_ == Stage::creating) {
    // What making them took is none of the first phase.
    messages_before_ = processed();
    return phase_ + 1 >= program_.phases ? end() : begin(phase_ + 1, {});
  }
  for (std::size_t place = 0; place < states_.size(); ++place) {
    availability_[place].tell(states_[place].busy_wall_s, states_[place].busy_cpu_s);
  }
  // Before the program is called: what after() takes is none of the phase.
  PhaseFacts const facts = this->facts();
  PhaseReport const report = this->report(facts);
  double const gathering_s = std::ranges::max(states_, {}, &PlaceState::gathering_s).gathering_s;
  bool const is_first_of_trial = trigger_.begins_trial();
  // What moving cost is known when the objects have come, which is in the phase after.
  if (std::exchange(was_moved_, false)) trigger_.moved(gathering_s);
  if (std::exchange(was_back_, false)) trigger_.went_back(prelude_.decision_s + gathering_s);
  prelude_ = {};
  messages_before_ += report.messages;
  Next const next = program_.after ? program_.after(report) : Next::go_on;
  if (next == Next::stop || phase_ + 1 >= program_.phases) return end();

  // The trigger has asked for this look after the phase before, and waits for it.
  if (std::exchange(is_awaited_, false)) {
    trigger_.end_awaited_phase(facts);
    return look();
  }
  BalanceAdvice const advice =
      is_first_of_trial ? trigger_.end_measured_phase(facts) : trigger_.end_phase(facts);
  if (advice == BalanceAdvice::none) return save_or_begin({});
  goes_back_ = advice == BalanceAdvice::go_back;
  if (goes_back_ || is_measured_) return look();
  // No loads of this phase: those of the next are measured, and looked at.
  is_awaited_ = true;
  save_or_begin({});
}

PhaseReport Coordinator::report(PhaseFacts const& facts) const {
  PhaseReport report = prelude_;
  report.phase = phase_;
  report.is_measured = is_measured_;
  report.time_s = seconds_since(phase_begin_ns_);
  report.elapsed_s = seconds_since(run_begin_ns_);
  report.busy_s_longest = facts.longest_s;
  report.busy_s_mean = facts.mean_s;
  report.messages = processed() - messages_before_;
  return report;
}

// By all places, in the run.
std::int64_t Coordinator::processed() const {
  std::int64_t sum = 0;
  for (std::size_t place = 0; place < states_.size(); ++place) {
    if (is_live(place)) sum += states_[place].counts.processed;
  }
  return sum;
}

PhaseFacts Coordinator::facts() const {
  std::vector<PlaceBusy> busy;
  double gathering_s = 0.0;
  for (std::size_t place = 0; place < states_.size(); ++place) {
    if (!is_live(place)) continue;
    PlaceState const& state = states_[place];
    gathering_s = std::max(gathering_s, state.gathering_s);
    busy.push_back({.wall_s = state.busy_wall_s,
                    .availability = availability_[place].value(),
                    .speed = rebalancer_.speeds()[place]});
  }
  // Objects on their way are paid for as what moving them cost.
  return facts_of(busy, seconds_since(phase_begin_ns_) - gathering_s);
}

// --- beginning

void Coordinator::save_or_begin(MoveOrders moves) {
  std::int64_t const every = plan_.options.checkpoint.every;
  if (every == 0 || (phase_ + 1) % every != 0) return begin(phase_ + 1, std::move(moves));
  // Saved before they move: a place saves what is there now.
  moves_ = std::move(moves);
  stage_ = Stage::saving;
  post_all({.kind = EnvelopeKind::save, .phase = phase_});
}

void Coordinator::take_saved(Envelope const& envelope) {
  // The last condition counts this reply, so it is asked only of one that is awaited.
  if (stage_ != Stage::saving || envelope.phase != phase_ || !has_all_replies()) return;
  CheckpointOptions const& options = plan_.options.checkpoint;
  // Its name says that it is complete, so it gets that when all parts are written.
  if (!options.folder.empty()) complete_checkpoint(options.folder, phase_ + 1);
  saved_ = phase_ + 1;
  begin(phase_ + 1, std::exchange(moves_, {}));
}

void Coordinator::begin(std::int64_t phase, MoveOrders moves) {
  phase_ = phase;
  stage_ = Stage::running;
  quiescence_.begin();
  phase_begin_ns_ = now_ns();
  if (run_begin_ns_ < 0) run_begin_ns_ = phase_begin_ns_;
  // After a move, too: a mapping that must go back has shown how fast places are.
  is_measured_ = is_awaited_ || trigger_.looks_after_next() || trigger_.begins_trial() ||
                 (program_.is_measured && program_.is_measured(phase));
  if (is_measured_) measured_phase_ = phase;
  Measured const measured = !is_measured_                  ? Measured::nothing
                            : rebalancer_.reads_messages() ? Measured::messages
                                                           : Measured::loads;
  PhaseOrder const order{.measured = measured,
                         .takes_decision = std::exchange(takes_decision_, false)};
  moves.resize(states_.size());
  for (std::size_t place = 0; place < moves.size(); ++place) {
    if (!is_live(place)) continue;
    messenger_.send(static_cast<int>(place), {.kind = EnvelopeKind::begin,
                                              .generation = generation_,
                                              .phase = phase,
                                              .number = order.number(),
                                              .targets = std::span(std::as_const(moves[place]))});
  }
  messenger_.flush();
}

void Coordinator::take_waiting(Envelope const& envelope) {
  if (stage_ != Stage::starved || envelope.targets.empty()) return;
  abort("messages for " + plan_.name_of(envelope.targets.front().object) + " wait at place " +
        std::to_string(envelope.from) +
        " (no place has made it): make every object that is sent to");
}

void Coordinator::take_restored(Envelope const& envelope) {
  if (stage_ != Stage::restoring) return;
  // What homes are told is taken in the phase to come, and is none of its messages.
  messages_before_ += envelope.number;
  if (has_all_replies()) begin(phase_ + 1, {});
}

// --- the end

void Coordinator::end() {
  stage_ = Stage::over;
  post_all({.kind = EnvelopeKind::end, .phase = phase_});
}

void Coordinator::abort(std::string const& text, FailureKind kind) {
  if (stage_ == Stage::over) return;
  stage_ = Stage::over;
  messenger_.drop_unsent();  // no place reads it, and it would be in the way
  auto const bytes = std::as_bytes(std::span(text));
  post_all({.kind = EnvelopeKind::abort,
            .number = static_cast<std::int64_t>(kind),
            .bytes = {bytes.begin(), bytes.end()}});
}

// The run goes on from the last copies, if there are any of the image's objects.
void Coordinator::lose(ImageId image, std::string const& why) {
  // Each thread of image 0 tells of a loss that it meets.
  if (homes_.is_lost(static_cast<int>(image.value()) * threads())) return;
  std::vector<Target> lost;
  for (int place = 0; place < messenger_.numbers().places(); ++place) {
    if (messenger_.numbers().image_of(place) == image.value()) homes_.lose(place);
    if (!homes_.is_lost(place)) continue;
    rebalancer_.lose(place);
    lost.push_back({.place = place});
  }
  if (saved_ < 0) return abort(why + ": no copies of its objects have been saved");
  // By this number places know envelopes of phases that are void now.
  ++generation_;
  forget_phases();
  for (Target const& each : lost) quiescence_.leave_out(each.place / threads());
  // Places answer when they have objects from their copies.
  stage_ = Stage::restoring;
  post_all(
      {.kind = EnvelopeKind::restart, .phase = phase_, .targets = std::span(std::as_const(lost))});
}

// A new run from the copies: what was measured belongs to phases that will be done again.
void Coordinator::forget_phases() {
  phase_ = saved_ - 1;
  quiescence_ = Quiescence(messenger_.numbers().images);
  trigger_ = BalanceTrigger(trigger_options(plan_, program_, saved_));
  goes_back_ = is_awaited_ = was_moved_ = was_back_ = takes_decision_ = false;
  step_ = 0;
  replies_ = 0;
  std::ranges::fill(states_, PlaceState{});  // a lost place says nothing any more
  std::ranges::fill(versions_, 0);
  for (auto& each : changes_) each.clear();
  for (PlaceLoads& each : loads_) each = {};  // what a look that was given up has gathered
  moves_.clear();
  prelude_ = {};
  messages_before_ = 0;
}

// --- envelopes

EnvelopeBounds Coordinator::bounds() const {
  return {.place = 0,
          .places = messenger_.numbers().places(),
          .images = messenger_.numbers().images,
          .objects = plan_.objects};
}

bool Coordinator::has_all_replies() {
  int live = 0;
  for (std::size_t place = 0; place < states_.size(); ++place) live += is_live(place) ? 1 : 0;
  if (++replies_ < live) return false;
  replies_ = 0;
  return true;
}

void Coordinator::post_all(Envelope envelope) {
  envelope.generation = generation_;
  for (int place = 0; place < messenger_.numbers().places(); ++place) {
    if (is_live(static_cast<std::size_t>(place))) messenger_.send(place, Envelope(envelope));
  }
  messenger_.flush();
}

double Coordinator::seconds_since(std::int64_t begin_ns) const {
  return 1e-9 * static_cast<double>(now_ns() - begin_ns);
}

}  // namespace makespan::graph
