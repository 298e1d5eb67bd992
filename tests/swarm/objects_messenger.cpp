// SPDX-License-Identifier: Apache-2.0
#include "swarm/objects_messenger.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>

#include "makespan/base/image_errors.hpp"

namespace makespan::swarm {

namespace {

constexpr std::array kinds{"message",  "arrival", "news",   "decision", "copy",        "waiting",
                           "restored", "report",  "answer", "loads",    "changes",     "outcome",
                           "saved",    "failed",  "lost",   "begin",    "ask_waiting", "question",
                           "look",     "decide",  "save",   "restart",  "end",         "abort"};

constexpr double seldom = 0.1;  // how many chances the planted fault of news takes

bool is_counted(graph::Envelope const& envelope) {
  return envelope.kind <= graph::EnvelopeKind::decision;
}

}  // namespace

void PostNet::count(std::uint32_t generation, std::int64_t more) {
  if (generation >= under_way.size()) under_way.resize(generation + std::size_t{1});
  under_way[generation] += more;
}

std::int64_t PostNet::open(std::uint32_t generation) const {
  return generation < under_way.size() ? under_way[generation] : 0;
}

SwarmMessenger::SwarmMessenger(PostNet& net, graph::PlaceNumbers const& numbers)
    : PlaceMessenger(numbers), net_{net}, gathered_(static_cast<std::size_t>(numbers.places())) {
  net_.posts.push_back(this);
}

void SwarmMessenger::send(int place, graph::Envelope&& envelope) {
  spoil(place, envelope);
  if (net_.heard) net_.heard(numbers().place, envelope);
  if (net_.world.is_told()) {
    net_.world.tell("place " + std::to_string(numbers().place) + " sends " +
                    kinds[static_cast<std::size_t>(envelope.kind)] + " to " +
                    std::to_string(place) + ", phase " + std::to_string(envelope.phase) + ", run " +
                    std::to_string(envelope.generation));
  }
  if (numbers().is_near(place)) {
    return net_.posts[static_cast<std::size_t>(place)]->put(std::move(envelope));
  }
  if (is_counted(envelope)) net_.count(envelope.generation, 1);
  gathered_[static_cast<std::size_t>(place)].push_back(std::move(envelope));
}

// The planted fault.
void SwarmMessenger::spoil(int place, graph::Envelope& envelope) {
  using graph::EnvelopeKind;
  auto const elsewhere = [&](int one) { return (one + 1) % numbers().places(); };
  switch (net_.fault) {
    case Fault::early_quiet:
      if (envelope.kind == EnvelopeKind::report) {
        reported_ = graph::read_image_state(envelope.bytes);
      }
      if (envelope.kind == EnvelopeKind::answer && reported_) {
        envelope.bytes = graph::as_message_bytes(*reported_);
      }
      break;
    case Fault::stale_copy:
      if (envelope.kind == EnvelopeKind::copy) tell_what_was_before(envelope);
      break;
    case Fault::stale_decision:
      if (envelope.kind == EnvelopeKind::decision) tell_what_was_before(envelope);
      break;
    case Fault::wrong_news:
      if (envelope.kind != EnvelopeKind::news || !net_.world.draws().chance(seldom)) break;
      envelope.targets.begin()->place = elsewhere(envelope.targets.begin()->place);
      break;
    case Fault::torn_order:
      if (envelope.kind != EnvelopeKind::begin || place != 0) break;
      for (graph::Target& target : envelope.targets) target.place = elsewhere(target.place);
      break;
    default:
      break;
  }
}

void SwarmMessenger::tell_what_was_before(graph::Envelope& envelope) {
  if (last_bytes_) {
    std::swap(*last_bytes_, envelope.bytes);
  } else {
    last_bytes_ = envelope.bytes;
  }
}

void SwarmMessenger::put(graph::Envelope envelope) {
  mailbox_.put(std::move(envelope));
  wake();
}

void SwarmMessenger::wake() {
  if (waits_) net_.world.wake(*std::exchange(waits_, std::nullopt));
}

void SwarmMessenger::flush() {
  for (int place = 0; place < numbers().places(); ++place) flush(place);
}

void SwarmMessenger::flush_full() {
  for (int place = 0; place < numbers().places(); ++place) {
    if (net_.world.draws().chance(0.2)) flush(place);
  }
}

int SwarmMessenger::receivers() const {
  auto const count = std::ranges::count_if(gathered_, [](auto const& one) { return !one.empty(); });
  return static_cast<int>(count);
}

// Envelopes of a dead image that have left it arrive.
void SwarmMessenger::flush(int place) {
  auto& gathered = gathered_[static_cast<std::size_t>(place)];
  if (gathered.empty()) return;
  int const from = numbers().image();
  int const to = numbers().image_of(place);
  auto envelopes = std::make_shared<std::vector<graph::Envelope>>(std::exchange(gathered, {}));
  if (net_.world.knows_loss(from, to)) return;
  Nanoseconds const arrival = net_.world.now() + net_.world.flight(from, to);
  net_.world.at_image(to, arrival, [net = &net_, envelopes, place] {
    for (graph::Envelope& envelope : *envelopes) {
      if (is_counted(envelope)) net->count(envelope.generation, -1);
      net->posts[static_cast<std::size_t>(place)]->put(std::move(envelope));
    }
  });
}

bool SwarmMessenger::help() {
  net_.world.sleep(net_.world.draws().between(0, microsecond));
  return false;
}

void SwarmMessenger::wait_for_message() {
  int const image = numbers().image();
  while (!mailbox_.has_message()) {
    if (net_.world.knows_loss(image, image)) {
      throw ImageFailed(ImageId{image}, "the others have given it up", "a phase of objects");
    }
    for (int other = 0; other < net_.world.images(); ++other) {
      if (!net_.world.knows_loss(image, other)) continue;
      if (net_.accepted[static_cast<std::size_t>(image)].contains(other)) continue;
      throw ImageFailed(ImageId{other}, "died", "a phase of objects");
    }
    waits_ = net_.world.self();
    net_.world.await(image);
    waits_.reset();
  }
}

void SwarmMessenger::accept_loss(ImageId image) {
  net_.accepted[static_cast<std::size_t>(numbers().image())].insert(
      static_cast<int>(image.value()));
}

}  // namespace makespan::swarm
