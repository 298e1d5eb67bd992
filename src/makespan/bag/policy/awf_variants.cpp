// SPDX-License-Identifier: Apache-2.0
#include "makespan/bag/policy/awf_variants.hpp"

#include <array>

namespace makespan::bag {

namespace {

constexpr std::array<OptionHelp, 1> awf_variants_help{{
    {"learning_share", OptionKind::real, 0.0, 0.0, 1.0,
     "share of an even share of the loop that a worker takes until it has finished a chunk; 0 = as "
     "published"},
}};

}  // namespace

std::span<OptionHelp const> AwfVariant::option_help() {
  return awf_variants_help;
}

AwfVariant::AwfVariant(AwfHalves halves, AwfCounts counts, CheckedOptions const& options)
    : halves_(halves), counts_(counts), learning_share_(options.real("learning_share")) {
}

ChunkSize AwfVariant::next_chunk(ChunkRequest const& request) {
  LoopFacts const& loop = request.loop;
  int const worker = request.worker.index;
  if (request.step == 0) weights_.forget(loop.workers);
  bool const batch_begins = batch_.begins(request);
  if (learning_share_ > 0.0 && weights_.records(worker) == 0)
    return bounded_work(loop.work * (learning_share_ / loop.workers), request);
  if (halves_ == AwfHalves::at_each_claim) {
    weights_.refresh();
    return bounded_work(half_share(request) * weights_.of(worker), request);
  }
  // A worker that was unknown when the batch began would have a guess for a weight.
  if (batch_begins || weights_.records(worker) == 1) weights_.refresh();
  return batch_.chunk(request, weights_.of(worker));
}

void AwfVariant::chunk_finished(ChunkReport const& report) {
  // Without a time of computing nothing was measured, and the claim alone is no time of the chunk.
  if (!(report.computing > Seconds{0.0})) return;
  weights_.record(report.worker, report.work,
                  counts_ == AwfCounts::computing ? report.computing : report.with_claim);
}

}  // namespace makespan::bag
