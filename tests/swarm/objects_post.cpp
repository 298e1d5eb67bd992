// SPDX-License-Identifier: Apache-2.0
#include "swarm/objects_post.hpp"

#include <array>
#include <memory>
#include <string>
#include <utility>

#include "makespan/pgas/errors.hpp"

namespace makespan::swarm {

namespace {

constexpr std::array kinds{"message", "arrival", "news",  "copy",     "inventory",
                           "report",  "answer",  "loads", "saved",    "failed",
                           "lost",    "begin",   "stock", "question", "look",
                           "save",    "restart", "end",   "abort"};

bool is_counted(graph::Letter const& letter) {
  return letter.kind <= graph::LetterKind::news;
}

}  // namespace

void PostNet::count(std::uint32_t generation, std::int64_t more) {
  if (generation >= under_way.size()) under_way.resize(generation + std::size_t{1});
  under_way[generation] += more;
}

std::int64_t PostNet::open(std::uint32_t generation) const {
  return generation < under_way.size() ? under_way[generation] : 0;
}

SwarmPost::SwarmPost(PostNet& net, graph::PlaceNumbers const& numbers)
    : PlacePost(numbers), net_{net}, gathered_(static_cast<std::size_t>(numbers.places())) {
  net_.posts.push_back(this);
}

void SwarmPost::send(int place, graph::Letter letter) {
  spoil(letter);
  if (net_.heard) net_.heard(numbers().place, letter);
  if (net_.world.is_told()) {
    net_.world.tell("place " + std::to_string(numbers().place) + " sends " +
                    kinds[static_cast<std::size_t>(letter.kind)] + " to " + std::to_string(place) +
                    ", phase " + std::to_string(letter.phase) + ", run " +
                    std::to_string(letter.generation));
  }
  if (numbers().is_near(place)) {
    return net_.posts[static_cast<std::size_t>(place)]->put(std::move(letter));
  }
  if (is_counted(letter)) net_.count(letter.generation, 1);
  gathered_[static_cast<std::size_t>(place)].push_back(std::move(letter));
}

// The planted fault.
void SwarmPost::spoil(graph::Letter& letter) {
  if (net_.fault != Fault::early_quiet) return;
  if (letter.kind == graph::LetterKind::report) {
    reported_ = graph::read_letter_bytes<graph::PlaceState>(letter.bytes);
  }
  if (letter.kind == graph::LetterKind::answer && reported_) {
    letter.bytes = graph::as_letter_bytes(*reported_);
  }
}

void SwarmPost::put(graph::Letter letter) {
  mailbox_.put(std::move(letter));
  wake();
}

void SwarmPost::wake() {
  if (waits_) net_.world.wake(*std::exchange(waits_, std::nullopt));
}

void SwarmPost::flush() {
  for (int place = 0; place < numbers().places(); ++place) flush(place);
}

void SwarmPost::flush_full() {
  for (int place = 0; place < numbers().places(); ++place) {
    if (net_.world.draws().chance(0.2)) flush(place);
  }
}

// Letters of a dead image that have left it arrive.
void SwarmPost::flush(int place) {
  auto& gathered = gathered_[static_cast<std::size_t>(place)];
  if (gathered.empty()) return;
  int const from = numbers().image();
  int const to = numbers().image_of(place);
  auto letters = std::make_shared<std::vector<graph::Letter>>(std::exchange(gathered, {}));
  if (net_.world.knows_loss(from, to)) return;
  Nanoseconds const arrival = net_.world.now() + net_.world.flight(from, to);
  net_.world.at_image(to, arrival, [net = &net_, letters, place] {
    for (graph::Letter& letter : *letters) {
      if (is_counted(letter)) net->count(letter.generation, -1);
      net->posts[static_cast<std::size_t>(place)]->put(std::move(letter));
    }
  });
}

bool SwarmPost::help() {
  net_.world.sleep(net_.world.draws().between(0, microsecond));
  return false;
}

void SwarmPost::wait_for_mail() {
  int const image = numbers().image();
  while (!mailbox_.has_mail()) {
    if (net_.world.knows_loss(image, image)) throw GivenUp("others have given this image up");
    for (int other = 0; other < net_.world.images(); ++other) {
      if (!net_.world.knows_loss(image, other)) continue;
      if (net_.accepted[static_cast<std::size_t>(image)].contains(other)) continue;
      throw pgas::ImageFailed(ImageId{other}, "died", "a phase of objects");
    }
    waits_ = net_.world.self();
    net_.world.await(image);
    waits_.reset();
  }
}

void SwarmPost::accept_loss(ImageId image) {
  net_.accepted[static_cast<std::size_t>(numbers().image())].insert(
      static_cast<int>(image.value()));
}

}  // namespace makespan::swarm
