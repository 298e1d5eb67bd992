// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/detail/worker_weights.hpp"

#include <algorithm>
#include <cstddef>

#include "makespan/base/contracts.hpp"

namespace makespan::bag {

void WorkerWeights::forget(int workers) {
  records_.assign(static_cast<std::size_t>(workers), {});
  weights_.assign(static_cast<std::size_t>(workers), 1.0);
}

void WorkerWeights::record(int worker, Work work, Seconds taken) {
  auto const at = static_cast<std::size_t>(worker);
  MAKESPAN_EXPECT(at < records_.size());
  if (!(work > Work{0.0} && taken > Seconds{0.0})) return;
  Record& mine = records_[at];
  ++mine.count;
  auto const recency = static_cast<double>(mine.count);
  mine.work += work * recency;
  mine.taken += taken * recency;
}

void WorkerWeights::refresh() {
  Speed fastest{0.0};
  Speed slowest{0.0};
  Speed together{0.0};
  int unknown = 0;
  for (Record const& record : records_) {
    if (record.count == 0) {
      ++unknown;
      continue;
    }
    Speed const speed = record.work / record.taken;
    slowest = together == Speed{0.0} ? speed : std::min(slowest, speed);
    fastest = std::max(fastest, speed);
    together += speed;
  }
  if (together == Speed{0.0}) return;
  Speed const mean = (together + fastest * unknown) / static_cast<double>(records_.size());
  std::ranges::transform(records_, weights_.begin(), [&](Record const& record) {
    return (record.count == 0 ? slowest : record.work / record.taken) / mean;
  });
}

std::int64_t WorkerWeights::records(int worker) const {
  auto const at = static_cast<std::size_t>(worker);
  MAKESPAN_EXPECT(at < records_.size());
  return records_[at].count;
}

double WorkerWeights::of(int worker) const {
  auto const at = static_cast<std::size_t>(worker);
  MAKESPAN_EXPECT(at < weights_.size());
  return weights_[at];
}

}  // namespace makespan::bag
