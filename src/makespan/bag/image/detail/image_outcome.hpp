// SPDX-License-Identifier: Apache-2.0
#pragma once

// What came of one image's part in a bag, and how that travels.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "makespan/bag/team_report.hpp"
#include "makespan/trace/trace.hpp"

namespace makespan::bag {

struct ImageOutcome {
  TeamReport report;
  std::string failure;           // what ended it; empty: nothing, or the loss of its devices
  std::string device_failure{};  // what the last of these said
  std::vector<std::vector<trace::Span>> spans{};  // by thread, by its own clock, if it was traced
};

// Tested by tests/bag/image/image_outcome_test.cpp. outcome_from() throws std::out_of_range where
// the bytes end too early.
[[nodiscard]] std::vector<std::byte> bytes_of(ImageOutcome const& outcome);
[[nodiscard]] ImageOutcome outcome_from(std::span<std::byte const> bytes);

}  // namespace makespan::bag
