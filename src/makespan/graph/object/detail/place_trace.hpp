// SPDX-License-Identifier: Apache-2.0
#pragma once

// What happened at one place, in the order in which it did.

#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

namespace makespan::graph {

struct PlaceSpan {
  enum class Kind : std::uint8_t {
    method,    // of object `number`; `count` in a row
    decision,  // the coordinator's work
    phase,     // phase `number` begins here; takes no time
    arrival,   // object `number` has come; takes no time
  };
  Kind kind{};
  std::int32_t count{1};
  std::int64_t number{0};
  std::int64_t begin_ns{0};
  std::int64_t end_ns{0};

  friend bool operator==(PlaceSpan const&, PlaceSpan const&) = default;
};

// For the place's thread. Tested by tests/graph/object/place_trace_test.cpp.
class PlaceTrace {
 public:
  explicit PlaceTrace(std::int64_t spans_max) : spans_max_{spans_max} {}

  void add_method(int object, std::int64_t begin_ns, std::int64_t end_ns) {
    add({PlaceSpan::Kind::method, 1, object, begin_ns, end_ns});
  }
  void add_decision(std::int64_t begin_ns, std::int64_t end_ns) {
    add({PlaceSpan::Kind::decision, 1, 0, begin_ns, end_ns});
  }
  void add_phase(std::int64_t phase, std::int64_t at_ns) {
    add({PlaceSpan::Kind::phase, 1, phase, at_ns, at_ns});
  }
  void add_arrival(int object, std::int64_t at_ns) {
    add({PlaceSpan::Kind::arrival, 1, object, at_ns, at_ns});
  }

  [[nodiscard]] std::span<PlaceSpan const> spans() const { return spans_; }
  // Spans that found no room.
  [[nodiscard]] std::int64_t dropped() const { return dropped_; }

 private:
  // What is closer together is drawn as one.
  static constexpr std::int64_t gap_ns = 1000;

  void add(PlaceSpan const& span) {
    if (extends_last(span)) {
      spans_.back().end_ns = span.end_ns;
      ++spans_.back().count;
    } else if (std::ssize(spans_) < spans_max_) {
      spans_.push_back(span);
    } else {
      ++dropped_;
    }
  }

  [[nodiscard]] bool extends_last(PlaceSpan const& span) const {
    // Once one was dropped, the last that was kept is not the one before this.
    if (spans_.empty() || dropped_ > 0) return false;
    PlaceSpan const& last = spans_.back();
    bool const takes_time =
        span.kind == PlaceSpan::Kind::method || span.kind == PlaceSpan::Kind::decision;
    return takes_time && last.kind == span.kind && last.number == span.number &&
           span.begin_ns - last.end_ns < gap_ns;
  }

  std::int64_t spans_max_;
  std::int64_t dropped_{0};
  std::vector<PlaceSpan> spans_{};
};

}  // namespace makespan::graph
