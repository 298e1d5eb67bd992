// SPDX-License-Identifier: Apache-2.0
#pragma once
// A block in which several threads of the active image do the same thing for a while.

#include <atomic>
#include <barrier>
#include <cstdint>
#include <numeric>
#include <thread>
#include <vector>

#include "clock.hpp"
#include "contestant.hpp"

namespace makespan::bench {

// What the passive image does meanwhile.
enum class Target { sleeps, polls };

struct ThreadBlock {
  int threads;
  double seconds;  // at least
  Target target;
};

// Of a long put; the others are of eight bytes.
constexpr std::size_t large_put_bytes = std::size_t{64} << 10;

// `prepare(thread)` returns what that thread calls over and over; each call answers how many
// operations it was. Figures: "seconds" that one operation takes a thread, the mean over threads;
// and operations "per_second" of all of them.
template <class Prepare>
Figures run_threads(ThreadBlock const& shape, Prepare const& prepare) {
  auto const count = static_cast<std::size_t>(shape.threads);
  std::vector<std::int64_t> operations(count);
  std::vector<double> seconds(count);
  std::barrier together(shape.threads);
  std::vector<std::jthread> threads;
  for (std::size_t index = 0; index < count; ++index) {
    threads.emplace_back([&, index] {
      auto operate = prepare(static_cast<int>(index));
      together.arrive_and_wait();
      double const begin_s = now_s();
      double elapsed_s = 0.0;
      do {
        operations[index] += operate();
        elapsed_s = now_s() - begin_s;
      } while (elapsed_s < shape.seconds);
      seconds[index] = elapsed_s;
    });
  }
  threads.clear();

  double seconds_per_operation = 0.0;
  double per_second = 0.0;
  for (std::size_t index = 0; index < count; ++index) {
    auto const done = static_cast<double>(operations[index]);
    seconds_per_operation += seconds[index] / done / shape.threads;
    per_second += done / seconds[index];
  }
  return {{"seconds", seconds_per_operation},
          {"per_second", per_second},
          {"bytes_per_second", per_second * static_cast<double>(large_put_bytes)}};
}

}  // namespace makespan::bench
