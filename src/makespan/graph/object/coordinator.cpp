// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/coordinator.hpp"

#include <algorithm>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/graph/object/checkpoint_files.hpp"
#include "makespan/graph/object/coordinator_letters.hpp"

namespace makespan::graph {

namespace {

std::string text_of(Letter const& letter) {
  return {reinterpret_cast<char const*>(letter.bytes.data()), letter.bytes.size()};
}

}  // namespace

Coordinator::Coordinator(WorldPlan const& plan, ObjectProgram const& program, PlacePost& post)
    : plan_(plan),
      program_(program),
      post_(post),
      phase_(plan.first_phase - 1),
      generation_(plan.generation),
      is_lost_(static_cast<std::size_t>(post.numbers().places())),
      quiescence_(post.numbers().places()),
      rebalancer_(plan,
                  {.threads = post.numbers().threads, .node = plan.nodes, .is_lost = is_lost_}),
      trigger_(trigger_options(plan, program)),
      states_(is_lost_.size()),
      availability_(is_lost_.size()),
      loads_(is_lost_.size()) {
}

TriggerOptions Coordinator::trigger_options(WorldPlan const& plan, ObjectProgram const& program) {
  TriggerOptions options = plan.options.balance.trigger;
  if (options.phases == 0) options.phases = program.phases - plan.first_phase;
  return options;
}

void Coordinator::take(Letter const& letter) {
  if (stage_ == Stage::over) return;
  if (letter.kind == LetterKind::failed) {
    // It may be of a run before this one, in which another place failed earlier.
    if (run_of(letter.generation) == run_of(generation_)) abort(text_of(letter));
    return;
  }
  if (letter.kind == LetterKind::lost) return lose(ImageId{letter.number}, text_of(letter));
  if (letter.generation != generation_) return;
  switch (letter.kind) {
    case LetterKind::report:
    case LetterKind::answer:
      return take_counts(letter);
    case LetterKind::inventory:
      return take_inventory(letter);
    case LetterKind::loads:
      return take_loads(letter);
    default:
      MAKESPAN_ASSERT(letter.kind == LetterKind::saved);
      return take_saved(letter);
  }
}

// --- the end of a phase

void Coordinator::take_counts(Letter const& letter) {
  if (letter.phase != phase_) return;
  if (stage_ != Stage::running && stage_ != Stage::creating) return;
  auto const state = read_letter_bytes<PlaceState>(letter.bytes);
  expect_within(bounds(), state);
  if (letter.kind == LetterKind::report) {
    return ask(quiescence_.report(letter.from, state.counts));
  }
  states_[static_cast<std::size_t>(letter.from)] = state;
  Verdict const verdict = quiescence_.answer(letter.from, letter.number, state.counts);
  ask(verdict.question);
  if (verdict.quiet == Quiet::starved) {
    stage_ = Stage::stock;  // who waits for what, the places will say
    post_all({.kind = LetterKind::stock, .phase = phase_, .number = 1});
  } else if (verdict.quiet == Quiet::yes) {
    end_phase();
  }
}

void Coordinator::ask(std::optional<std::int64_t> question) {
  if (question) {
    post_all({.kind = LetterKind::question, .phase = phase_, .number = *question});
  }
}

void Coordinator::end_phase() {
  if (stage_ == Stage::creating) {
    stage_ = Stage::stock;
    return post_all({.kind = LetterKind::stock, .phase = phase_});
  }
  for (std::size_t place = 0; place < states_.size(); ++place) {
    availability_[place].tell(states_[place].busy_wall_s, states_[place].busy_cpu_s);
  }
  PhaseReport const report = this->report();
  double const gathering_s = std::ranges::max(states_, {}, &PlaceState::gathering_s).gathering_s;
  if (std::exchange(was_moved_, false)) trigger_.moved(gathering_s);
  if (std::exchange(was_back_, false)) trigger_.went_back(gathering_s);
  prelude_ = {};
  messages_before_ += report.messages;
  Next const next = program_.after ? program_.after(report) : Next::go_on;
  if (next == Next::stop || phase_ + 1 >= program_.phases) return end();

  if (std::exchange(is_awaited_, false)) return look();
  BalanceAdvice const advice = trigger_.end_phase(facts());
  if (advice == BalanceAdvice::none) return save_or_begin({});
  goes_back_ = advice == BalanceAdvice::go_back;
  if (goes_back_ || is_measured_) return look();
  is_awaited_ = true;
  save_or_begin({});
}

void Coordinator::look() {
  stage_ = Stage::looking;
  look_begin_ns_ = now_ns();
  post_all({.kind = LetterKind::look, .phase = phase_});
}

PhaseReport Coordinator::report() const {
  PhaseReport report = prelude_;
  report.phase = phase_;
  report.is_measured = is_measured_;
  report.time_s = seconds_since(phase_begin_ns_);
  PhaseFacts const facts = this->facts();
  report.busy_s_longest = facts.longest_s;
  report.busy_s_mean = facts.mean_s;
  for (std::size_t place = 0; place < states_.size(); ++place) {
    if (is_live(place)) report.messages += states_[place].counts.processed;
  }
  report.messages -= messages_before_;
  return report;
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

// --- looking

void Coordinator::take_loads(Letter const& letter) {
  if (stage_ != Stage::looking || letter.phase != phase_) return;
  auto const place = static_cast<std::size_t>(letter.from);
  LoadsLetter loads = read_loads(letter.bytes);
  expect_within(bounds(), loads);
  loads_[place] = {.loads = std::move(loads), .availability = availability_[place].value()};
  if (has_all_replies()) decide();
}

void Coordinator::decide() {
  std::vector<Target> moves;
  if (std::exchange(goes_back_, false)) {
    moves = rebalancer_.way_back(loads_);
    was_back_ = true;
  } else {
    Proposal proposal = rebalancer_.propose(loads_);
    prelude_.decision_s = seconds_since(look_begin_ns_);
    BalanceVerdict const verdict = trigger_.looked({.look_s = prelude_.decision_s,
                                                    .predicted_now_s = proposal.predicted_now_s,
                                                    .predicted_new_s = proposal.predicted_new_s,
                                                    .migrate_s = proposal.migrate_s});
    if (verdict == BalanceVerdict::move) {
      moves = std::move(proposal.moves);
      prelude_.moved_bytes = proposal.moved_bytes;
      was_moved_ = true;
    }
  }
  prelude_.moved = std::ssize(moves);
  for (PlaceLoads& each : loads_) each = {};
  save_or_begin(std::move(moves));
}

// --- beginning

void Coordinator::save_or_begin(std::vector<Target> moves) {
  std::int64_t const every = plan_.options.checkpoint.every;
  if (every == 0 || (phase_ + 1) % every != 0) return begin(phase_ + 1, std::move(moves));
  moves_ = std::move(moves);
  stage_ = Stage::saving;
  post_all({.kind = LetterKind::save, .phase = phase_});
}

void Coordinator::take_saved(Letter const& letter) {
  if (stage_ != Stage::saving || letter.phase != phase_ || !has_all_replies()) return;
  CheckpointOptions const& options = plan_.options.checkpoint;
  if (!options.folder.empty()) complete_checkpoint(options.folder, phase_ + 1);
  saved_ = phase_ + 1;
  begin(phase_ + 1, std::exchange(moves_, {}));
}

void Coordinator::begin(std::int64_t phase, std::vector<Target> moves) {
  phase_ = phase;
  stage_ = Stage::running;
  quiescence_.begin();
  phase_begin_ns_ = now_ns();
  is_measured_ = is_awaited_ || trigger_.looks_after_next() ||
                 (program_.is_measured && program_.is_measured(phase));
  post_all({.kind = LetterKind::begin,
            .phase = phase,
            .number = is_measured_ ? 1 : 0,
            .targets = std::move(moves)});
}

void Coordinator::take_inventory(Letter const& letter) {
  if (stage_ != Stage::stock) return;
  if (letter.number != 0 && !letter.targets.empty()) {
    // A starved phase: these are the objects that messages wait for.
    return abort("messages for " + plan_.name_of(letter.targets.front().object) +
                 " wait at place " + std::to_string(letter.from) +
                 " (nobody has made it): make every object that is sent to");
  }
  stock_.insert(stock_.end(), letter.targets.begin(), letter.targets.end());
  if (letter.number != 0 || !has_all_replies()) return;
  begin(phase_ + 1, std::exchange(stock_, {}));
}

// --- the end

void Coordinator::end() {
  stage_ = Stage::over;
  post_all({.kind = LetterKind::end, .phase = phase_});
}

void Coordinator::abort(std::string const& text) {
  if (stage_ == Stage::over) return;
  stage_ = Stage::over;
  post_.drop_unsent();  // no place reads it, and it would be in the way
  auto const bytes = std::as_bytes(std::span(text));
  post_all({.kind = LetterKind::abort, .bytes = {bytes.begin(), bytes.end()}});
}

// The run goes on from the last copies, if there are any of the image's objects.
void Coordinator::lose(ImageId image, std::string const& why) {
  if (is_lost_[static_cast<std::size_t>(image.value() * post_.numbers().threads)]) return;
  std::vector<Target> lost;
  for (int place = 0; place < post_.numbers().places(); ++place) {
    auto const at = static_cast<std::size_t>(place);
    if (post_.numbers().image_of(place) == image.value()) is_lost_[at] = true;
    if (!is_lost_[at]) continue;
    rebalancer_.lose(place);
    lost.push_back({.place = place});
  }
  if (saved_ < 0) return abort(why + ": no copies of its objects have been saved");
  ++generation_;
  forget_phases();
  for (Target const& each : lost) quiescence_.leave_out(each.place);
  stage_ = Stage::stock;
  post_all({.kind = LetterKind::restart, .phase = phase_, .targets = std::move(lost)});
}

// A new run from the copies: what was measured belongs to phases that will be done again.
void Coordinator::forget_phases() {
  phase_ = saved_ - 1;
  quiescence_ = Quiescence(post_.numbers().places());
  trigger_ = BalanceTrigger(trigger_options(plan_, program_));
  goes_back_ = is_awaited_ = was_moved_ = was_back_ = false;
  replies_ = 0;
  std::ranges::fill(states_, PlaceState{});   // a lost place says nothing any more
  for (PlaceLoads& each : loads_) each = {};  // what a look that was given up has gathered
  stock_.clear();
  moves_.clear();
  prelude_ = {};
  messages_before_ = 0;
}

// --- letters

LetterBounds Coordinator::bounds() const {
  return {.place = 0,
          .places = post_.numbers().places(),
          .images = post_.numbers().images,
          .objects = plan_.objects};
}

bool Coordinator::has_all_replies() {
  int const live = static_cast<int>(std::ranges::count(is_lost_, false));
  if (++replies_ < live) return false;
  replies_ = 0;
  return true;
}

void Coordinator::post_all(Letter letter) {
  letter.generation = generation_;
  for (int place = 0; place < post_.numbers().places(); ++place) {
    if (is_live(static_cast<std::size_t>(place))) post_.send(place, letter);
  }
  post_.flush();
}

double Coordinator::seconds_since(std::int64_t begin_ns) const {
  return 1e-9 * static_cast<double>(now_ns() - begin_ns);
}

}  // namespace makespan::graph
