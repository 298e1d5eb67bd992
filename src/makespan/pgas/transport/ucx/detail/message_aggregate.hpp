// SPDX-License-Identifier: Apache-2.0
#pragma once

// Several short messages to one image as one message of UCX, which over TCP costs a system call on
// either side.
//
// Only messages for which no thread waits before it drives progress are aggregated: puts that
// nothing but a flush waits for, and answers, which are given while progress is driven.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "makespan/pgas/message/wire.hpp"

namespace makespan::pgas {

// A message of an aggregate; its payload follows, filled up to whole words. 16 bytes where a
// WireHeader has 56: an 8-byte put takes 24 bytes.
struct AggregateRecord {
  WireKind kind{};
  std::uint8_t reserved{};
  std::uint16_t channel{};  // of a reply's token
  std::uint32_t bytes{};    // of payload
  std::uint64_t place{};    // offset of a put; slot and turn of a reply's token
};
static_assert(sizeof(AggregateRecord) == 16);

// The longest aggregate [bytes], and the longest payload of a message in one.
inline constexpr std::size_t aggregate_bytes_max = std::size_t{32} << 10;
inline constexpr std::size_t aggregated_bytes_max = 2048;

// Whether it can, and fits into an empty aggregate of `aggregate_bytes`.
[[nodiscard]] bool can_be_aggregated(WireHeader const& header, std::size_t payload_bytes,
                                     std::size_t aggregate_bytes = aggregate_bytes_max);

// Adds a message that can be aggregated at `room[at]`. Returns where the next one goes; nothing if
// it does not fit. Tested by tests/pgas/transport/ucx/message_aggregate_test.cpp, as the reader.
[[nodiscard]] std::optional<std::size_t> add_to_aggregate(std::span<std::byte> room, std::size_t at,
                                                          WireHeader const& header,
                                                          std::span<std::byte const> payload);

struct AggregatedMessage {
  WireHeader header;
  std::span<std::byte const> payload;
  std::size_t next;  // where the one after it begins
};

// The message at `aggregate[at]`, of image `source`. Throws BadMessage where there is none.
[[nodiscard]] AggregatedMessage message_in_aggregate(std::span<std::byte const> aggregate,
                                                     std::size_t at, std::int32_t source);

}  // namespace makespan::pgas
