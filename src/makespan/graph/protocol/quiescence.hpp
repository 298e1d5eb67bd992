// SPDX-License-Identifier: Apache-2.0
#pragma once

// When a phase is over: no place computes, and no message is under way.

#include <cstdint>
#include <optional>
#include <vector>

namespace makespan::graph {

// What a place says of itself. Whatever goes from place to place because of an object is counted:
// messages, objects that move, and word of where they are. Counts since the run began; but for
// `kept`, which changes only when one of them does, they only grow.
struct MessageCounts {
  std::int64_t sent{0};
  std::int64_t processed{0};
  std::int64_t kept{0};  // messages that wait here for an unknown object

  friend bool operator==(MessageCounts const&, MessageCounts const&) = default;
};

enum class Quiet : std::uint8_t {
  no,
  yes,
  starved,  // all that is left are messages to objects that there are not
};

// What is to be done after an answer.
struct Verdict {
  Quiet quiet{Quiet::no};
  std::optional<std::int64_t> question{};  // to be put to all live places
};

// The coordinator's side of the four-counter method (Mattern, "Algorithms for distributed
// termination detection", Distributed Computing 2, 1987): places report when they are idle; when
// the reports balance, each is asked again. If none has changed since its report, then at the
// moment when the last report had come no place computed and nothing was under way, for counts only
// grow. Tested by tests/graph/protocol/quiescence_test.cpp.
class Quiescence {
 public:
  explicit Quiescence(int places);

  // `place` is idle. The number of a question that is to be put to all live places, if it is time.
  std::optional<std::int64_t> report(int place, MessageCounts const& counts);

  // The answer of `place` to a question, which it gives whether it is idle or not. `yes` and
  // `starved` come once, with the last answer.
  Verdict answer(int place, std::int64_t question, MessageCounts const& counts);

  // A lost place counts no more. Only between phases, or before a restart.
  void leave_out(int place);
  // All reports are void: a new phase has begun.
  void begin();

 private:
  struct Known {
    bool is_out{false};
    bool has_reported{false};  // was idle, with these counts, when last heard of
    bool has_answered{false};
    MessageCounts counts{};
  };

  std::optional<std::int64_t> ask_if_balanced();
  [[nodiscard]] bool balances() const;
  [[nodiscard]] std::int64_t kept() const;
  [[nodiscard]] bool all_answered() const;

  std::vector<Known> places_;
  std::int64_t question_{0};
  bool is_asking_{false};
  bool is_spoilt_{false};  // a place has done something since the question
};

}  // namespace makespan::graph
