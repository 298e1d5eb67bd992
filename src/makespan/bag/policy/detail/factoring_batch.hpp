// SPDX-License-Identifier: Apache-2.0
#pragma once

// The batches of weighted factoring: each is half of what is left when it begins, and a chunk of it
// an even share times the worker's weight.

#include "makespan/bag/policy/chunk_policy.hpp"
#include "makespan/bag/policy/detail/chunk_bounds.hpp"

namespace makespan::bag {

// Half an even share of what is left.
[[nodiscard]] inline Work half_share(ChunkRequest const& request) {
  return request.work_left / (2.0 * request.loop.workers);
}

// A batch ends after as many claims as there are workers. Shares are counted in predicted work,
// because that is what weights are measured in.
class FactoringBatch {
 public:
  // True at the first claim of each batch, which it begins; to be called once a claim.
  bool begins(ChunkRequest const& request) {
    if (request.step % request.loop.workers != 0) return false;
    share_ = half_share(request);
    return true;
  }

  [[nodiscard]] ChunkSize chunk(ChunkRequest const& request, double weight) const {
    return bounded_work(share_ * weight, request);
  }

 private:
  Work share_;  // of a worker of weight 1
};

}  // namespace makespan::bag
