// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the objects of one place took, and to whom they sent, in a phase: values.

#include <cstdint>
#include <vector>

namespace makespan::graph {

// Of one object.
struct ObjectLoad {
  std::int32_t object{};
  std::uint32_t moves{};
  double cpu_s{};
  double bytes{};  // to move it
};

// What one object sent to another; of a message to several, each gets a share of the bytes.
struct ObjectTraffic {
  std::int32_t from{};
  std::int32_t to{};
  double messages{};
  double bytes{};
};

// What an object, or several that stayed at a place, took before and now [s].
struct LoadChange {
  std::int32_t place_before{};
  double before_s{};
  double now_s{};
};

struct ObjectLoads {
  std::vector<ObjectLoad> objects{};
  std::vector<ObjectTraffic> traffic{};
};

}  // namespace makespan::graph
