// SPDX-License-Identifier: Apache-2.0
// What another image says that came of its part in a bag.
#include <chrono>

#include "fuzz/fuzz_target.hpp"
#include "makespan/bag/image/detail/image_outcome.hpp"

namespace makespan::fuzz::image_outcome_target {
namespace {

void read_outcome(std::span<std::byte const> bytes) {
  static_cast<void>(bag::bytes_of(bag::outcome_from(bytes)));
}

std::vector<Bytes> seeds() {
  bag::ImageOutcome outcome;
  outcome.report.busy = {Seconds{1.0}, Seconds{2.0}};
  outcome.report.work = {Work{3.0}, Work{4.0}};
  outcome.report.failed_devices = {1};
  outcome.failure = "text";
  outcome.spans = {{}, {{.kind = trace::SpanKind::steal, .task = TaskId{12}, .items = 13}}};
  return {bag::bytes_of(outcome), bag::bytes_of({})};
}

FuzzTarget const target("image_outcome", &read_outcome, &seeds);

}  // namespace
}  // namespace makespan::fuzz::image_outcome_target
