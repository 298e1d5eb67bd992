// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/awf.hpp"

#include <cstddef>

#include "makespan/base/contracts.hpp"

namespace makespan::bag {

AwfPolicy::AwfPolicy(OptionValues const& given) {
  expect_no_options(name, given);
}

void AwfPolicy::begin_loop(int workers) {
  if (weights_.workers() != workers) {
    weights_.forget(workers);
  } else {
    for (int worker = 0; worker < workers; ++worker) {
      Done const& done = done_[static_cast<std::size_t>(worker)];
      weights_.record(worker, done.work, done.taken);
    }
    weights_.refresh();
  }
  done_.assign(static_cast<std::size_t>(workers), {});
}

ChunkSize AwfPolicy::next_chunk(ChunkRequest const& request) {
  if (request.step == 0) begin_loop(request.loop.workers);
  batch_.begins(request);
  return batch_.chunk(request, weights_.of(request.worker.index));
}

void AwfPolicy::chunk_finished(ChunkReport const& report) {
  auto const at = static_cast<std::size_t>(report.worker);
  MAKESPAN_EXPECT(at < done_.size());
  if (!(report.computing > Seconds{0.0})) return;
  done_[at].work += report.work;
  done_[at].taken += report.computing;
}

}  // namespace makespan::bag
