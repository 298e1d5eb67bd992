// SPDX-License-Identifier: Apache-2.0
// Messages to objects, and objects that come and go.
#include <algorithm>
#include <exception>
#include <memory>
#include <string>
#include <typeinfo>
#include <utility>

#include "makespan/base/error.hpp"
#include "makespan/graph/object/detail/place_core.hpp"
#include "makespan/graph/object/message/coordinator_messages.hpp"

namespace makespan::graph {

ObjectStore& PlaceCore::store_of(int object) {
  auto const id = &plan_.collection_of(object) - plan_.collections.data();
  return *stores()[static_cast<std::size_t>(id)];
}

int PlaceCore::index_of(int object) const {
  return object - plan_.collection_of(object).first;
}

void PlaceCore::put_in_store(int object, LooseObject loose) {
  ObjectStore& store = store_of(object);
  here_[object] = {loose.get(), &store.object_class()};
  store.put(index_of(object), std::move(loose));
}

LooseObject PlaceCore::take_from_store(int object) {
  here_.erase(object);
  return store_of(object).take(index_of(object));
}

// --- sending

void PlaceCore::send_payload(int object, std::shared_ptr<Payload const> payload) {
  send_payload(std::span<int const>(&object, 1), std::move(payload));
}

void PlaceCore::send_payload(std::span<int const> objects, std::shared_ptr<Payload const> payload) {
  if (work_ != nullptr) work_->begin_send();
  send_counted(objects, std::move(payload));
  if (work_ != nullptr) work_->end_send();
}

void PlaceCore::send_counted(std::span<int const> objects, std::shared_ptr<Payload const> payload) {
  bool const is_noted = notes_messages_ && running_ >= 0;
  double const bytes = is_noted ? static_cast<double>(payload->bytes()) : 0.0;
  // One for each object: each message is processed by itself, wherever its object is.
  counts_.sent += std::ssize(objects);
  int const copies = objects.size() == 1 ? send_one(objects.front(), std::move(payload))
                                         : send_several(objects, payload);
  if (!is_noted) return;
  // A place gets one copy for all objects there: each receiver is charged its share.
  double const share = bytes * copies / static_cast<double>(objects.size());
  for (int const object : objects) loads_.note_message(running_, object, share);
}

// The payload goes with the message, and nothing of it stays: a count of references that both
// places change would move its cache line between their cores again and again.
int PlaceCore::send_one(int object, std::shared_ptr<Payload const> payload) {
  Location const at = table_.believed(object);
  Target const target{.object = object, .moves = at.moves, .place = at.place};
  if (at.place == place()) {
    queue_.push_back({.target = target, .from = place(), .payload = std::move(payload)});
  } else {
    send_envelope(at.place, {.kind = EnvelopeKind::message,
                             .from = place(),
                             .targets = {target},
                             .payload = std::move(payload)});
  }
  return 1;
}

int PlaceCore::send_several(std::span<int const> objects,
                            std::shared_ptr<Payload const> const& payload) {
  int copies = 0;
  for (int const object : objects) {
    Location const at = table_.believed(object);
    Target const target{.object = object, .moves = at.moves, .place = at.place};
    if (at.place == place()) {
      queue_.push_back({.target = target, .from = place(), .payload = payload});
      copies = 1;
    } else {
      outgoing_.push_back(target);
    }
  }
  return copies + send_outgoing(payload);
}

int PlaceCore::send_outgoing(std::shared_ptr<Payload const> const& payload) {
  int copies = 0;
  // One envelope for a place, its objects in the order in which they were named.
  std::ranges::stable_sort(outgoing_, {}, &Target::place);
  for (auto begin = outgoing_.begin(); begin != outgoing_.end();) {
    auto const end = std::find_if(begin, outgoing_.end(),
                                  [&](Target const& each) { return each.place != begin->place; });
    send_envelope(begin->place, {.kind = EnvelopeKind::message,
                                 .from = place(),
                                 .targets = std::span<Target const>(begin, end),
                                 .payload = payload});
    begin = end;
    ++copies;
  }
  outgoing_.clear();
  return copies;
}

void PlaceCore::send_envelope(int place, Envelope&& envelope) {
  envelope.generation = generation_;
  envelope.phase = phase();
  messenger_.send(place, std::move(envelope));
}

// --- messages that are here

// Where methods have run for so long that receivers may wait for what is gathered, and this place
// for what has come: sends it. Returns whether it was so long.
bool PlaceCore::end_long_turn() {
  if (messenger_.numbers().images == 1) return false;  // nothing is gathered
  std::int64_t const now = messenger_.clocks().ticks();
  int const receivers = messenger_.receivers();
  if (static_cast<double>(now - turn_begin_) < turn_ticks_ * std::max(receivers, 1)) return false;
  if (receivers > 0) messenger_.flush();
  turn_begin_ = now;
  return true;
}

void PlaceCore::dispatch(Message message) {
  // As nearly all messages find it: without a look at the table.
  if (Here const* const here = here_.find(message.target.object)) {
    // A copy: the method may make objects, which moves the map's entries.
    return deliver(message, Here(*here));
  }
  Route const route = table_.route(message.target.object, message.target.moves);
  MAKESPAN_ASSERT(route.routing != Routing::deliver);
  switch (route.routing) {
    case Routing::deliver:
      break;
    case Routing::keep:
      ++counts_.kept;
      kept_[message.target.object].push_back(std::move(message));
      break;
    case Routing::forward:
      forward(std::move(message), route.to);
      break;
  }
}

void PlaceCore::deliver(Message const& message, Here const& here) {
  int const object = message.target.object;
  expect_class(message, here);
  running_ = object;
  std::int64_t const begin_ns = trace_ ? now_ns() : 0;
  worked(Worker::program, [&] { message.payload->invoke(here.object, *this); }, object);
  running_ = -1;
  if (trace_) trace_->add_method(object, begin_ns, now_ns());
  if (is_measured_) clock_.charge(loads_.time_of(object));
  ++counts_.processed;
  for (auto const& [leaver, place] : std::exchange(leaving_, {})) depart(leaver, place);
}

// What an image sends is checked when it is compiled; another image may be of another program.
void PlaceCore::expect_class(Message const& message, Here const& here) const {
  std::type_info const& wanted = message.payload->object_class();
  // A class may have one in each library of the program.
  if (&wanted == here.object_class || wanted == *here.object_class) return;
  throw InputError("a message to " + plan_.name_of(message.target.object) + " from place " +
                       std::to_string(message.from),
                   "its method is one of class " + std::string(wanted.name()) +
                       ", and the object is of class " + here.object_class->name(),
                   "start the same executable, with the same input, on all images");
}

void PlaceCore::forward(Message message, Location to) {
  Target const target{.object = message.target.object, .moves = to.moves, .place = to.place};
  send_envelope(to.place, {.kind = EnvelopeKind::message,
                           .from = message.from,
                           .targets = {target},
                           .payload = std::move(message.payload)});
  // Tells the sender where the object is, for its next message. An object that has not moved needs
  // no such message.
  if (message.from == place() || to.moves == 0) return;
  ++counts_.sent;
  send_envelope(message.from, {.kind = EnvelopeKind::news, .from = place(), .targets = {target}});
}

void PlaceCore::look_again(int object) {
  std::vector<Message>* const kept = kept_.find(object);
  if (kept == nullptr) return;
  std::vector<Message> const messages = std::move(*kept);
  kept_.erase(object);
  counts_.kept -= std::ssize(messages);
  queue_.insert(queue_.end(), messages.begin(), messages.end());
}

// Throws what its reader threw: messages are lost that count as sent. Those of a run before are
// missed by no one.
void PlaceCore::give_up(Envelope const& unreadable) const {
  if (run_of(unreadable.generation) < run_of(generation_)) return;
  std::rethrow_exception(*std::static_pointer_cast<std::exception_ptr>(unreadable.object));
}

// --- objects that come

void PlaceCore::add_object(int object, LooseObject loose) {
  if (table_.believed(object).moves != 0) {
    throw InputError(plan_.name_of(object) + " made again",
                     "there is one at place " + std::to_string(table_.believed(object).place),
                     "make each object once");
  }
  arrive(object, 1, std::move(loose));
  tell_home(object, 1);
}

void PlaceCore::arrive(int object, std::uint32_t moves, LooseObject loose) {
  table_.arrive(object, moves);
  put_in_store(object, std::move(loose));
  look_again(object);
}

// Counted as messages are: while such news is under way, a message that waits at a home is not one
// to an object that there is not (docs/decisions/0061).
void PlaceCore::tell_home(int object, std::uint32_t moves) {
  int const home = table_.home(object);
  if (home == place()) return;
  ++counts_.sent;
  send_envelope(home, {.kind = EnvelopeKind::news,
                       .from = place(),
                       .targets = {{.object = object, .moves = moves, .place = place()}}});
}

void PlaceCore::take_arrival(Envelope&& envelope) {
  expect_to_come(envelope);
  Target const target = envelope.targets.front();
  ++counts_.processed;
  if (trace_) trace_->add_arrival(target.object, now_ns());
  pgas::ByteReader reader(envelope.bytes);
  if (brings_loads(envelope.number)) {
    ObjectLoads brought;
    reader(brought.objects, brought.traffic);
    expect_within(bounds(), brought);
    loads_.add(brought);
  }
  if (envelope.object == nullptr) envelope.object = store_of(target.object).read(reader);
  arrive(target.object, target.moves, std::move(envelope.object));
  if (envelope.number == 0) return tell_home(target.object, target.moves);
  // One that the coordinator has moved, and told its home of.
  --awaited_;
  start_if_complete();
}

void PlaceCore::expect_to_come(Envelope const& arrival) const {
  int const object = arrival.targets.front().object;
  auto const what = [&] {
    return plan_.name_of(object) + " from place " + std::to_string(arrival.from);
  };
  if (table_.is_here(object)) {
    throw InputError(what(), "there is one at place " + std::to_string(place()),
                     "make each object once");
  }
  // What the program moves may come at any time.
  if (arrival.number == 0 || awaited_ > 0) return;
  throw InputError(what(), "the coordinator has not said that it comes",
                   "start the same executable, with the same input, on all images");
}

void PlaceCore::take_news(Target const& news) {
  ++counts_.processed;
  expect_made_once(news);
  if (table_.learn(news.object, {.place = news.place, .moves = news.moves})) {
    look_again(news.object);
  }
}

// That an object was made twice shows at its home, if two places have made it.
void PlaceCore::expect_made_once(Target const& news) const {
  Location const known = table_.believed(news.object);
  // One object is at one place after so many moves.
  if (known.moves == 0 || news.moves != known.moves || known.place == news.place) return;
  throw InputError(plan_.name_of(news.object) + " made again",
                   "there is one at place " + std::to_string(known.place) + " and one at place " +
                       std::to_string(news.place),
                   "make each object once");
}

// --- objects that go

void PlaceCore::leave(int object, int place) {
  MAKESPAN_EXPECT(place >= 0);
  MAKESPAN_EXPECT(place < places());
  MAKESPAN_EXPECT(table_.is_here(object));
  if (running_ >= 0) {
    // The method that runs may still use it.
    leaving_.emplace_back(object, place);
  } else {
    depart(object, place);
  }
}

void PlaceCore::depart(int object, int place) {
  place = table_.heir(place);
  // Asked for twice in one method: the first counts.
  if (place == this->place() || !table_.is_here(object)) return;
  Location const next = table_.depart(object, place);
  hand_over(object, next, 0);
}

void PlaceCore::hand_over(int object, Location next, std::int64_t number) {
  ++counts_.sent;
  Envelope envelope{.kind = EnvelopeKind::arrival,
                    .from = place(),
                    .number = number,
                    .targets = {{.object = object, .moves = next.moves, .place = next.place}}};
  if (brings_loads(number)) {
    ObjectLoads taken = taken_loads(object, next.moves);
    // For ObjectPlace::cpu_s() alone: no balancer looks at this phase.
    if (!is_measured_) taken.traffic.clear();
    envelope.bytes = as_message_bytes(taken);
  }
  if (messenger_.numbers().is_near(next.place)) {
    // Within the image the object itself goes, without being written.
    envelope.object = take_from_store(object);
  } else {
    pgas::ByteWriter writer(envelope.bytes);
    store_of(object).write(index_of(object), writer);
    static_cast<void>(take_from_store(object));
  }
  send_envelope(next.place, std::move(envelope));
}

// Whether an object that moves in this phase brings what it took in the one that was measured last.
// Where that is this one, it has taken nothing when the balancer moves it. One that the program
// moves in a later phase would tell, on a way back, of another place than it was measured at.
bool PlaceCore::brings_loads(std::int64_t number) const {
  bool const is_of_program = number == 0;
  return is_of_program == is_measured_;
}

// Of an object that leaves.
ObjectLoads PlaceCore::taken_loads(int object, std::uint32_t moves) {
  // What leaves while a method runs was made by it, and has taken nothing; the others leave when it
  // has ended (leave()). To end the spell would charge what the method has taken to no object.
  if (running_ < 0) {
    // Some of it is still in an interval of the clock, which is closed between spells only.
    bool const was_in_spell = is_in_spell_;
    end_spell();
    clock_.settle();
    if (was_in_spell) begin_spell();
  }
  return loads_.take(object, moves);
}

void PlaceCore::send_object(int object, LooseObject loose, int place) {
  MAKESPAN_EXPECT(place >= 0);
  MAKESPAN_EXPECT(place < places());
  add_object(object, std::move(loose));
  depart(object, place);
}

}  // namespace makespan::graph
