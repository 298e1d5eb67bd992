// SPDX-License-Identifier: Apache-2.0
#pragma once

// What worlds of all kinds have in common: their weather.

#include <string>
#include <vector>

#include "swarm/virtual_world.hpp"

namespace makespan::swarm {

[[nodiscard]] Weather weather(Draws& draws, int images);
// Each is the weather with one thing less.
[[nodiscard]] std::vector<Weather> smaller(Weather const& weather);
// Images from that number on are not there.
void forget_images(Weather& weather, int from);
[[nodiscard]] std::string describe(Weather const& weather);
[[nodiscard]] bool loses(Weather const& weather, int image);

}  // namespace makespan::swarm
