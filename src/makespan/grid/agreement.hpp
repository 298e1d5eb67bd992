// SPDX-License-Identifier: Apache-2.0
#pragma once

// Failures are shared with all images: an image that threw alone would leave the others waiting for
// it.

#include <exception>
#include <optional>
#include <span>
#include <string>

#include "makespan/pgas/team.hpp"

namespace makespan::grid {

// What `work` throws; null if nothing. Tested by tests/grid/agreement_test.cpp.
template <class Work>
[[nodiscard]] std::exception_ptr failure_of(Work&& work) {
  try {
    work();
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

// Of the failures of an image's devices, null for those without: the one that says why. A device
// that was stopped knows only that another one gave up.
[[nodiscard]] std::exception_ptr cause_of(std::span<std::exception_ptr const> failures);

struct OtherFailure {
  int image{};  // the first that knows why
  std::string text{};
};
// Collective; blocks. Throws this image's own failure, if it has one that says why, when all know
// of it. Otherwise what another image says of its own, cut at a MiB; nothing if all is well. Throws
// ImageFailed where an image is lost, BadMessage for a length that no text has.
[[nodiscard]] std::optional<OtherFailure> other_failure_all(pgas::Team& team,
                                                            std::exception_ptr const& mine);

// Whether it is the last failure of this thread that all images have been told of.
[[nodiscard]] bool was_told(std::exception_ptr const& failure);

// Collective; blocks. Throws on all images if there is a failure on one: its own there, elsewhere
// InputError, which says what that image says. Throws ImageFailed as above.
void refuse_part_all(pgas::Team& team, std::exception_ptr const& mine);

// The same where a device has failed: elsewhere it throws GridStopped.
void stop_all(pgas::Team& team, std::exception_ptr const& mine);

}  // namespace makespan::grid
