// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/detail/pointer_chase.hpp"

#include <atomic>
#include <chrono>
#include <cstring>
#include <random>
#include <thread>
#include <utility>

#include "makespan/base/checked_cast.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/machine/detail/timed_rounds.hpp"

namespace makespan::machine {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int loads_per_round = 1 << 14;  // 2 ms of 120 ns
constexpr int chase_rounds_min = 5;

std::uint64_t next_of(std::span<std::byte const> cycle, std::uint64_t at) {
  std::uint64_t next = 0;
  std::memcpy(&next, cycle.data() + at * chase_stride_bytes, sizeof next);
  return next;
}

// One round from `at`, where it leaves off: an atomic, so that the loads are made.
Seconds chase(std::span<std::byte const> cycle, std::atomic<std::uint64_t>& at) {
  auto const begin = Clock::now();
  std::uint64_t here = at;
  for (int load = 0; load < loads_per_round; ++load) here = next_of(cycle, here);
  at = here;
  auto const end = Clock::now();
  return Seconds{std::chrono::duration<double>(end - begin).count()};
}

}  // namespace

void write_cycle(std::span<std::byte> memory) {
  auto const strides = checked_cast<std::uint32_t>(memory.size() / chase_stride_bytes);
  std::vector<std::uint32_t> order(strides);
  for (std::uint32_t i = 0; i < strides; ++i) order[i] = i;
  // Sattolo: the partner is below i, never i itself, or the one cycle would fall into several.
  std::minstd_rand random(1);
  for (std::uint32_t i = strides; i-- > 1;) {
    std::swap(order[i], order[std::uniform_int_distribution<std::uint32_t>(0, i - 1)(random)]);
  }
  for (std::uint32_t i = 0; i < strides; ++i) {
    std::uint64_t const next = order[i];
    std::memcpy(memory.data() + i * chase_stride_bytes, &next, sizeof next);
  }
}

Seconds load_latency(std::span<std::byte const> cycle, int cpu, Seconds budget) {
  Seconds round{};
  std::jthread([&] {
    if (pin_this_thread(cpu) != PinOutcome::pinned) return;
    std::atomic<std::uint64_t> at{0};
    round = shortest_round(budget, chase_rounds_min, [&] { return chase(cycle, at); });
  }).join();
  return round / loads_per_round;
}

}  // namespace makespan::machine
