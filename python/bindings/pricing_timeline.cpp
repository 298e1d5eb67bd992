// SPDX-License-Identifier: Apache-2.0
#include "bindings/pricing_timeline.hpp"

#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "bindings/pricing.hpp"

namespace bindings {

namespace nb = nanobind;
namespace asian = makespan::asian;
namespace trace = makespan::trace;

namespace {

double seconds(trace::Clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

nb::dict columns_of(asian::PricingRun::Timeline const& timeline) {
  std::vector<std::int32_t> threads;
  std::vector<std::uint8_t> kinds;
  std::vector<double> begins;
  std::vector<double> ends;
  std::vector<std::int64_t> rows;
  std::vector<std::int64_t> items;
  int const count = timeline.trace != nullptr ? timeline.trace->threads() : 0;
  for (int thread = 0; thread < count; ++thread) {
    for (trace::Span const& span : timeline.trace->spans(thread)) {
      threads.push_back(thread);
      kinds.push_back(static_cast<std::uint8_t>(span.kind));
      begins.push_back(seconds(span.begin - timeline.begin));
      ends.push_back(seconds(span.end - timeline.begin));
      rows.push_back(span.task.value());
      items.push_back(span.items);
    }
  }
  nb::dict out;
  out["thread"] = owned(std::move(threads));
  out["kind"] = owned(std::move(kinds));
  out["begin_s"] = owned(std::move(begins));
  out["end_s"] = owned(std::move(ends));
  out["row"] = owned(std::move(rows));
  out["items"] = owned(std::move(items));
  return out;
}

nb::dict columns_of(std::span<makespan::bag::Segment const> segments) {
  std::vector<std::int64_t> rows;
  std::vector<std::int64_t> items;
  std::vector<double> costs;
  for (makespan::bag::Segment const& segment : segments) {
    rows.push_back(segment.task.value());
    items.push_back(segment.items);
    costs.push_back(segment.cost_per_item.value());
  }
  nb::dict out;
  out["row"] = owned(std::move(rows));
  out["items"] = owned(std::move(items));
  out["cost"] = owned(std::move(costs));
  return out;
}

nb::dict columns_of(asian::PricingRun::Round const& round, trace::Clock::time_point start) {
  nb::dict out = columns_of(round.segments);
  out["begin_s"] = seconds(round.begin - start);
  out["end_s"] = seconds(round.end - start);
  return out;
}

}  // namespace bindings
