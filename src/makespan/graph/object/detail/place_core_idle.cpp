// SPDX-License-Identifier: Apache-2.0
// A place that has nothing to do, and the image that has nothing to do any more.
#include <algorithm>

#include "makespan/base/image_errors.hpp"
#include "makespan/graph/object/detail/place_core.hpp"
#include "makespan/graph/object/message/coordinator_messages.hpp"
#include "makespan/pgas/task/spin_lock.hpp"

namespace makespan::graph {

void PlaceCore::rest() {
  end_spell();
  if (!await_patiently()) {
    // Before the flush, so that a report goes out with what was gathered: the place waits now.
    become_idle();
    messenger_.flush();
    messenger_.wait_for_message();
  }
  turn_begin_ = messenger_.clocks().ticks();  // all was sent
}

// An image that reported that it is idle, and then got more to do, reported too early: each such
// report can cost place 0 a round of questions while the phase goes on, and each change from idle
// to busy moves a cache line between the image's threads. So a place polls its mailbox before it is
// idle again: twice as long after a poll that found a message, half as long after one that did not,
// since another thread may want this core. Returns whether a message came.
bool PlaceCore::await_patiently() {
  constexpr int looks_first = 64;
  constexpr int looks_max = 256;
  constexpr int looks_between_help = 64;
  constexpr int virtual_looks = 8;  // of which each is an event
  bool const is_again = was_idle_ && !idle_.is_idle(messenger_.numbers().thread());
  if (stage_ != Stage::running || !is_again) return false;
  messenger_.flush();
  if (patience_ == 0) patience_ = looks_first;
  int const step = work_ == nullptr ? 1 : virtual_looks;
  for (int look = 0; look < patience_; look += step) {
    // Nothing comes from other images where there are none.
    if (look % looks_between_help == 0 && messenger_.numbers().images > 1) messenger_.help();
    if (messenger_.mailbox().has_message()) {
      patience_ = std::min(2 * patience_, looks_max);
      return true;
    }
    if (work_ == nullptr) {
      pgas::pause_core();
    } else {
      work_->pause(step);
    }
  }
  patience_ /= 2;
  return false;
}

void PlaceCore::become_busy() {
  int const thread = messenger_.numbers().thread();
  if (!idle_.is_idle(thread)) return;
  idle_.become_busy(thread);
  if (work_ != nullptr) work_->await_shared_word();
}

void PlaceCore::become_idle() {
  int const thread = messenger_.numbers().thread();
  if (stage_ != Stage::running || !queue_.empty() || idle_.is_idle(thread)) return;
  if (messenger_.mailbox().has_message()) return;
  was_idle_ = true;
  PlaceTimes const busy = clock_.so_far();
  auto const state = idle_.become_idle(thread, {.generation = generation_,
                                                .phase = phase(),
                                                .step = step_,
                                                .state = {.counts = counts_,
                                                          .busy_wall_s = busy.wall_s,
                                                          .busy_cpu_s = busy.cpu_s,
                                                          .gathering_s = gathering_s_}});
  if (state) post_state(EnvelopeKind::report, *state, step_);
  if (work_ != nullptr) work_->await_shared_word();
}

}  // namespace makespan::graph
