// SPDX-License-Identifier: Apache-2.0
#pragma once

// Moments by the clocks of several images, which differ by host.

#include <algorithm>
#include <cstdint>

namespace makespan::bag {

// Whether a clock can say so, and be ahead of another by so much: 70 years of nanoseconds.
// Within it neither difference overflows.
[[nodiscard]] constexpr bool is_clock(std::int64_t ticks) {
  constexpr std::int64_t most = std::int64_t{1} << 61;
  return ticks >= -most && ticks <= most;
}

// One moment by the clock of one image.
struct ClockReading {
  std::int64_t ticks{};
  std::int64_t ahead{};  // that clock, of image 0's [ticks]
};

// Ticks that have passed from `begin` to `now`. What clocks are ahead is known to half a round trip
// only: where `begin` seems to be later than now, none. Without overflow, since `begin` may be any
// number: it is read from another image's memory. Tested by
// tests/bag/image/clock_reading_test.cpp.
[[nodiscard]] constexpr std::int64_t ticks_since(ClockReading const& begin,
                                                 ClockReading const& now) {
  auto const by_image_0 = [](ClockReading const& reading) {
    return static_cast<std::uint64_t>(reading.ticks) - static_cast<std::uint64_t>(reading.ahead);
  };
  return std::max<std::int64_t>(0, static_cast<std::int64_t>(by_image_0(now) - by_image_0(begin)));
}

}  // namespace makespan::bag
