// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/weighted_factoring.hpp"

#include <cstddef>

#include "makespan/base/contracts.hpp"

namespace makespan::bag {

namespace {

double weight_of(WorkerFacts const& worker, int workers) {
  if (worker.measured != Measured::yes) return 1.0;
  return worker.speed / (worker.speed_total / static_cast<double>(workers));
}

}  // namespace

WeightedFactoringPolicy::WeightedFactoringPolicy(OptionValues const& given) {
  expect_no_options(name, given);
}

ChunkSize WeightedFactoringPolicy::next_chunk(ChunkRequest const& request) {
  int const workers = request.loop.workers;
  if (request.step == 0) weights_.assign(static_cast<std::size_t>(workers), 0.0);
  auto const at = static_cast<std::size_t>(request.worker.index);
  MAKESPAN_EXPECT(at < weights_.size());
  if (weights_[at] == 0.0) weights_[at] = weight_of(request.worker, workers);
  batch_.begins(request);
  return batch_.chunk(request, weights_[at]);
}

}  // namespace makespan::bag
