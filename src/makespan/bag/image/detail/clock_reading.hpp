// SPDX-License-Identifier: Apache-2.0
#pragma once

// Moments by the clocks of several images, which differ by host.

#include <algorithm>
#include <cstdint>

namespace makespan::bag {

// One moment by the clock of one image.
struct ClockReading {
  std::int64_t ticks{};
  std::int64_t ahead{};  // that clock, of image 0's [ticks]
};

// Ticks that have passed from `begin` to `now`. What clocks are ahead is known to half a round trip
// only: where `begin` seems to be later than now, none. Tested by
// tests/bag/image/clock_reading_test.cpp.
[[nodiscard]] constexpr std::int64_t ticks_since(ClockReading const& begin,
                                                 ClockReading const& now) {
  return std::max<std::int64_t>(0, (now.ticks - now.ahead) - (begin.ticks - begin.ahead));
}

}  // namespace makespan::bag
