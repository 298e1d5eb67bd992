// SPDX-License-Identifier: Apache-2.0
#pragma once

// What all images of a job did in one run.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "makespan/bag/team_report.hpp"

namespace makespan::bag {

// One report for all images, and one for each. Devices and threads are numbered through, image
// after image.
struct JobReport {
  TeamReport together;
  std::vector<std::optional<TeamReport>> by_image;    // nothing of those that were lost
  std::vector<std::pair<int, std::string>> failures;  // of images: what ended their part
  // Of images without a device that works any more: what the last one said.
  std::vector<std::pair<int, std::string>> device_failures{};
};

}  // namespace makespan::bag
