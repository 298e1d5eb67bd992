// SPDX-License-Identifier: Apache-2.0
#pragma once

// How long one item takes and how much that spreads: as a user says, or as learned from finished
// chunks.
//
// Only sums over chunks can be measured. The mean time per item of a chunk of n items has the n-th
// part of the variance of one item, so n times the squared distance from the mean estimates that
// variance. Times are taken per predicted work, and each worker has a mean of its own: what is left
// is what neither the prediction nor a worker's speed explains. It adds to the predicted spread.

#include <cstdint>
#include <vector>

#include "makespan/bag/policy/chunk_policy.hpp"
#include "makespan/base/option_values.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::bag {

// Options of the techniques that want times beforehand.
inline constexpr OptionHelp item_s_mean_help{
    "item_s_mean", OptionKind::real, 0.0,
    0.0,           3600.0,           "mean time of one item [s]; 0 = as measured"};
inline constexpr OptionHelp item_s_deviation_help{
    "item_s_deviation",
    OptionKind::real,
    0.0,
    0.0,
    3600.0,
    "standard deviation of the time of one item [s]; 0 = as predicted and measured"};
inline constexpr OptionHelp claim_s_help{
    "claim_s", OptionKind::real, 0.0, 0.0, 3600.0, "what a claim costs [s]; 0 = as measured"};

// Running mean and variance of the time of one item on one worker; items weigh by predicted cost.
class TimePerItem {
 public:
  void add(double items, Seconds taken);

  [[nodiscard]] std::int64_t chunks() const { return chunks_; }
  [[nodiscard]] Seconds mean() const { return mean_; }  // 0 without a chunk
  // Squared deviation over squared mean; 0 with fewer than two chunks.
  [[nodiscard]] double relative_variance() const;

 private:
  std::int64_t chunks_{};
  double items_{};
  Seconds mean_{};
  double squares_{};  // sum of items * (distance from the mean [s])^2
};

// Tested by tests/bag/policy/item_times_test.cpp.
class ItemTimes {
 public:
  ItemTimes() = default;  // all is measured

  // Takes item_s_mean and item_s_deviation, which must be among the options.
  explicit ItemTimes(CheckedOptions const& options);

  // Forgets what was measured. Must come before the first record() of a loop.
  void begin(LoopFacts const& loop);

  // A chunk without a time tells nothing and is left out.
  void record(ChunkReport const& report);

  // Predicted cost of one item, on average.
  [[nodiscard]] Work item_work() const { return item_work_; }

  // By worker, as measured.
  [[nodiscard]] std::vector<TimePerItem> const& workers() const { return workers_; }

  // Of an item of average cost on a worker of average speed; 0 when not known.
  [[nodiscard]] Seconds mean() const;

  // Standard deviation over mean; 0 when nothing is known of it.
  [[nodiscard]] double spread() const;

  // Standard deviation; 0 when that or the mean is not known.
  [[nodiscard]] Seconds deviation() const;

 private:
  [[nodiscard]] double unexplained_variance() const;

  Seconds mean_given_{};  // 0: not given
  Seconds deviation_given_{};
  Work item_work_{};
  double spread_predicted_{};
  std::vector<TimePerItem> workers_;
};

}  // namespace makespan::bag
