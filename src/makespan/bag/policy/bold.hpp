// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bold: takes more than factoring does as long as there is time to make up for it, by mean and
// standard deviation of item times and the cost of a claim.
//
// With mu, sigma and h these three, R items left on P workers and M not finished,
//
//     a = 2 (sigma / mu)^2, b = 8 a ln(8 a), c1 = h / (mu ln 2), c2 = sqrt(2 pi) c1,
//     q = R / P, r = the items unfinished, those under way by estimate, at least R, t = r / P,
//     v = q / (b + q), d = R / (1 + 1 / ln q - v), s = a (ln d - ln c2) (1 + M / (r P)),
//
// a chunk is 1 for q <= 1, t for d <= c2, and else the smaller of t and
//
//     t + s / 2 - sqrt(s (t + s / 4)) + max(0, c1 ln(b v ln q)) items, rounded up.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "makespan/bag/policy/chunk_policy.hpp"
#include "makespan/bag/policy/detail/item_times.hpp"

namespace makespan::bag {

// Source: T. Hagerup, "Allocating independent tasks to parallel processors: an experimental study",
// Journal of Parallel and Distributed Computing 47(2), 1997, pages 185-197,
// https://doi.org/10.1006/jpdc.1997.1411; as in LB4OMP, the paper itself was not at hand. We
// deviate: what is unfinished of the chunks under way is estimated without a clock, from the time
// that each worker has reported; b is never below 0; without a mean a chunk is half an even share
// of the rest, and one item when claims are free. Tested by tests/bag/policy/bold_test.cpp.
class BoldPolicy final : public ChunkPolicy {
 public:
  static constexpr std::string_view name = "bold";
  static constexpr std::string_view summary =
      "large early chunks, by mean and spread of item times and the cost of a claim";
  [[nodiscard]] static std::span<OptionHelp const> option_help();

  explicit BoldPolicy(OptionValues const& given);

  [[nodiscard]] ChunkSize next_chunk(ChunkRequest const& request) override;
  void chunk_finished(ChunkReport const& report) override;

 private:
  // By worker.
  struct Progress {
    std::int64_t items_held{};  // as handed out here; the worker may have taken a few less
    Seconds reported;           // time of all that it has finished, claims included
  };

  explicit BoldPolicy(CheckedOptions const& options);

  void begin_loop(LoopFacts const& loop);
  [[nodiscard]] double items(ChunkRequest const& request) const;
  [[nodiscard]] double items_unfinished(ChunkRequest const& request, Seconds claim) const;

  ItemTimes times_;
  Seconds claim_given_;  // 0: as the worker measures it
  std::vector<Progress> progress_;
  std::int64_t items_unfinished_{};
};

static_assert(RegisteredPolicy<BoldPolicy>);

}  // namespace makespan::bag
