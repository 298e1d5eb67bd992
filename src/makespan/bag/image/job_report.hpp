// SPDX-License-Identifier: Apache-2.0
#pragma once

// What all images of a job did in one run.

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "makespan/bag/image/image_outcome.hpp"
#include "makespan/bag/dispatch/image_roster.hpp"
#include "makespan/bag/team_report.hpp"
#include "makespan/base/quantity.hpp"

namespace makespan::bag {

// One report for all images, and one for each. Devices and threads are numbered through, image
// after image.
struct JobReport {
  TeamReport together;
  std::vector<std::optional<TeamReport>> by_image;    // nothing of those that were lost
  std::vector<std::pair<int, std::string>> failures;  // of images: what ended their part
};

// `outcomes` by image, nothing of those that were lost: their threads count as idle, their devices
// as failed. `together.complete` is for the caller to say. Tested by
// tests/bag/image/job_report_test.cpp.
[[nodiscard]] JobReport join_outcomes(ImageRoster const& roster,
                                      std::span<std::optional<ImageOutcome> const> outcomes,
                                      Seconds makespan);

}  // namespace makespan::bag
