// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/protocol/overdue_watch.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "makespan/base/error.hpp"

namespace makespan::bag {

void expect_valid(OverdueRule const& rule) {
  if (!(rule.multiple >= 1.0)) {
    throw InputError("overdue after " + std::to_string(rule.multiple) + " times the prediction",
                     "what takes as long as was predicted is not overdue",
                     "give a multiple of 1 at least");
  }
  if (!(rule.floor >= Seconds{}) || !(rule.limit_multiple >= 0.0) || !(rule.limit > Seconds{})) {
    throw InputError("a limit of " + std::to_string(rule.limit.value()) + " s for devices",
                     "no device answers at once", "give seconds above 0");
  }
}

void expect_no_limit(OverdueRule const& rule) {
  if (std::isinf(rule.limit.value())) return;
  throw InputError("a limit of " + std::to_string(rule.limit.value()) + " s for items",
                   "a thread that is left behind would use what is gone by then",
                   "use DeviceTeam with a runner that stays, or no limit");
}

OverdueWatch::Finding OverdueWatch::look(int thread, std::uint64_t piece, Seconds predicted,
                                         Seconds passed) {
  Thread& seen = threads_[static_cast<std::size_t>(thread)];
  if (piece == 0 || piece != seen.piece) {
    // It counts from the next look on: of the time before, another piece may have had most.
    seen = {.piece = piece};
    return Finding::none;
  }
  seen.at_it += std::min(passed, look_max);
  if (seen.at_it >= std::max(rule_.limit, predicted * rule_.limit_multiple)) {
    return std::exchange(seen.told, Finding::lost) == Finding::lost ? Finding::none : Finding::lost;
  }
  // One without a prediction may take any time, up to the limit.
  bool const is_overdue =
      predicted > Seconds{} && seen.at_it >= std::max(rule_.floor, predicted * rule_.multiple);
  if (!is_overdue || seen.told != Finding::none) return Finding::none;
  seen.told = Finding::overdue;
  return Finding::overdue;
}

}  // namespace makespan::bag
