// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/detail/item_times.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "makespan/base/contracts.hpp"

namespace makespan::bag {

namespace {

// Chunks beyond the first of their worker, over all workers, before their spread counts: an
// estimate from fewer is off by half or more.
constexpr std::int64_t distances_min = 3;

// Above it every technique hands out single items anyway, and its squares stay finite.
constexpr double spread_max = 1e9;

}  // namespace

void TimePerItem::add(double items, Seconds taken) {
  // Mean and squares as each value comes, with weights (Welford's method; D. H. D. West, CACM
  // 22(9), 1979): sums of squares would lose their figures in a difference.
  Seconds const distance = taken / items - mean_;
  ++chunks_;
  items_ += items;
  mean_ += distance * (items / items_);
  squares_ += items * distance.value() * (taken / items - mean_).value();
}

double TimePerItem::relative_variance() const {
  if (chunks_ < 2) return 0.0;
  return squares_ / static_cast<double>(chunks_ - 1) / mean_.value() / mean_.value();
}

ItemTimes::ItemTimes(CheckedOptions const& options)
    : mean_given_(options.real(item_s_mean_help.name)),
      deviation_given_(options.real(item_s_deviation_help.name)) {
}

void ItemTimes::begin(LoopFacts const& loop) {
  item_work_ = loop.work / static_cast<double>(loop.items);
  spread_predicted_ = loop.item_cost_spread;
  workers_.assign(static_cast<std::size_t>(loop.workers), {});
}

void ItemTimes::record(ChunkReport const& report) {
  auto const worker = static_cast<std::size_t>(report.worker);
  MAKESPAN_EXPECT(worker < workers_.size());
  if (!(report.work > Work{0.0} && report.computing > Seconds{0.0})) return;
  workers_[worker].add(report.work / item_work_, report.computing);
}

Seconds ItemTimes::mean() const {
  if (mean_given_ > Seconds{0.0}) return mean_given_;
  double items_per_second = 0.0;
  int measured = 0;
  for (TimePerItem const& worker : workers_) {
    if (worker.chunks() == 0) continue;
    items_per_second += 1.0 / worker.mean().value();
    ++measured;
  }
  // Of a worker of average speed: rates are averaged, not times.
  return measured == 0 ? Seconds{} : Seconds{measured / items_per_second};
}

double ItemTimes::unexplained_variance() const {
  double squares = 0.0;
  std::int64_t distances = 0;
  for (TimePerItem const& worker : workers_) {
    if (worker.chunks() < 2) continue;
    squares += worker.relative_variance() * static_cast<double>(worker.chunks() - 1);
    distances += worker.chunks() - 1;
  }
  return distances < distances_min ? 0.0 : squares / static_cast<double>(distances);
}

double ItemTimes::spread() const {
  if (deviation_given_ == Seconds{0.0})
    return std::min(std::hypot(spread_predicted_, std::sqrt(unexplained_variance())), spread_max);
  Seconds const average = mean();
  return average > Seconds{0.0} ? std::min(deviation_given_ / average, spread_max) : 0.0;
}

Seconds ItemTimes::deviation() const {
  return deviation_given_ > Seconds{0.0} ? deviation_given_ : mean() * spread();
}

}  // namespace makespan::bag
