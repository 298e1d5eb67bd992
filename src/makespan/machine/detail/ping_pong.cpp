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
constexpr std::chrono::seconds silence_max{1};
constexpr std::uint64_t over = ~std::uint64_t{0};

// A cache line of its own; two, since processors fetch them in pairs.
struct alignas(128) Ball {
  std::atomic<std::uint64_t> turn{0};  // odd: it is with the second thread
};

// Each is played with for one round, again and again; turns count through all of them.
using Balls = std::array<Ball, lines>;

Ball& ball_of(Balls& balls, std::uint64_t trip) {
  return balls[trip / round_trips % lines];
}

void end(Balls& balls) {
  // At any of them the other thread may be waiting.
  // A throw that comes behind this hides it on its ball: that wait ends by `silence_max`.
  for (Ball& ball : balls) ball.turn.store(over, std::memory_order_release);
}

// Waits until the ball has come with `turn`. False if the other gave up, or said nothing for a
// second.
bool awaited(Ball const& ball, std::uint64_t turn) {
  Clock::time_point since{};
  for (int looks = 0;; ++looks) {
    std::uint64_t const now = ball.turn.load(std::memory_order_acquire);
    if (now == turn) return true;
    if (now == over) return false;
    // The clock is looked at so seldom that it is in no round trip that goes well.
    if (looks < looks_per_clock) continue;
    looks = 0;
    if (since == Clock::time_point{}) since = Clock::now();
    if (Clock::now() - since > silence_max) return false;
  }
}

// The second thread: throws every ball back.
void answer(Balls& balls, int cpu) {
  bool is_there = pin_this_thread(cpu) == PinOutcome::pinned;
  for (std::uint64_t trip = 0; is_there; ++trip) {
    Ball& ball = ball_of(balls, trip);
    is_there = awaited(ball, 2 * trip + 1);
    if (is_there) ball.turn.store(2 * trip + 2, std::memory_order_release);
  }
  end(balls);
}

// One round; 0 if no answer came.
Seconds play(Balls& balls, std::uint64_t& trip) {
  auto const begin = Clock::now();
  Ball& ball = ball_of(balls, trip);
  for (int i = 0; i < round_trips; ++i, ++trip) {
    ball.turn.store(2 * trip + 1, std::memory_order_release);
    if (!awaited(ball, 2 * trip + 2)) return Seconds{};
  }
  return Seconds{std::chrono::duration<double>(Clock::now() - begin).count()};
}

Seconds best_of(Balls& balls, int cpu, Seconds budget) {
  if (pin_this_thread(cpu) != PinOutcome::pinned) return Seconds{};
  std::uint64_t trip = 0;
  // The other thread comes into being meanwhile, so this round counts for nothing.
  if (play(balls, trip) <= Seconds{}) return Seconds{};
  return shortest_round(budget, exchange_rounds_min, [&] { return play(balls, trip); });
}

}  // namespace

Seconds core_latency(int a, int b, Seconds budget) {
  auto const balls = std::make_unique<Balls>();
  Seconds round{};
  std::jthread const second([&] { answer(*balls, b); });
  try {
    std::jthread([&] { round = best_of(*balls, a, budget); }).join();
  } catch (...) {
    end(*balls);  // for which `second` waits
    throw;
  }
  end(*balls);
  return round / (2.0 * round_trips);
}

}  // namespace makespan::machine
