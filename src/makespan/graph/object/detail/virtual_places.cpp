// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/detail/virtual_places.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <new>
#include <utility>

#include "makespan/base/contracts.hpp"
#include "makespan/pgas/options.hpp"

namespace makespan::graph {

namespace {

// What an envelope takes on its way beside what it carries.
constexpr double envelope_bytes = 64.0;
constexpr int clock_readings = 64;
constexpr std::int64_t look_ns = 12;

std::int64_t nanoseconds(double seconds) {
  return std::llround(1e9 * seconds);
}

// That a place changes a word which the image's places share is part of what its messages take, of
// which each passes at least two lines from cache to cache; that others change it at the same
// moment is not.
std::int64_t change_ns(Places const& machine, int first, int threads) {
  double farthest_s = 0.0;
  for (int place = first + 1; place < first + threads; ++place) {
    farthest_s =
        std::max(farthest_s, machine.latency_s(machine[first].domain, machine[place].domain));
  }
  return nanoseconds(farthest_s / 2.0);
}

double bytes_of(Envelope const& envelope) {
  double bytes = envelope_bytes + static_cast<double>(envelope.bytes.size()) +
                 static_cast<double>(envelope.targets.size() * sizeof(Target));
  if (envelope.payload) bytes += static_cast<double>(envelope.payload->bytes());
  return bytes;
}

}  // namespace

// --- all places

VirtualPlaces::VirtualPlaces(Places const& machine, int threads, VirtualOptions const& options)
    : machine_{machine},
      options_{options},
      out_free_ns_(static_cast<std::size_t>(machine.domains())),
      in_free_ns_(out_free_ns_) {
  reading_ns_ = std::numeric_limits<std::int64_t>::max();
  // The least: others have an interrupt, or a cold cache, in them.
  for (int round = 0; round < clock_readings; ++round) {
    std::int64_t const begin_ns = cpu_ns();
    reading_ns_ = std::min(reading_ns_, cpu_ns() - begin_ns);
  }
  for (int image = 0; image < machine.count() / threads; ++image) {
    idle_places_.push_back(std::make_unique<IdlePlaces>(threads));
    shared_words_.push_back({.change_ns = change_ns(machine, image * threads, threads)});
  }
  for (int place = 0; place < machine.count(); ++place) {
    messengers_.push_back(std::make_unique<VirtualMessenger>(
        *this,
        PlaceNumbers{.place = place, .threads = threads, .images = machine.count() / threads}));
  }
}

VirtualPlaces::~VirtualPlaces() = default;

bool VirtualPlaces::run(std::function<void(int place)> const& body) {
  for (int place = 0; place < machine_.count(); ++place) {
    fibers_.push_back(std::make_unique<Fiber>([&body, place] { body(place); }));
    push(now_ns_, place, -1);
  }
  std::exception_ptr error;
  while (!events_.empty() && !error) {
    Event const event = events_.top();
    events_.pop();
    now_ns_ = event.time_ns;
    if (event.batch >= 0) {
      // Beside the queue, whose first one can be copied only.
      Batch batch = std::exchange(batches_[static_cast<std::size_t>(event.batch)], {});
      free_batches_.push_back(event.batch);
      messenger(event.place).arrive(std::move(batch.envelopes), batch.from, batch.bytes);
      continue;
    }
    Fiber& fiber = *fibers_[static_cast<std::size_t>(event.place)];
    if (fiber.has_ended()) continue;
    running_ = event.place;
    try {
      fiber.resume();
      error = fiber.error();
    } catch (std::bad_alloc const&) {
      // No stack for this one. Those that have begun are unwound all the same.
      error = std::current_exception();
    }
    running_ = -1;
  }
  bool const have_ended =
      std::ranges::all_of(fibers_, [](auto const& fiber) { return fiber->has_ended(); });
  // What lives on the stacks of those that still wait is destroyed.
  for (auto const& fiber : fibers_) fiber->unwind();
  if (error) std::rethrow_exception(error);
  return have_ended;
}

void VirtualPlaces::sleep(std::int64_t ns) {
  if (ns <= 0) return;
  push(now_ns_ + ns, running_, -1);
  Fiber::suspend();
}

void VirtualPlaces::wait() {
  Fiber::suspend();
}

void VirtualPlaces::await_shared_word(int image) {
  SharedWord& word = shared_words_[static_cast<std::size_t>(image)];
  // One at a time: a change waits until those that were asked for before are done.
  std::int64_t const begin_ns = std::max(now_ns_, word.free_ns);
  word.free_ns = begin_ns + word.change_ns;
  sleep(begin_ns - now_ns_);
}

void VirtualPlaces::wake(int place) {
  push(now_ns_, place, -1);
}

void VirtualPlaces::send(int from, int to, std::vector<Envelope> envelopes, double bytes,
                         std::int64_t delay_ns) {
  std::ptrdiff_t at = std::ssize(batches_);
  if (free_batches_.empty()) {
    batches_.emplace_back();
  } else {
    at = free_batches_.back();
    free_batches_.pop_back();
  }
  batches_[static_cast<std::size_t>(at)] = {
      .envelopes = std::move(envelopes), .from = from, .bytes = bytes};
  push(arrival_ns(from, to, bytes, now_ns_ + delay_ns), to, at);
}

void VirtualPlaces::push(std::int64_t time_ns, int place, std::ptrdiff_t batch) {
  // By number where times are equal, so that the same run comes of the same times.
  events_.push({.time_ns = time_ns, .number = numbers_++, .place = place, .batch = batch});
}

std::int64_t VirtualPlaces::arrival_ns(int from, int to, double bytes, std::int64_t leaves_ns) {
  int const sender = machine_[from].domain;
  int const receiver = machine_[to].domain;
  std::int64_t const latency_ns =
      from == to ? 0 : nanoseconds(machine_.latency_s(sender, receiver));
  if (machine_.node(sender) == machine_.node(receiver)) return leaves_ns + latency_ns;
  std::int64_t& out_ns = out_free_ns_[static_cast<std::size_t>(machine_.node(sender))];
  std::int64_t& in_ns = in_free_ns_[static_cast<std::size_t>(machine_.node(receiver))];
  std::int64_t const taken_ns = nanoseconds(bytes / machine_.bandwidth_bytes_s(sender, receiver));
  // The network keeps what the receiver's link has no room for, so that it does not hold up what
  // the sender has for others.
  std::int64_t const begin_ns = std::max(leaves_ns, out_ns);
  out_ns = begin_ns + taken_ns;
  in_ns = std::max(begin_ns, in_ns) + taken_ns;
  return in_ns + latency_ns;
}

// --- one place

VirtualMessenger::VirtualMessenger(VirtualPlaces& places, PlaceNumbers const& numbers)
    : PlaceMessenger(numbers),
      places_{places},
      here_{places.machine()[numbers.place]},
      gathered_(static_cast<std::size_t>(numbers.places())) {
}

void VirtualMessenger::send(int place, Envelope&& envelope) {
  double const bytes = bytes_of(envelope);
  if (numbers().is_near(place)) {
    std::vector<Envelope> one;
    one.push_back(std::move(envelope));
    places_.send(numbers().place, place, std::move(one), bytes, so_far_ns());
    return;
  }
  Gathered& gathered = gathered_[static_cast<std::size_t>(place)];
  if (gathered.envelopes.empty()) ++receivers_;
  gathered.envelopes.push_back(std::move(envelope));
  gathered.bytes += bytes;
}

void VirtualMessenger::flush() {
  for (int place = 0; place < numbers().places(); ++place) flush(place);
}

void VirtualMessenger::flush_full() {
  auto const full = static_cast<double>(batch_bytes(pgas::RuntimeOptions{}.message_bytes_max));
  for (int place = 0; place < numbers().places(); ++place) {
    if (gathered_[static_cast<std::size_t>(place)].bytes >= full) flush(place);
  }
}

void VirtualMessenger::flush(int place) {
  Gathered& gathered = gathered_[static_cast<std::size_t>(place)];
  if (gathered.envelopes.empty()) return;
  Gathered batch = std::exchange(gathered, {});
  --receivers_;
  places_.send(numbers().place, place, std::move(batch.envelopes), batch.bytes, so_far_ns());
}

void VirtualMessenger::drop_unsent() {
  for (Gathered& gathered : gathered_) gathered = {};
  receivers_ = 0;
}

void VirtualMessenger::wait_for_message() {
  while (!mailbox_.has_message()) {
    waits_ = true;
    places_.wait();
    waits_ = false;
  }
}

void VirtualMessenger::arrive(std::vector<Envelope> envelopes, int from, double bytes) {
  Places const& machine = places_.machine();
  int const sender = machine[from].domain;
  int const here = machine[numbers().place].domain;
  if (from != numbers().place) {
    owed_s_ += static_cast<double>(envelopes.size()) * machine.receive_s(sender, here);
    // Between nodes the link has taken them.
    if (machine.node(sender) == machine.node(here)) {
      owed_s_ += bytes * machine.seconds_per_byte(sender, here);
    }
  }
  for (Envelope& envelope : envelopes) mailbox_.put(std::move(envelope));
  if (std::exchange(waits_, false)) places_.wake(numbers().place);
}

// Since the last reading.
double VirtualMessenger::since_begin_s() {
  std::int64_t const now_ns = places_.cpu_ns();
  std::int64_t const taken_ns = now_ns - begin_ns_ - places_.reading_ns();
  begin_ns_ = now_ns;
  return 1e-9 * static_cast<double>(std::max<std::int64_t>(taken_ns, 0));
}

void VirtualMessenger::begin(Worker worker, int object) {
  VirtualOptions const& options = places_.options();
  works_ = true;
  times_ = worker == Worker::program ? options.program_times : 1.0;
  if (object >= 0 && options.kind_times) times_ *= options.kind_times(object, here_.kind);
  worked_s_ = sent_s_ = 0.0;
  begin_ns_ = places_.cpu_ns();
}

void VirtualMessenger::end() {
  worked_s_ += since_begin_s();
  works_ = false;
  places_.sleep(taken_ns());
}

// Where methods count once, sending need not be told apart, and costs no readings of the clock.
void VirtualMessenger::begin_send() {
  sends_ = works_ && times_ != 1.0;
  if (sends_) worked_s_ += since_begin_s();
}

void VirtualMessenger::end_send() {
  if (std::exchange(sends_, false)) sent_s_ += since_begin_s();
}

std::int64_t VirtualMessenger::taken_ns() const {
  return nanoseconds((worked_s_ * times_ + sent_s_) / here_.speed.value());
}

std::int64_t VirtualMessenger::so_far_ns() {
  if (!works_) return 0;
  // While it sends, what was before: else each message would be another reading later.
  if (!sends_) worked_s_ += since_begin_s();
  return taken_ns();
}

void VirtualMessenger::pause(int looks) {
  places_.sleep(looks * look_ns);
}

void VirtualMessenger::await_shared_word() {
  places_.await_shared_word(numbers().image());
}

void VirtualMessenger::receive() {
  places_.sleep(nanoseconds(std::exchange(owed_s_, 0.0)));
}

}  // namespace makespan::graph
