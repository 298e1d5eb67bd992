// SPDX-License-Identifier: Apache-2.0
#include "makespan/trace/trace.hpp"

#include "makespan/base/contracts.hpp"

namespace makespan::trace {

namespace {

// Between two pieces of one task there is a look at the board.
constexpr std::chrono::microseconds at_once{20};

bool goes_on(Span const& last, Span const& next) {
  return last.kind == SpanKind::run && next.kind == SpanKind::run && last.task == next.task &&
         next.begin - last.end < at_once;
}

}  // namespace

std::string_view name_of(SpanKind kind) {
  switch (kind) {
    case SpanKind::run:
      return "run";
    case SpanKind::claim:
      return "claim";
    case SpanKind::steal:
      return "steal";
    case SpanKind::idle:
      return "idle";
  }
  MAKESPAN_ASSERT(false);
  return {};
}

void Trace::add(int thread, Span const& span) {
  auto& spans = parts_[static_cast<std::size_t>(thread)].spans;
  if (!spans.empty() && goes_on(spans.back(), span)) {
    spans.back().end = span.end;
    spans.back().items += span.items;
  } else {
    spans.push_back(span);
  }
}

}  // namespace makespan::trace
