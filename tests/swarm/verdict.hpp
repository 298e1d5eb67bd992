// SPDX-License-Identifier: Apache-2.0
#pragma once

// What came of a world.

#include <cstdint>
#include <string>

namespace makespan::swarm {

struct Verdict {
  std::string broken{};  // what did not hold; empty: all did
  std::int64_t events{0};
};

}  // namespace makespan::swarm
