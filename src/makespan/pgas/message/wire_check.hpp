// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether what has arrived can be a message of this job. Peers run the same build and send none
// that cannot; another build, a defect, or a stranger at the port may.

#include <cstdint>
#include <string>

#include "makespan/pgas/message/wire.hpp"

namespace makespan::pgas {

// What this image has.
struct WireBounds {
  std::int64_t here{};  // its number
  std::int64_t images{};
  std::int64_t channels{};
  std::int64_t operations{};  // that a channel may have waiting
  std::int64_t threads{};
  std::uint64_t heap_bytes{};
  std::uint64_t payload_bytes_max{};  // of one message, on all images
};

// Whether all indexes, ranges and kinds are within the bounds. A few comparisons: it is asked for
// every message.
[[nodiscard]] bool is_within(WireBounds const& bounds, WireHeader const& header,
                             std::uint64_t payload_bytes);

// Of one that is not: what is wrong with it, as "a get of 4096 bytes at 9000 of a heap of 8192".
[[nodiscard]] std::string defect_of(WireBounds const& bounds, WireHeader const& header,
                                    std::uint64_t payload_bytes);

}  // namespace makespan::pgas
