// SPDX-License-Identifier: Apache-2.0
#include "makespan/sim/image_links.hpp"

#include <algorithm>
#include <utility>

#include "makespan/bag/protocol/speed_table.hpp"
#include "makespan/pgas/errors.hpp"

namespace makespan::sim {

namespace {

constexpr double word_bytes = 8.0;
constexpr double board_bytes = 24.0;  // of a worker

}  // namespace

// --- ledger

void VirtualLedger::look(int /*thread*/, Look& look) {
  double const bytes = word_bytes * static_cast<double>(1 + shared_.speeds.size());
  network_.one_sided(image_, 0, bytes, [&] {
    look.word = shared_.word;
    look.speeds = shared_.speeds;
  });
}

std::uint64_t VirtualLedger::look_word(int /*thread*/) {
  return network_.one_sided(image_, 0, word_bytes, [&] { return shared_.word; });
}

std::uint64_t VirtualLedger::fetch_add(int /*thread*/, std::uint64_t value) {
  return network_.one_sided(image_, 0, word_bytes,
                            [&] { return std::exchange(shared_.word, shared_.word + value); });
}

std::uint64_t VirtualLedger::compare_swap(int /*thread*/, std::uint64_t expected,
                                          std::uint64_t desired) {
  return network_.one_sided(image_, 0, word_bytes, [&] {
    return shared_.word == expected ? std::exchange(shared_.word, desired) : shared_.word;
  });
}

void VirtualLedger::tell_speed(int /*thread*/, int worker, Speed speed) {
  shared_.speeds[static_cast<std::size_t>(worker)] = speed;
}

// All boards are read at once, when image 0 is; it takes as long as the furthest of them.
void VirtualLedger::look_at_all(int /*thread*/, Look& look, std::vector<bag::WorkerView>& views) {
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

bool VirtualLedger::take_tail(int /*thread*/, int victim, bag::ItemRange tail) {
  return network_.one_sided(image_, roster_.image_of(victim), 2 * word_bytes,
                            [&] { return workers_.take_tail(victim, tail); });
}

void VirtualLedger::publish(int worker, bag::ItemRange range) {
  workers_.publish(global(worker), range);
}

void VirtualLedger::take_all(int worker) {
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

void VirtualPool::tell_speed(int /*thread*/, int worker, Speed speed) {
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

// --- keeper

bag::ClaimActions VirtualKeeper::ask(int /*thread*/, bag::WorkerFacts const& worker) {
  auto const answer = network_.call(image_, 0, [&] { return keeper_.ask(worker); });
  if (answer.wake) clock_.note_change();
  return answer;
}

bool VirtualKeeper::may_steal(int /*thread*/, int worker, int victim) {
  return network_.call(image_, 0, [&] { return keeper_.may_steal(worker, victim); });
}

bool VirtualKeeper::may_use_pool(int /*thread*/, int worker) {
  return network_.call(image_, 0, [&] { return keeper_.may_use_pool(worker); });
}

void VirtualKeeper::retire(int /*thread*/, int worker) {
  network_.call(image_, 0, [&] { keeper_.retire(worker); });
  clock_.note_change();
}

// No simulated thread is watched for being overdue.
void VirtualKeeper::take_back(int worker) {
  network_.call(image_, 0, [&] { keeper_.take_back(worker); });
}

void VirtualKeeper::give_up(int /*lost*/, int worker) {
  retire(bag::callers_thread, worker);
}

void VirtualKeeper::end_chunk(int /*thread*/, bag::ChunkReport const& report) {
  network_.call(image_, 0, [&] { keeper_.end_chunk(report); });
}

// Counted at once, though it is on its way: nobody is answered sooner for it but those who ask
// whether all is done.
void VirtualKeeper::finish(int /*thread*/, int /*first_thread*/, int /*threads*/,
                           std::span<bag::ItemRange const> items) {
  double bytes = 0;
  for (bag::ItemRange const& part : items) {
    bytes += result_bytes_ * static_cast<double>(part.items());
  }
  results_there_ = std::max(results_there_, network_.tell(image_, 0, bytes));
  static_cast<void>(keeper_.finish(items));
  clock_.note_change();
}

}  // namespace makespan::sim
