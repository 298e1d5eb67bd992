// SPDX-License-Identifier: Apache-2.0
#pragma once

// What monitors say to each other.

#include <cstdint>
#include <type_traits>

#include "makespan/base/ids.hpp"

namespace makespan::pgas {

enum class HeartbeatKind : std::uint8_t {
  beat,   // the sender is alive
  leave,  // the sender has come to the end of the job: it sends no more beats
  loss,   // an image is lost
};

enum class LossCause : std::uint8_t {
  silent,       // no beat for longer than the limit
  ended,        // its process is gone, says MPI
  unreachable,  // an image could not send to it, or reported it for another reason
};

// As it travels. `lost`, `witness` and `cause` are those of a loss.
struct HeartbeatMessage {
  HeartbeatKind kind{HeartbeatKind::beat};
  LossCause cause{LossCause::silent};
  std::int32_t lost{-1};
  std::int32_t witness{-1};  // who found out

  friend bool operator==(HeartbeatMessage const&, HeartbeatMessage const&) = default;
};
static_assert(std::is_trivially_copyable_v<HeartbeatMessage>);

}  // namespace makespan::pgas
