// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/awf_variants.hpp"

namespace makespan::bag {

ChunkSize AwfVariantPolicy::next_chunk(ChunkRequest const& request) {
  if (request.step == 0) weights_.forget(request.loop.workers);
  if (halves_ == Halves::at_each_claim) {
    weights_.refresh();
    return bounded_work(half_share(request) * weights_.of(request.worker.index), request);
  }
  if (batch_.begins(request)) weights_.refresh();
  return batch_.chunk(request, weights_.of(request.worker.index));
}

void AwfVariantPolicy::chunk_finished(ChunkReport const& report) {
  // Without a time of computing nothing was measured, and the claim alone is no time of the chunk.
  if (!(report.computing > Seconds{0.0})) return;
  weights_.record(report.worker, report.work,
                  counts_ == Counts::computing ? report.computing : report.with_claim);
}

AwfBPolicy::AwfBPolicy(PolicyOptions const& given)
    : AwfVariantPolicy(Halves::at_each_batch, Counts::computing) {
  expect_no_options(name, given);
}

AwfCPolicy::AwfCPolicy(PolicyOptions const& given)
    : AwfVariantPolicy(Halves::at_each_claim, Counts::computing) {
  expect_no_options(name, given);
}

AwfDPolicy::AwfDPolicy(PolicyOptions const& given)
    : AwfVariantPolicy(Halves::at_each_batch, Counts::claim_too) {
  expect_no_options(name, given);
}

AwfEPolicy::AwfEPolicy(PolicyOptions const& given)
    : AwfVariantPolicy(Halves::at_each_claim, Counts::claim_too) {
  expect_no_options(name, given);
}

}  // namespace makespan::bag
