// SPDX-License-Identifier: Apache-2.0
#pragma once

// What travels in one MPI message.
//
// A short message is a frame and its payload. A long one is announced: the frame goes alone, in the
// stream of short messages, and the payload follows under a tag of its own, into a buffer that the
// receiver has found for it meanwhile.

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "makespan/pgas/message/wire.hpp"

namespace makespan::pgas {

struct AmFrame {
  WireHeader header{};
  std::uint32_t number{
      0};  // counts what one image sends to another over one link, and wraps around
  std::uint32_t payload_bytes{0};
};
static_assert(std::is_trivially_copyable_v<AmFrame>);
static_assert(sizeof(AmFrame) == 64);

// The most bytes of a short message, with its frame. Below what every MPI sends at once, without
// asking the receiver first (the lowest limit known is that of Open MPI 5 on a node: 4096 with its
// own header), so that a sender that dies or computes leaves no short message half sent.
inline constexpr std::size_t am_short_bytes = 3840;
inline constexpr std::size_t am_short_payload_bytes = am_short_bytes - sizeof(AmFrame);

// A short message, or the announcement of a long one, as it lies in memory at both ends. Only what
// the payload really has travels.
struct AmShortMessage {
  AmFrame frame{};
  std::array<std::byte, am_short_payload_bytes> payload;
};
static_assert(std::is_standard_layout_v<AmShortMessage>);
static_assert(sizeof(AmShortMessage) == am_short_bytes);

// Tags of MPI.
inline constexpr int am_frame_tag = 0;
inline constexpr int am_payload_tag = 1;

[[nodiscard]] inline bool is_long(std::size_t payload_bytes) {
  return payload_bytes > am_short_payload_bytes;
}

}  // namespace makespan::pgas
