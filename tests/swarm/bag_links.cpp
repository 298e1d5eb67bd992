// SPDX-License-Identifier: Apache-2.0
#include "swarm/bag_links.hpp"

#include <algorithm>
#include <utility>

#include "makespan/bag/protocol/range_word.hpp"
#include "makespan/bag/protocol/speed_table.hpp"
#include "makespan/pgas/message/fragment.hpp"

namespace makespan::swarm {

namespace {

constexpr auto memory = VirtualWorld::Reach::memory;
constexpr double often = 0.3;  // how many chances a planted fault takes

bag::TeamClock::Clock::time_point time_point(Nanoseconds time) {
  return bag::TeamClock::Clock::time_point(std::chrono::nanoseconds(time));
}

}  // namespace

// --- the state of the bag

void SwarmBagState::look(int /*thread*/, Look& look) {
  world_.ask(image_, 0, memory, [&] {
    look.word = memory_.word;
    look.speeds = memory_.speeds;
  });
}

std::uint64_t SwarmBagState::look_word(int /*thread*/) {
  std::uint64_t word = 0;
  world_.ask(image_, 0, memory, [&] { word = memory_.word; });
  return word;
}

std::uint64_t SwarmBagState::fetch_add(int /*thread*/, std::uint64_t value) {
  std::uint64_t before = 0;
  world_.ask(image_, 0, memory,
             [&] { before = std::exchange(memory_.word, memory_.word + value); });
  return before;
}

std::uint64_t SwarmBagState::compare_swap(int /*thread*/, std::uint64_t expected,
                                          std::uint64_t desired) {
  std::uint64_t before = 0;
  world_.ask(image_, 0, memory, [&] {
    before = memory_.word;
    if (before == expected) memory_.word = desired;
  });
  return before;
}

void SwarmBagState::report_speed(int /*thread*/, int worker, Speed speed) {
  world_.at(world_.now() + world_.flight(image_, 0),
            [&speeds = memory_.speeds, at = static_cast<std::size_t>(worker), speed] {
              speeds[at] = speed;
            });
}

void SwarmBagState::view_board(int image, std::vector<bag::WorkerView>& views) const {
  int const first = roster_.first_worker[static_cast<std::size_t>(image)];
  for (int worker = 0; worker < roster_.workers_of(image); ++worker) {
    auto const at = static_cast<std::size_t>(first + worker);
    views[at] = board(image).view(worker, memory_.speeds[at], time_point(world_.now()));
  }
}

// Some boards are seen before image 0 answers, others later.
void SwarmBagState::look_at_all(int thread, Look& look, std::vector<bag::WorkerView>& views) {
  views.assign(static_cast<std::size_t>(roster_.workers()), {});
  std::vector<int> later;
  for (int image = 0; image < roster_.images(); ++image) {
    if (world_.knows_loss(image_, image)) continue;
    if (world_.draws().chance(0.5)) {
      later.push_back(image);
    } else {
      view_board(image, views);
    }
  }
  this->look(thread, look);
  for (int const image : later) {
    while (world_.is_lost(image) && !world_.knows_loss(image_, image)) world_.await(image);
    if (!world_.knows_loss(image_, image)) view_board(image, views);
  }
}

bool SwarmBagState::take_tail(int /*thread*/, int victim, bag::ItemRange tail) {
  int const image = roster_.image_of(victim);
  int const local = victim - roster_.first_worker[static_cast<std::size_t>(image)];
  bool is_taken = false;
  world_.ask(image_, image, memory, [&] {
    bag::ItemRange const left = board(image).not_begun(local);
    bool const is_doubled = fault_ == Fault::double_steal && !left.empty() &&
                            left.end == tail.end && left.begin <= tail.begin &&
                            world_.draws().chance(often);
    is_taken = is_doubled || board(image).take_tail(local, tail);
  });
  return is_taken;
}

void SwarmBagState::publish(int worker, bag::ItemRange range) {
  board(image_).publish(worker, range);
}

void SwarmBagState::take_all(int worker) {
  board(image_).take_all(worker);
}

// --- pool

void SwarmPool::begin(std::size_t bag) {
  bag_ = bag;
  if (image_ == memory_.image) memory_.left[(bag + 1) % 2] = {};
}

Speed SwarmPool::speed_together(int /*thread*/) {
  std::vector<Speed> known;
  world_.ask(image_, memory_.image, memory, [&] {
    for (int const worker : memory_.members) {
      known.push_back(memory_.speeds[static_cast<std::size_t>(worker)]);
    }
  });
  return bag::speed_together(known);
}

void SwarmPool::report_speed(int /*thread*/, int worker, Speed speed) {
  memory_.speeds[static_cast<std::size_t>(worker)] = speed;
}

bag::ItemRange SwarmPool::load() {
  bag::ItemRange found;
  world_.ask(image_, memory_.image, memory, [&] { found = left(); });
  return found;
}

bool SwarmPool::is_empty(int /*thread*/) {
  return load().empty();
}

bool SwarmPool::replace(bag::ItemRange& seen, bag::ItemRange with) {
  auto const word = [](bag::ItemRange range) { return bag::RangeWord::of(range).bits(); };
  bool is_replaced = false;
  world_.ask(image_, memory_.image, memory, [&] {
    is_replaced = word(left()) == word(seen);
    if (is_replaced) left() = bag::RangeWord(word(with)).range();
    if (!is_replaced) seen = left();
  });
  return is_replaced;
}

std::optional<bag::ItemRange> SwarmPool::take(int /*thread*/, Chunk const& chunk) {
  bag::ItemRange seen = load();
  while (!seen.empty()) {
    bag::ItemRange const taken = chunk(seen);
    if (replace(seen, {taken.end, seen.end})) return taken;
  }
  return std::nullopt;
}

bool SwarmPool::offer(int /*thread*/, bag::ItemRange items) {
  for (bag::ItemRange seen = load(); seen.empty();) {
    if (replace(seen, items)) return true;
  }
  return false;
}

// --- tracker

SwarmTracker::SwarmTracker(VirtualWorld& world, int image, int threads,
                           bag::CompletionServer& server, std::size_t part_bytes, Fault fault)
    : world_{world},
      image_{image},
      server_{server},
      part_bytes_{part_bytes},
      fault_{fault},
      senders_(static_cast<std::size_t>(threads) + 1) {
}

bag::ClaimActions SwarmTracker::ask(int thread, bag::WorkerFacts const& worker) {
  settle(sender(thread));
  return call([&] {
    bag::ClaimActions const answer = server_.ask(thread, worker);
    if (answer.order == bag::Order::run) on_hand_out_(answer.items);
    return answer;
  });
}

bool SwarmTracker::may_steal(int thread, int worker, int victim) {
  return call([&] { return server_.may_steal(thread, worker, victim); });
}

bool SwarmTracker::may_use_pool(int thread, int worker) {
  return call([&] { return server_.may_use_pool(thread, worker); });
}

void SwarmTracker::retire(int thread, int worker) {
  settle(sender(thread));
  world_.ask(image_, 0, VirtualWorld::Reach::function, [&] { server_.retire(thread, worker); });
}

void SwarmTracker::take_back(int worker) {
  world_.ask(image_, 0, VirtualWorld::Reach::function, [&] { server_.take_back(worker); });
}

void SwarmTracker::give_up(int lost, int worker) {
  world_.ask(image_, 0, VirtualWorld::Reach::function,
             [&] { server_.give_up(image_, lost, worker); });
}

void SwarmTracker::end_chunk(int thread, bag::ChunkReport const& report) {
  if (image_ == 0) return server_.end_chunk(thread, report);
  post(sender(thread), [this, thread, report] { server_.end_chunk(thread, report); });
}

void SwarmTracker::finish(int thread, int first_thread, int threads,
                          std::span<bag::ItemRange const> items) {
  if (fault_ == Fault::dropped_completion && world_.draws().chance(often)) return;
  if (image_ == 0) return server_.finish(thread, first_thread, threads, items);
  std::vector<std::byte> message = bag::CompletionServer::delivery(items);
  for (int of = 0; of < threads; ++of) runner_->pack(first_thread + of, message);
  send_finished(sender(thread), thread, message);
}

void SwarmTracker::send_finished(Sender& sender, int thread, std::span<std::byte const> message) {
  pgas::Fragment const first{
      .image = image_, .thread = thread, .number = sender.messages++, .part = 0, .parts = 0};
  pgas::send_fragments(first, message, part_bytes_, [&](pgas::Fragment const& part, auto data) {
    post(sender, [this, part, bytes = std::vector<std::byte>(data.begin(), data.end())] {
      server_.deliver(part, bytes);
    });
  });
}

void SwarmTracker::end(std::uint64_t bag, bag::ImageOutcome const& outcome) {
  Sender& mine = senders_.back();
  pgas::Fragment const first{.image = image_, .thread = -1, .number = bag, .part = 0, .parts = 0};
  pgas::send_fragments(
      first, bag::bytes_of(outcome), part_bytes_, [&](pgas::Fragment const& part, auto data) {
        post(mine, [this, part, bytes = std::vector<std::byte>(data.begin(), data.end())] {
          server_.end(part, bytes);
        });
      });
  settle(mine);
}

void SwarmTracker::post(Sender& sender, Take take) {
  world_.expect_alive(image_, 0);
  ++sender.under_way;
  auto const serve = [this, &sender, take = std::move(take)] {
    take();
    world_.at_image(image_, world_.now() + world_.flight(0, image_),
                    [this, &sender] { answer(sender); });
  };
  world_.at_image(0, world_.now() + world_.flight(image_, 0), [this, serve] {
    world_.spawn(0, "what image " + std::to_string(image_) + " told", serve);
  });
}

void SwarmTracker::answer(Sender& sender) {
  --sender.under_way;
  if (sender.waits) world_.wake(*sender.waits);
}

void SwarmTracker::settle(Sender& sender) {
  while (sender.under_way > 0) {
    world_.expect_alive(image_, 0);
    sender.waits = world_.self();
    world_.await(0);
    sender.waits.reset();
  }
}

}  // namespace makespan::swarm
