// SPDX-License-Identifier: Apache-2.0
#pragma once

// When a phase is over: no place computes, and no message is under way.

#include <cstdint>
#include <optional>
#include <vector>

#include "makespan/graph/protocol/image_state.hpp"

namespace makespan::graph {

enum class Quiet : std::uint8_t {
  no,
  yes,
  starved,  // all that is left are messages to objects that there are not
};

// What is to be done after a report or an answer.
struct Verdict {
  Quiet quiet{Quiet::no};
  std::optional<std::int64_t> question{};  // to be put to all live images
};

// The coordinator's side of the four-counter method (Mattern, "Algorithms for distributed
// termination detection", Distributed Computing 2, 1987), between images: an image reports when all
// its places are idle; when the reports balance, each is asked again. If none has changed since its
// report, then at the moment when the last report had come no place computed and nothing was under
// way, for counts only grow. A single image is not asked: its state is of one moment. Tested by
// tests/graph/protocol/quiescence_test.cpp.
class Quiescence {
 public:
  explicit Quiescence(int images);

  // `image` is idle. `yes` and `starved` come once, with the last report or answer.
  Verdict report(int image, ImageState const& state);

  // The answer of `image` to a question, which it gives whether it is idle or not. If not, it will
  // report later.
  Verdict answer(int image, std::int64_t question, ImageState const& state);

  // A lost image counts no more. Only between phases, or before a restart.
  void leave_out(int image);
  // All reports are void: a new phase has begun.
  void begin();

 private:
  struct Known {
    bool is_out{false};
    bool is_idle{false};  // when last heard of
    bool has_answered{false};
    std::int64_t version{-1};
    MessageCounts counts{};
  };

  Verdict ask_if_balanced();
  [[nodiscard]] bool balances() const;
  [[nodiscard]] Quiet quiet() const;
  [[nodiscard]] bool is_single() const;
  [[nodiscard]] bool all_answered() const;

  std::vector<Known> images_;
  std::int64_t question_{0};
  bool is_asking_{false};
  bool is_spoilt_{false};  // an image has changed since it was asked
};

}  // namespace makespan::graph
