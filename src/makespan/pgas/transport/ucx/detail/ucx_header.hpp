// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a message looks like on its way through UCX.

#include <cstdint>

#include "makespan/pgas/message/wire.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_port_key.hpp"

namespace makespan::pgas {

// UCX promises no order between messages of different size, so they are numbered. Numbers count
// within an origin: an image, and with links that are `concurrent` one of the streams into which
// its threads are sorted, since threads that share a count would overtake each other.
//
// A port takes no message without its key, which the launcher's exchange has told the job's images
// and no other process.
struct UcxHeader {
  WireHeader message;
  std::uint32_t number{0};
  std::uint32_t origin{0};      // image * streams + stream
  std::uint32_t aggregated{0};  // 1: the payload is an aggregate (message_aggregate.hpp)
  UcxPortKey key{0};            // of the port that it goes to
};

// Of a concurrent link. More threads than these share a stream, which costs some reordering.
inline constexpr unsigned ucx_streams = 8;

}  // namespace makespan::pgas
