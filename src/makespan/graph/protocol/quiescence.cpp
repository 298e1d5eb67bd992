// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/protocol/quiescence.hpp"

#include <algorithm>

#include "makespan/base/contracts.hpp"

namespace makespan::graph {

Quiescence::Quiescence(int images) : images_(static_cast<std::size_t>(images)) {
  MAKESPAN_EXPECT(images > 0);
}

Verdict Quiescence::report(int image, ImageState const& state) {
  Known& known = images_[static_cast<std::size_t>(image)];
  // Envelopes may overtake each other: an older one says nothing new.
  if (state.version <= known.version) return {};
  // What was asked before this report can no longer show that nothing has changed.
  is_spoilt_ = true;
  known.is_idle = true;
  known.version = state.version;
  known.counts = state.counts();
  return is_asking_ ? Verdict{} : ask_if_balanced();
}

Verdict Quiescence::answer(int image, std::int64_t question, ImageState const& state) {
  if (!is_asking_ || question != question_) return {};
  Known& known = images_[static_cast<std::size_t>(image)];
  known.has_answered = true;
  if (!state.is_idle || state.version != known.version) is_spoilt_ = true;
  // Unless a later report was here first.
  if (state.version > known.version) {
    known.is_idle = state.is_idle;
    known.version = state.version;
    known.counts = state.counts();
  }
  if (!all_answered()) return {};
  is_asking_ = false;
  // Where they do not balance, an image is busy or will be, by what is under way to it: its next
  // report asks again.
  return is_spoilt_ ? ask_if_balanced() : Verdict{.quiet = quiet()};
}

Verdict Quiescence::ask_if_balanced() {
  if (!balances()) return {};
  if (is_single()) return {.quiet = quiet()};
  is_asking_ = true;
  is_spoilt_ = false;
  for (Known& each : images_) each.has_answered = false;
  return {.question = ++question_};
}

void Quiescence::leave_out(int image) {
  images_[static_cast<std::size_t>(image)] = {.is_out = true};
}

void Quiescence::begin() {
  // The number of questions goes on: answers of the phase before are told by it.
  // Versions stay, since they rise over all phases: a report that comes late is known by its own.
  is_asking_ = false;
  for (Known& each : images_) each.is_idle = false;
}

bool Quiescence::balances() const {
  std::int64_t open = 0;
  for (Known const& each : images_) {
    if (each.is_out) continue;
    if (!each.is_idle) return false;
    open += each.counts.open();
  }
  return open == 0;
}

Quiet Quiescence::quiet() const {
  bool const keeps = std::ranges::any_of(
      images_, [](Known const& each) { return !each.is_out && each.counts.kept != 0; });
  return keeps ? Quiet::starved : Quiet::yes;
}

bool Quiescence::is_single() const {
  return std::ranges::count(images_, false, &Known::is_out) == 1;
}

bool Quiescence::all_answered() const {
  return std::ranges::all_of(images_,
                             [](Known const& each) { return each.is_out || each.has_answered; });
}

}  // namespace makespan::graph
