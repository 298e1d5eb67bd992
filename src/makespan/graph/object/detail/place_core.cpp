// SPDX-License-Identifier: Apache-2.0
// The loop of a place, and what the coordinator has to say to it.
#include "makespan/graph/object/detail/place_core.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "makespan/base/error.hpp"
#include "makespan/graph/balancer/balancer_registry.hpp"
#include "makespan/graph/object/detail/coordinator.hpp"
#include "makespan/graph/object/detail/place_errors.hpp"
#include "makespan/graph/object/message/coordinator_messages.hpp"

namespace makespan::graph {

namespace {

// Methods that run at most before the network is looked at again: they take a microsecond or more.
constexpr int methods_in_a_row = 16;
// Envelopes that are taken before methods run, where they come without end.
constexpr int envelopes_in_a_row = 1024;

// What places do for the coordinator while a phase runs leaves them idle.
bool is_something_to_do(EnvelopeKind kind) {
  return kind <= EnvelopeKind::decision || kind == EnvelopeKind::begin ||
         kind == EnvelopeKind::decide || kind == EnvelopeKind::restart;
}

std::vector<std::byte> bytes_of(std::string const& text) {
  auto const bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

PlaceCore::PlaceCore(WorldPlan const& plan, ObjectProgram const& program, PlaceMessenger& messenger)
    : ObjectPlace(messenger.numbers().place, messenger.numbers().places(), plan.first_phase - 1),
      plan_(plan),
      program_(program),
      messenger_(messenger),
      work_(messenger.work()),
      idle_(messenger.idle_places()),
      generation_(plan.generation),
      table_(place(), messenger.numbers().places(), plan.ends()),
      clock_({}, messenger.clocks()) {
  for (CollectionInfo const& collection : plan.collections) {
    stores().push_back(collection.make_store());
  }
  become_busy();  // after an earlier run it is idle
  if (!plan.trace.file.empty()) trace_ = std::make_unique<PlaceTrace>(plan.trace.spans_max);
  balancer_ = make_balancer(plan.options.balance.balancer, plan.options.balance.balancer_options);
  if (dynamic_cast<DistributedBalancer const*>(balancer_.get()) != nullptr) {
    decider_ = std::make_unique<PlaceDecider>(place(), plan.places);
  } else {
    // It decides with all loads, which the coordinator has.
    balancer_.reset();
  }
  if (place() == 0) coordinator_ = std::make_unique<Coordinator>(plan, program, messenger);
}

PlaceCore::~PlaceCore() = default;

void PlaceCore::run() {
  guarded([this] {
    if (program_.prepare) program_.prepare(*this);
    if (!plan_.options.checkpoint.from.empty()) {
      read_parts(plan_.options.checkpoint.from);
    } else if (program_.create) {
      program_.create(*this);
    }
  });
  while (stage_ != Stage::over) {
    if (!work_guarded()) break;
  }
  send_rest();
  if (error_) std::rethrow_exception(error_);
  if (end_reason_) std::rethrow_exception(end_reason_);
}

// False: the place cannot go on. What is thrown between methods is the network's: a message that
// cannot be read, an error of a helper. If it left the loop, others would wait for this place for
// ever. What is no std::exception does leave it: a fiber that is to end early (thread/fiber.hpp).
bool PlaceCore::work_guarded() {
  bool const had_failed = stage_ == Stage::failed;
  try {
    work();
  } catch (ImageFailed const& failure) {
    notice_loss(failure);
  } catch (std::exception const& error) {
    fail(std::current_exception(), error.what());
    // A place that has failed waits for the abort, which no network brings that fails again.
    return !had_failed;
  }
  return true;
}

// What others wait for must go out; of a run that has failed that is little.
void PlaceCore::send_rest() {
  bool const has_failed = error_ || end_reason_;
  try {
    messenger_.flush();
    messenger_.drain();
  } catch (...) {
    if (!has_failed) throw;  // else why it failed says more
  }
}

void PlaceCore::work() {
  take_messages();
  if (stage_ == Stage::running && !queue_.empty()) begin_spell();
  for (int left = methods_in_a_row; left > 0 && stage_ == Stage::running && !queue_.empty();
       --left) {
    Message message = std::move(queue_.front());
    queue_.pop_front();
    guarded([&] { dispatch(std::move(message)); });
    if (end_long_turn()) break;
  }
  messenger_.push_now_and_then();
  // Batches that are not full wait for more, for a while, or until there is nothing left to do.
  messenger_.flush_full();
  if (stage_ == Stage::running && !queue_.empty()) {
    // A bounded number of rounds: otherwise places that flood this one would keep it from its work.
    for (int round = 0; round < methods_in_a_row && messenger_.help(); ++round) continue;
    // What the network took is no object's load.
    if (is_measured_ && is_in_spell_) clock_.charge(unowned_s_);
  } else if (stage_ != Stage::over && !messenger_.mailbox().has_message()) {
    rest();
  }
}

void PlaceCore::begin_spell() {
  if (!std::exchange(is_in_spell_, true)) clock_.begin_spell();
}

void PlaceCore::end_spell() {
  if (!std::exchange(is_in_spell_, false)) return;
  clock_.charge(unowned_s_);
  clock_.end_spell();
}

// Whatever a program throws ends the run at all places, not this thread.
template <class Function>
void PlaceCore::guarded(Function&& function) {
  try {
    function();
  } catch (std::exception const& error) {
    fail(std::current_exception(), error.what());
  } catch (...) {
    fail(std::current_exception(), "something that is no std::exception");
  }
}

void PlaceCore::fail(std::exception_ptr error, std::string const& text) {
  running_ = -1;
  leaving_.clear();
  queue_.clear();
  // One that has ended would wait for ever to be ended again.
  if (stage_ == Stage::failed || stage_ == Stage::over) return;
  stage_ = Stage::failed;
  auto const kind = static_cast<std::int64_t>(failure_kind(error));
  error_ = std::move(error);
  post(EnvelopeKind::failed, bytes_of("place " + std::to_string(place()) + ": " + text), kind);
}

void PlaceCore::notice_loss(ImageFailed const& failure) {
  // Image 0 decides how the run goes on; without it the run ends. An image that the others have
  // given up ends alone: what it sends reaches no image any more.
  if (failure.image() == ImageId{0} || failure.image() == ImageId{messenger_.numbers().image()}) {
    throw failure;
  }
  messenger_.accept_loss(failure.image());
  // The loss is reported to this thread only, not to the others of its image: it passes it on.
  if (messenger_.numbers().is_near(0)) {
    post(EnvelopeKind::lost, bytes_of(failure.what()), failure.image().value());
  }
}

void PlaceCore::post(EnvelopeKind kind, std::vector<std::byte> bytes, std::int64_t number) {
  send_envelope(0, {.kind = kind, .from = place(), .number = number, .bytes = std::move(bytes)});
}

void PlaceCore::post_state(EnvelopeKind kind, ImageState const& state, std::int64_t number) {
  post(kind, as_message_bytes(state), number);
}

// --- envelopes

void PlaceCore::take_messages() {
  Mailbox& mailbox = messenger_.mailbox();
  if (!mailbox.has_message()) return;
  // Taking envelopes is no object's work.
  end_spell();
  if (work_ != nullptr) work_->receive();
  for (int left = envelopes_in_a_row; left > 0; --left) {
    Envelope* const first = mailbox.front();
    if (first == nullptr) return;
    take_first(*first);
    mailbox.pop();
  }
}

void PlaceCore::take_first(Envelope& envelope) {
  if (is_something_to_do(envelope.kind)) become_busy();
  if (is_for_coordinator(envelope.kind)) {
    guarded([&] {
      expect_within(bounds(), envelope);
      std::int64_t const begin_ns = trace_ ? now_ns() : 0;
      worked(Worker::coordinator, [&] { coordinator_->take(envelope); });
      if (trace_) trace_->add_decision(begin_ns, now_ns());
    });
  } else if (envelope.kind == EnvelopeKind::end || envelope.kind == EnvelopeKind::abort) {
    // It may have overtaken a restart, and then is of a later generation than this place knows of.
    if (envelope.generation < generation_) return;
    guarded([&] {
      expect_within(bounds(), envelope);
      finish(envelope);
    });
  } else if (stage_ != Stage::failed && stage_ != Stage::over) {
    // An abort may have overtaken what was to go on: that must not bring the place back.
    guarded([&] {
      expect_within(bounds(), envelope);
      take(std::move(envelope));
    });
  }
}

EnvelopeBounds PlaceCore::bounds() const {
  return {.place = place(),
          .places = messenger_.numbers().places(),
          .images = messenger_.numbers().images,
          .objects = plan_.objects};
}

bool PlaceCore::is_early(Envelope const& envelope) const {
  if (envelope.generation != generation_) return envelope.generation > generation_;
  if (envelope.phase != phase()) return envelope.phase > phase();
  if (envelope.kind == EnvelopeKind::decision) return envelope.number > step_;
  if (stage_ != Stage::gathering) return false;
  // What the program sends, or moves, elsewhere in this phase: begin() comes first here, too, and
  // sees an object at one place only.
  return envelope.kind == EnvelopeKind::message ||
         (envelope.kind == EnvelopeKind::arrival && envelope.number == 0);
}

void PlaceCore::take(Envelope&& envelope) {
  // give_up() compares runs: where no generation could be read it is the highest (take_part()).
  if (envelope.kind == EnvelopeKind::unreadable) return give_up(envelope);
  if (envelope.generation < generation_) return;  // of a run that was given up
  if (envelope.kind == EnvelopeKind::restart) return restart(envelope);
  // Of the next phase, which no place begins before all have ended this one.
  if (envelope.kind == EnvelopeKind::begin && envelope.generation == generation_) {
    return begin_phase(envelope);
  }
  if (envelope.generation == generation_) expect_phase(envelope, phase());
  if (is_early(envelope)) return early_.push_back(std::move(envelope));
  if (envelope.kind <= EnvelopeKind::copy) return take_from_place(std::move(envelope));
  take_order(envelope);
}

void PlaceCore::take_from_place(Envelope&& envelope) {
  switch (envelope.kind) {
    case EnvelopeKind::message:
      take_message(std::move(envelope));
      break;
    case EnvelopeKind::arrival:
      take_arrival(std::move(envelope));
      break;
    case EnvelopeKind::news:
      take_news(envelope.targets.front());
      break;
    case EnvelopeKind::decision:
      take_decision(envelope);
      break;
    default:
      take_copy(std::move(envelope));
  }
}

// The last of its objects takes the payload over.
void PlaceCore::take_message(Envelope&& envelope) {
  for (Target const& target : envelope.targets) {
    bool const is_last = &target + 1 == std::as_const(envelope.targets).end();
    queue_.push_back({.target = target,
                      .from = envelope.from,
                      .payload = is_last ? std::move(envelope.payload) : envelope.payload});
  }
}

void PlaceCore::take_order(Envelope const& envelope) {
  switch (envelope.kind) {
    case EnvelopeKind::question:
      post_state(EnvelopeKind::answer, idle_.look(), envelope.number);
      break;
    case EnvelopeKind::ask_waiting:
      tell_waiting();
      break;
    case EnvelopeKind::look:
      tell_loads();
      break;
    case EnvelopeKind::decide:
      take_decide(envelope);
      break;
    default:
      MAKESPAN_ASSERT(envelope.kind == EnvelopeKind::save);
      save();
  }
}

// Of what messages wait for.
void PlaceCore::tell_waiting() {
  std::vector<Target> objects;
  kept_.for_each([&](int object, std::vector<Message> const& /*messages*/) {
    objects.push_back({.object = object, .moves = table_.believed(object).moves, .place = place()});
  });
  std::ranges::sort(objects, {}, &Target::object);
  send_envelope(0, {.kind = EnvelopeKind::waiting,
                    .from = place(),
                    .targets = std::span(std::as_const(objects))});
}

ObjectLoads PlaceCore::loads_now() {
  clock_.settle();
  ObjectLoads loads;
  for (int const object : table_.here()) {
    loads.objects.push_back(
        {.object = object,
         .moves = table_.believed(object).moves,
         .cpu_s = loads_.cpu_s(object),
         .bytes = static_cast<double>(store_of(object).bytes(index_of(object)))});
    auto const sent = loads_.traffic_of(object);
    loads.traffic.insert(loads.traffic.end(), sent.begin(), sent.end());
  }
  return loads;
}

}  // namespace makespan::graph
