// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which threads take far longer for the piece at hand than was predicted: stragglers, as in
// MapReduce (Dean and Ghemawat 2004, section 3.6), whose items another may run as well.

#include <cstdint>
#include <limits>
#include <vector>

#include "makespan/bag/protocol/item_range.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::bag {

// A piece is overdue after `multiple` times its prediction, but not before `floor`. After `limit`,
// and `limit_multiple` times its prediction, its thread is taken as lost.
struct OverdueRule {
  double multiple{10.0};
  Seconds floor{5.0};
  Seconds limit{std::numeric_limits<double>::infinity()};
  double limit_multiple{0.0};
  // What its worker holds is handed out again when it is overdue, and not only when it is lost: of
  // two that run the same items the first to finish counts.
  bool run_again{false};
};

// Throws InputError on invalid numbers.
void expect_valid(OverdueRule const& rule);
// Throws InputError if it says that threads are to be left behind.
void expect_no_limit(OverdueRule const& rule);

// Items that a thread has been at for too long.
struct OverduePiece {
  int thread{};         // of the team; in a job's report of all images
  TaskId task{};        // the first of the piece
  ItemRange items{};    // of that task
  Seconds at_it{};      // so far
  Seconds predicted{};  // 0: nothing is known
  bool is_lost{};       // the thread is taken as lost, and not waited for
};

// Counts the time between looks, at most `look_max` of each: a process that was stopped, or had no
// processor, is not taken for threads that hang. Pure. Tested by
// tests/bag/protocol/overdue_watch_test.cpp.
class OverdueWatch {
 public:
  static constexpr Seconds look_max{1.0};

  enum class Finding : std::uint8_t { none, overdue, lost };  // each once for a piece

  OverdueWatch(int threads, OverdueRule const& rule)
      : rule_(rule), threads_(static_cast<std::size_t>(threads)) {}

  // `thread` is at `piece` now (0: none), which is predicted to take `predicted` (0: not known);
  // the last look was `passed` ago.
  Finding look(int thread, std::uint64_t piece, Seconds predicted, Seconds passed);

  // How long it has been at its piece, as far as was seen.
  [[nodiscard]] Seconds at_it(int thread) const {
    return threads_[static_cast<std::size_t>(thread)].at_it;
  }

 private:
  struct Thread {
    std::uint64_t piece{0};
    Seconds at_it{};
    Finding told{Finding::none};
  };

  OverdueRule rule_;
  std::vector<Thread> threads_;
};

}  // namespace makespan::bag
