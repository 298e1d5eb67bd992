// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/detail/image_links.hpp"

#include <algorithm>
#include <utility>

#include "makespan/bag/protocol/speed_table.hpp"
#include "makespan/base/image_errors.hpp"

namespace makespan::sim {

namespace {

constexpr double word_bytes = 8.0;
constexpr double board_bytes = 24.0;  // of a worker

}  // namespace

// --- the state of the bag

void VirtualBagState::look(int /*thread*/, Look& look) {
  double const bytes = word_bytes * static_cast<double>(1 + shared_.speeds.size());
  network_.one_sided(image_, 0, bytes, [&] {
    look.word = shared_.word;
    look.speeds = shared_.speeds;
  });
}

std::uint64_t VirtualBagState::look_word(int /*thread*/) {
  return network_.one_sided(image_, 0, word_bytes, [&] { return shared_.word; });
}

std::uint64_t VirtualBagState::fetch_add(int /*thread*/, std::uint64_t value) {
  return network_.one_sided(image_, 0, word_bytes,
                            [&] { return std::exchange(shared_.word, shared_.word + value); });
}

std::uint64_t VirtualBagState::compare_swap(int /*thread*/, std::uint64_t expected,
                                            std::uint64_t desired) {
  return network_.one_sided(image_, 0, word_bytes, [&] {
    return shared_.word == expected ? std::exchange(shared_.word, desired) : shared_.word;
  });
}

void VirtualBagState::report_speed(int /*thread*/, int worker, Speed speed) {
  // The caller does not wait for it, as in a job; here it is there at once.
  shared_.speeds[static_cast<std::size_t>(worker)] = speed;
}

// All boards are read at once, when image 0 is; it takes as long as the furthest of them.
void VirtualBagState::look_at_all(int /*thread*/, Look& look, std::vector<bag::WorkerView>& views) {
  Seconds const begin = VirtualClock::time();
  double const bytes = (word_bytes + board_bytes) * static_cast<double>(roster_.workers());
  network_.one_sided(image_, 0, bytes, [&] {
    look.word = shared_.word;
    look.speeds = shared_.speeds;
    views.assign(look.speeds.size(), {});
    for (int const worker : workers_.holders()) {
      auto const at = static_cast<std::size_t>(worker);
      if (network_.is_known_lost(workers_.model(worker).image)) continue;
      views[at] = workers_.view(worker, look.speeds[at]);
    }
  });
  VirtualClock::sleep_until(begin + network_.furthest(image_) * 2.0);
}

bool VirtualBagState::take_tail(int /*thread*/, int victim, bag::ItemRange tail) {
  return network_.one_sided(image_, roster_.image_of(victim), 2 * word_bytes,
                            [&] { return workers_.take_tail(victim, tail); });
}

void VirtualBagState::publish(int worker, bag::ItemRange range) {
  workers_.publish(global(worker), range);
}

void VirtualBagState::take_all(int worker) {
  workers_.take_all(global(worker));
}

// --- pool

Speed VirtualPool::speed_together(int /*thread*/) {
  std::vector<Speed> known;
  known.reserve(words_.members.size());
  network_.one_sided(image_, words_.image, word_bytes, [&] {
    for (int const worker : words_.members) {
      known.push_back(words_.speeds[static_cast<std::size_t>(worker)]);
    }
  });
  return bag::speed_together(known);
}

void VirtualPool::report_speed(int /*thread*/, int worker, Speed speed) {
  words_.speeds[static_cast<std::size_t>(worker)] = speed;
}

bool VirtualPool::is_empty(int /*thread*/) {
  return network_.one_sided(image_, words_.image, word_bytes, [&] { return words_.left.empty(); });
}

std::optional<bag::ItemRange> VirtualPool::take(int /*thread*/, Chunk const& chunk) {
  bag::ItemRange left =
      network_.one_sided(image_, words_.image, word_bytes, [&] { return words_.left; });
  while (!left.empty()) {
    bag::ItemRange const taken = chunk(left);
    // A compare-exchange of the whole range, which is one word of a real pool.
    bag::ItemRange const before = network_.one_sided(image_, words_.image, word_bytes, [&] {
      if (words_.left != left) return words_.left;
      words_.left.begin = taken.end;
      return left;
    });
    if (before == left) return taken;
    left = before;
  }
  return std::nullopt;
}

bool VirtualPool::offer(int /*thread*/, bag::ItemRange items) {
  return network_.one_sided(image_, words_.image, word_bytes, [&] {
    if (!words_.left.empty()) return false;
    words_.left = items;
    return true;
  });
}

// --- tracker

bag::ClaimActions VirtualTracker::ask(int /*thread*/, bag::WorkerFacts const& worker) {
  auto const answer = network_.call(image_, 0, [&] { return tracker_.ask(worker); });
  if (answer.wake) clock_.note_change();
  return answer;
}

bool VirtualTracker::may_steal(int /*thread*/, int worker, int victim) {
  return network_.call(image_, 0, [&] { return tracker_.may_steal(worker, victim); });
}

bool VirtualTracker::may_use_pool(int /*thread*/, int worker) {
  return network_.call(image_, 0, [&] { return tracker_.may_use_pool(worker); });
}

void VirtualTracker::retire(int /*thread*/, int worker) {
  network_.call(image_, 0, [&] { tracker_.retire(worker); });
  clock_.note_change();
}

// No simulated thread is watched for being overdue.
void VirtualTracker::take_back(int worker) {
  network_.call(image_, 0, [&] { tracker_.take_back(worker); });
}

void VirtualTracker::give_up(int /*lost*/, int worker) {
  retire(bag::callers_thread, worker);
}

void VirtualTracker::end_chunk(int /*thread*/, bag::ChunkReport const& report) {
  network_.call(image_, 0, [&] { tracker_.end_chunk(report); });
}

// Counted at once, though the message is still on its way: only the question whether all is done is
// answered too early by this.
void VirtualTracker::finish(int /*thread*/, int /*first_thread*/, int /*threads*/,
                            std::span<bag::ItemRange const> items) {
  double bytes = 0;
  for (bag::ItemRange const& part : items) {
    bytes += result_bytes_ * static_cast<double>(part.items());
  }
  // The bag is over when image 0 has them: where results are long, the link into its node decides.
  results_there_ = std::max(results_there_, network_.tell(image_, 0, bytes));
  static_cast<void>(tracker_.finish(items));
  clock_.note_change();
}

}  // namespace makespan::sim
