// SPDX-License-Identifier: Apache-2.0
// What injections do to a run: devices that fail, die, hang or are slow at a given item.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <string>

#include "makespan/bag/detail/team_run.hpp"
#include "makespan/bag/device_failed.hpp"

namespace makespan::bag {

void TeamRun::fail_where_injected(int device, ItemRange piece) const {
  for (Injection const& injection : injections_) {
    if (injection.device != device || piece.end <= injection.item) continue;
    // As a machine that dies: no destructor runs, and no image is told.
    if (injection.kind == Injection::Kind::kill) std::raise(SIGKILL);
    if (injection.kind == Injection::Kind::fail) {
      throw DeviceFailed("device " + std::to_string(device) + " fails at item " +
                         std::to_string(piece.begin) + ", as it was told to");
    }
  }
}

void TeamRun::hang_where_injected(int thread, ItemRange piece) {
  for (std::size_t at = 0; at < injections_.size(); ++at) {
    Injection const& injection = injections_[at];
    bool const is_meant = injection.kind == Injection::Kind::hang &&
                          injection.device == layout_.role(thread).device &&
                          piece.end > injection.item;
    // Once: another thread that runs the same items must get through.
    if (!is_meant || has_hung_[at].exchange(true)) continue;
    auto const time = std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(injection.time.value()));
    while_at(thread, piece, [&] { clock_.sleep(time); });
  }
}

double TeamRun::slowness(int device, ItemRange piece) const {
  double factor = 1.0;
  for (Injection const& injection : injections_) {
    if (injection.kind == Injection::Kind::slow && injection.device == device &&
        piece.end > injection.item) {
      factor = std::max(factor, injection.factor);
    }
  }
  return factor;
}

}  // namespace makespan::bag
