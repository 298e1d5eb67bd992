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
struct alignas(128) Ball {
  std::atomic<std::uint64_t> turn{0};  // odd: it is with the second thread
};

// Each ball is played with for one round, again and again; turns count through all of them.
struct Game {
  std::array<Ball, lines> balls;
  Seconds silence_max;
  // One of the two plays no more. No turn of a ball, which a throw of the other would hide.
  alignas(128) std::atomic<bool> is_over{false};

  Ball& ball_of(std::uint64_t trip) { return balls[trip / round_trips % lines]; }
};

// Waits until the ball has come with `turn`. False if the other gave up, or said nothing for too
// long.
bool awaited(Game const& game, Ball const& ball, std::uint64_t turn) {
  Clock::time_point since{};
  for (int looks = 0;; ++looks) {
    if (ball.turn.load(std::memory_order_acquire) == turn) return true;
    // These two are looked at so seldom that they are in no round trip that goes well.
    if (looks < looks_per_clock) continue;
    looks = 0;
    if (game.is_over.load(std::memory_order_relaxed)) return false;
    if (since == Clock::time_point{}) since = Clock::now();
    std::chrono::duration<double> const silence = Clock::now() - since;
    if (silence.count() > game.silence_max.value()) return false;
  }
}

// The second thread: throws every ball back.
void answer(Game& game, int cpu) {
  bool is_there = pin_this_thread(cpu) == PinOutcome::pinned;
  for (std::uint64_t trip = 0; is_there; ++trip) {
    Ball& ball = game.ball_of(trip);
    is_there = awaited(game, ball, 2 * trip + 1);
    if (is_there) ball.turn.store(2 * trip + 2, std::memory_order_release);
  }
  game.is_over = true;
}

// One round; 0 if no answer came.
Seconds play(Game& game, std::uint64_t& trip) {
  auto const begin = Clock::now();
  Ball& ball = game.ball_of(trip);
  for (int i = 0; i < round_trips; ++i, ++trip) {
    ball.turn.store(2 * trip + 1, std::memory_order_release);
    if (!awaited(game, ball, 2 * trip + 2)) return Seconds{};
  }
  return Seconds{std::chrono::duration<double>(Clock::now() - begin).count()};
}

Seconds best_of(Game& game, int cpu, Seconds budget) {
  if (pin_this_thread(cpu) != PinOutcome::pinned) return Seconds{};
  std::uint64_t trip = 0;
  // The other thread comes into being meanwhile, so this round counts for nothing.
  if (play(game, trip) <= Seconds{}) return Seconds{};
  return shortest_round(budget, exchange_rounds_min, [&] { return play(game, trip); });
}

}  // namespace

Seconds core_latency(int a, int b, Seconds budget, Seconds silence_max) {
  auto const game = std::make_unique<Game>();
  game->silence_max = silence_max;
  Seconds round{};
  std::jthread const second([&] { answer(*game, b); });
  try {
    std::jthread([&] { round = best_of(*game, a, budget); }).join();
  } catch (...) {
    game->is_over = true;  // for which `second` waits
    throw;
  }
  game->is_over = true;
  return round / (2.0 * round_trips);
}

}  // namespace makespan::machine
