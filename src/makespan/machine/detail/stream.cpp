// SPDX-License-Identifier: Apache-2.0
#include "makespan/machine/detail/stream.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstring>
#include <new>
#include <thread>

#include "makespan/base/contracts.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/machine/detail/timed_rounds.hpp"

namespace makespan::machine {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int stream_rounds_min = 3;
constexpr double triad_factor = 3.0;

enum class Kernel { copy, triad };

struct Arrays {
  std::span<double> a, b, c;
};

Arrays arrays_in(std::span<std::byte> memory) {
  std::size_t const count = memory.size() / (3 * sizeof(double));
  auto* const all = new (memory.data()) double[3 * count];  // values are what the bytes are
  return {{all, count}, {all + count, count}, {all + 2 * count, count}};
}

// The part-th of `parts` of them.
Arrays part_of(Arrays const& arrays, std::size_t part, std::size_t parts) {
  std::size_t const begin = arrays.a.size() * part / parts;
  std::size_t const count = arrays.a.size() * (part + 1) / parts - begin;
  return {arrays.a.subspan(begin, count), arrays.b.subspan(begin, count),
          arrays.c.subspan(begin, count)};
}

void run(Kernel kernel, Arrays const& part) {
  if (kernel == Kernel::copy) {
    std::memcpy(part.a.data(), part.b.data(), part.a.size_bytes());
    return;
  }
  double* const a = part.a.data();
  double const* const b = part.b.data();
  double const* const c = part.c.data();
  for (std::size_t i = 0; i < part.a.size(); ++i) a[i] = b[i] + triad_factor * c[i];
}

// A round lasts from the first thread's beginning to the last one's end. Two cache lines each:
// processors fetch them in pairs, and each thread writes its own.
struct alignas(128) Times {
  Clock::time_point begin{};
  Clock::time_point end{};
};

// Threads that run one kernel after the other, together. Each takes its own times: the thread that
// waits for them has no core, and would read the clock late.
class ThreadTeam {
 public:
  ThreadTeam(Arrays const& arrays, std::vector<int> const& cpus)
      : line_{static_cast<std::ptrdiff_t>(cpus.size()) + 1}, times_(cpus.size()) {
    try {
      for (std::size_t i = 0; i < cpus.size(); ++i) {
        threads_.emplace_back([this, cpu = cpus[i], part = part_of(arrays, i, cpus.size()),
                               &times = times_[i]] { work(cpu, part, times); });
      }
    } catch (...) {
      // Those that there are wait for all.
      for (std::size_t i = threads_.size(); i < cpus.size(); ++i) line_.arrive_and_drop();
      line_.arrive_and_wait();
      end();
      throw;
    }
    line_.arrive_and_wait();
  }
  ThreadTeam(ThreadTeam const&) = delete;
  ThreadTeam& operator=(ThreadTeam const&) = delete;
  ~ThreadTeam() { end(); }

  [[nodiscard]] bool is_complete() const { return refused_ == 0; }

  Seconds round(Kernel kernel) {
    kernel_ = kernel;
    // Here all begin, and at the second one all have ended.
    line_.arrive_and_wait();
    line_.arrive_and_wait();
    auto const begin = std::ranges::min(times_, {}, &Times::begin).begin;
    auto const end = std::ranges::max(times_, {}, &Times::end).end;
    return Seconds{std::chrono::duration<double>(end - begin).count()};
  }

 private:
  void end() {
    is_over_ = true;
    line_.arrive_and_wait();
  }

  void work(int cpu, Arrays const& part, Times& times) {
    if (pin_this_thread(cpu) != PinOutcome::pinned) ++refused_;
    line_.arrive_and_wait();
    for (;;) {
      line_.arrive_and_wait();
      if (is_over_) return;
      times.begin = Clock::now();
      run(kernel_, part);
      times.end = Clock::now();
      line_.arrive_and_wait();
    }
  }

  std::barrier<> line_;
  std::vector<Times> times_;  // by thread
  // Added to before the first meeting, and read behind it.
  std::atomic<int> refused_{0};
  Kernel kernel_{Kernel::copy};  // changes only while all wait
  bool is_over_{false};          // as kernel_
  std::vector<std::jthread> threads_{};
};

}  // namespace

Bandwidth stream_bandwidth(std::span<std::byte> memory, std::vector<int> const& cpus,
                           Seconds budget) {
  MAKESPAN_EXPECT(!cpus.empty());
  Arrays const arrays = arrays_in(memory);
  ThreadTeam team(arrays, cpus);
  if (!team.is_complete()) return {};
  auto const rate = [&](Kernel kernel, double bytes) {
    Seconds const shortest =
        shortest_round(budget / 2.0, stream_rounds_min, [&] { return team.round(kernel); });
    return bytes / shortest.value();
  };
  auto const array_bytes = static_cast<double>(arrays.a.size_bytes());
  return {.copy = rate(Kernel::copy, 2.0 * array_bytes),
          .triad = rate(Kernel::triad, 3.0 * array_bytes)};
}

}  // namespace makespan::machine
