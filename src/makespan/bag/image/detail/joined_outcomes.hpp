// SPDX-License-Identifier: Apache-2.0
#pragma once

// From what each image did to a report of all.

#include <optional>
#include <span>

#include "makespan/bag/dispatch/image_roster.hpp"
#include "makespan/bag/image/detail/image_outcome.hpp"
#include "makespan/bag/image/job_report.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::bag {

// What image 0 knows of a bag when it has ended.
struct JobEnd {
  Seconds makespan{};
  bool complete{};  // every item is finished
};

// `outcomes` by image, nothing of those that were lost: their threads count as idle, their devices
// as failed. Tested by tests/bag/image/job_report_test.cpp.
[[nodiscard]] JobReport join_outcomes(ImageRoster const& roster,
                                      std::span<std::optional<ImageOutcome> const> outcomes,
                                      JobEnd end);

// Throws RemoteError with what ended an image's part, and DeviceFailed with what the first device
// that failed says if the bag is neither complete nor was stopped.
void expect_success(JobReport const& report, bool was_stopped);

}  // namespace makespan::bag
