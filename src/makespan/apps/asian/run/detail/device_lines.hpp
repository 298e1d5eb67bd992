// SPDX-License-Identifier: Apache-2.0
#pragma once

// The devices of an image as the text in which images tell each other of them.

#include <string>
#include <string_view>
#include <vector>

#include "makespan/apps/asian/run/pricing_team.hpp"

namespace makespan::asian {

// One line for each device; no name has a tab in it.
[[nodiscard]] std::string device_lines(std::vector<PricingDevice> const& devices);

// The devices of `image`, which has told of them so. Throws InputError that names the image if the
// text is none of device_lines().
//
// Tested by tests/apps/asian/run/device_lines_test.cpp.
[[nodiscard]] std::vector<PricingDevice> devices_from_lines(std::string_view text, int image);

}  // namespace makespan::asian
