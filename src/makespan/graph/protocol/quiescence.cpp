// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/protocol/quiescence.hpp"

#include <algorithm>

#include "makespan/base/contracts.hpp"

namespace makespan::graph {

namespace {

bool is_later(MessageCounts const& a, MessageCounts const& b) {
  return a.sent + a.processed > b.sent + b.processed;
}

}  // namespace

Quiescence::Quiescence(int places) : places_(static_cast<std::size_t>(places)) {
  MAKESPAN_EXPECT(places > 0);
}

std::optional<std::int64_t> Quiescence::report(int place, MessageCounts const& counts) {
  Known& known = places_[static_cast<std::size_t>(place)];
  // Envelopes may overtake each other: an older one says nothing new.
  if (known.has_reported && is_later(known.counts, counts)) return std::nullopt;
  if (counts != known.counts) is_spoilt_ = true;
  known.has_reported = true;
  known.counts = counts;
  return is_asking_ ? std::nullopt : ask_if_balanced();
}

Verdict Quiescence::answer(int place, std::int64_t question, MessageCounts const& counts) {
  if (!is_asking_ || question != question_) return {};
  Known& known = places_[static_cast<std::size_t>(place)];
  known.has_answered = true;
  if (counts != known.counts) is_spoilt_ = true;
  // It has been busy, and will report when it is not; unless that report was here first.
  if (is_later(counts, known.counts)) known.has_reported = false;
  if (!all_answered()) return {};
  is_asking_ = false;
  if (is_spoilt_) return {.question = ask_if_balanced()};
  return {.quiet = kept() == 0 ? Quiet::yes : Quiet::starved};
}

std::optional<std::int64_t> Quiescence::ask_if_balanced() {
  if (!balances()) return std::nullopt;
  is_asking_ = true;
  is_spoilt_ = false;
  for (Known& each : places_) each.has_answered = false;
  return ++question_;
}

void Quiescence::leave_out(int place) {
  places_[static_cast<std::size_t>(place)] = {.is_out = true};
}

void Quiescence::begin() {
  // The number of questions goes on: answers of the phase before are told by it.
  is_asking_ = false;
  for (Known& each : places_) each.has_reported = false;
}

bool Quiescence::balances() const {
  std::int64_t open = 0;
  for (Known const& each : places_) {
    if (each.is_out) continue;
    if (!each.has_reported) return false;
    // Messages to an object that there is not are never processed: they count as done, so that
    // the phase ends, as starved.
    open += each.counts.sent - each.counts.processed - each.counts.kept;
  }
  return open == 0;
}

std::int64_t Quiescence::kept() const {
  std::int64_t sum = 0;
  for (Known const& each : places_) sum += each.is_out ? 0 : each.counts.kept;
  return sum;
}

bool Quiescence::all_answered() const {
  return std::ranges::all_of(places_,
                             [](Known const& each) { return each.is_out || each.has_answered; });
}

}  // namespace makespan::graph
