// SPDX-License-Identifier: Apache-2.0
#pragma once

// How messages go through MPI's two-sided calls.

#include <cstdint>

#include "makespan/base/quantity.hpp"

namespace makespan::pgas {

struct AmOptions {
  // Payload of the longest message [bytes], at most am_payload_bytes_limit.
  std::int64_t message_bytes_max{64 * 1024};
  // Sends under way at a time, per link; at least 2. A sender with more gets `busy`.
  int send_window{64};
  // How long a link that goes away waits for its last sends.
  Seconds close_limit{1.0};
};

inline constexpr std::int64_t am_payload_bytes_limit = std::int64_t{16} << 20;

}  // namespace makespan::pgas
