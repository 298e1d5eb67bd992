// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/ucx/detail/message_aggregate.hpp"

#include <cstring>
#include <string>

#include "makespan/base/ids.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/transport/word_copy.hpp"

namespace makespan::pgas {

namespace {

constexpr std::size_t whole_words(std::size_t bytes) {
  return (bytes + 7) / 8 * 8;
}

AggregateRecord record_of(WireHeader const& header, std::size_t payload_bytes) {
  AggregateRecord record{.kind = header.kind,
                         .channel = header.token.channel,
                         .bytes = static_cast<std::uint32_t>(payload_bytes),
                         .place = header.offset};
  if (header.kind == WireKind::reply) {
    record.place = header.token.slot | std::uint64_t{header.token.turn} << 32;
  }
  return record;
}

WireHeader header_of(AggregateRecord const& record, std::int32_t source) {
  WireHeader header{.kind = record.kind, .source = source};
  if (record.kind == WireKind::reply) {
    header.token = {.slot = static_cast<std::uint32_t>(record.place),
                    .turn = static_cast<std::uint32_t>(record.place >> 32),
                    .channel = record.channel};
  } else {
    header.offset = record.place;
  }
  return header;
}

}  // namespace

bool can_be_aggregated(WireHeader const& header, std::size_t payload_bytes,
                       std::size_t aggregate_bytes) {
  bool const is_kind = header.kind == WireKind::reply ||
                       (header.kind == WireKind::put && !header.token.is_tracked());
  return is_kind && payload_bytes <= aggregated_bytes_max &&
         sizeof(AggregateRecord) + whole_words(payload_bytes) <= aggregate_bytes;
}

std::optional<std::size_t> add_to_aggregate(std::span<std::byte> room, std::size_t at,
                                            WireHeader const& header,
                                            std::span<std::byte const> payload) {
  std::size_t const next = at + sizeof(AggregateRecord) + whole_words(payload.size());
  if (next > room.size()) return std::nullopt;
  AggregateRecord const record = record_of(header, payload.size());
  std::memcpy(&room[at], &record, sizeof record);
  if (!payload.empty()) copy_words(&room[at + sizeof record], payload);
  return next;
}

AggregatedMessage message_in_aggregate(std::span<std::byte const> aggregate, std::size_t at,
                                       std::int32_t source) {
  AggregateRecord record;
  // In this order, so that the difference cannot go below 0.
  if (at > aggregate.size() || aggregate.size() - at < sizeof record) {
    throw BadMessage(ImageId{source}, "aggregated, cut off after " + std::to_string(at) + " of " +
                                          std::to_string(aggregate.size()) + " bytes");
  }
  std::memcpy(&record, &aggregate[at], sizeof record);
  std::size_t const begin = at + sizeof record;
  WireHeader const header = header_of(record, source);
  // Of a kind that no sender aggregates, the record lacks fields that would be used.
  if (record.bytes > aggregated_bytes_max || !can_be_aggregated(header, record.bytes) ||
      whole_words(record.bytes) > aggregate.size() - begin) {
    throw BadMessage(ImageId{source},
                     "aggregated, of kind " + std::to_string(static_cast<int>(record.kind)) +
                         " with " + std::to_string(record.bytes) + " bytes of the " +
                         std::to_string(aggregate.size() - begin) + " that are there");
  }
  return {.header = header,
          .payload = aggregate.subspan(begin, record.bytes),
          .next = begin + whole_words(record.bytes)};
}

}  // namespace makespan::pgas
