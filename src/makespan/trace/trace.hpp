// SPDX-License-Identifier: Apache-2.0
#pragma once

// Who did what, when: spans of time by thread.
//
//   Trace trace(threads);
//   trace.add(thread, {.kind = SpanKind::run, .begin = a, .end = b, .task = task, .items = n});
//   for (Span const& span : trace.spans(thread)) …

#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "makespan/base/ids.hpp"

namespace makespan::trace {

using Clock = std::chrono::steady_clock;

enum class SpanKind : std::uint8_t {
  run,    // items of a task
  claim,  // from asking for work to having some
  steal,  // the same, when it was taken from another
  idle,   // the same, when there was none for a while
};

[[nodiscard]] std::string_view name_of(SpanKind kind);

struct Span {
  SpanKind kind{SpanKind::run};
  Clock::time_point begin{};
  Clock::time_point end{};
  TaskId task{};         // of `run`
  std::int64_t items{};  // of `run`; of the others what was claimed
};

// Each thread adds to its own part, without a lock; they are read when no thread adds any more.
// Tested by tests/trace/trace_test.cpp.
class Trace {
 public:
  explicit Trace(int threads) : parts_(static_cast<std::size_t>(threads)) {}

  // A run that goes on with the task of the last one, at once, makes that one longer.
  void add(int thread, Span const& span);

  [[nodiscard]] int threads() const { return static_cast<int>(parts_.size()); }
  [[nodiscard]] std::span<Span const> spans(int thread) const {
    return parts_[static_cast<std::size_t>(thread)].spans;
  }

 private:
  // Of a cache line each: threads that add at the same time would write a common one in turn.
  struct alignas(64) Part {
    std::vector<Span> spans;
  };
  std::vector<Part> parts_;
};

}  // namespace makespan::trace
