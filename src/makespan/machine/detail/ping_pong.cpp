// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/detail/ping_pong.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>

#include "makespan/machine/affinity.hpp"
#include "makespan/machine/detail/timed_rounds.hpp"

namespace makespan::machine {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int round_trips = 500;
// Where a line's address puts it in a shared cache changes its latency by a fifth (AMD EPYC 9004),
// so the rounds go over several.
constexpr int lines = 32;
constexpr int exchange_rounds_min = lines;
constexpr int looks_per_clock = 1 << 14;  // some 10 µs

// A cache line of its own; two, since processors fetch them in pairs.
struct alignas(128) Line {
  std::atomic<std::uint64_t> turn{0};  // odd: the second thread's
};

// A round of round trips uses one line, the next round the next; turns count through all of them.
struct PingPong {
  std::array<Line, lines> cache_lines;
  Seconds silence_max;
  // One of the two has ended. Not a turn of a line, which a store of the other would hide.
  alignas(128) std::atomic<bool> is_over{false};

  Line& line_of(std::uint64_t trip) { return cache_lines[trip / round_trips % lines]; }
};

// Waits until the line has `turn`. False if the other has ended, or stored nothing for too long.
bool awaited(PingPong const& ping_pong, Line const& line, std::uint64_t turn) {
  Clock::time_point since{};
  for (int looks = 0;; ++looks) {
    if (line.turn.load(std::memory_order_acquire) == turn) return true;
    // These two are looked at so seldom that they are in no round trip that goes well.
    if (looks < looks_per_clock) continue;
    looks = 0;
    if (ping_pong.is_over.load(std::memory_order_relaxed)) return false;
    if (since == Clock::time_point{}) since = Clock::now();
    std::chrono::duration<double> const silence = Clock::now() - since;
    if (silence.count() > ping_pong.silence_max.value()) return false;
  }
}

// The second thread: answers on every line.
void answer(PingPong& ping_pong, int cpu) {
  bool is_there = pin_this_thread(cpu) == PinOutcome::pinned;
  for (std::uint64_t trip = 0; is_there; ++trip) {
    Line& line = ping_pong.line_of(trip);
    is_there = awaited(ping_pong, line, 2 * trip + 1);
    if (is_there) line.turn.store(2 * trip + 2, std::memory_order_release);
  }
  ping_pong.is_over = true;
}

// One round; 0 if no answer came.
Seconds time_round(PingPong& ping_pong, std::uint64_t& trip) {
  auto const begin = Clock::now();
  Line& line = ping_pong.line_of(trip);
  for (int i = 0; i < round_trips; ++i, ++trip) {
    line.turn.store(2 * trip + 1, std::memory_order_release);
    if (!awaited(ping_pong, line, 2 * trip + 2)) return Seconds{};
  }
  return Seconds{std::chrono::duration<double>(Clock::now() - begin).count()};
}

Seconds best_of(PingPong& ping_pong, int cpu, Seconds budget) {
  if (pin_this_thread(cpu) != PinOutcome::pinned) return Seconds{};
  std::uint64_t trip = 0;
  // The other thread comes into being meanwhile, so this round counts for nothing.
  if (time_round(ping_pong, trip) <= Seconds{}) return Seconds{};
  return shortest_round(budget, exchange_rounds_min, [&] { return time_round(ping_pong, trip); });
}

}  // namespace

Seconds core_latency(int a, int b, Seconds budget, Seconds silence_max) {
  auto const ping_pong = std::make_unique<PingPong>();
  ping_pong->silence_max = silence_max;
  Seconds round{};
  std::jthread const second([&] { answer(*ping_pong, b); });
  try {
    std::jthread([&] { round = best_of(*ping_pong, a, budget); }).join();
  } catch (...) {
    ping_pong->is_over = true;  // for which `second` waits
    throw;
  }
  ping_pong->is_over = true;
  return round / (2.0 * round_trips);
}

}  // namespace makespan::machine
