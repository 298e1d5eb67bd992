// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/ucx/detail/message_batch.hpp"

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

BatchRecord record_of(WireHeader const& header, std::size_t payload_bytes) {
  BatchRecord record{.kind = header.kind,
                     .channel = header.token.channel,
                     .bytes = static_cast<std::uint32_t>(payload_bytes),
                     .place = header.offset};
  if (header.kind == WireKind::reply) {
    record.place = header.token.slot | std::uint64_t{header.token.turn} << 32;
  }
  return record;
}

WireHeader header_of(BatchRecord const& record, std::int32_t source) {
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

bool can_be_batched(WireHeader const& header, std::size_t payload_bytes, std::size_t batch_bytes) {
  bool const is_kind = header.kind == WireKind::reply ||
                       (header.kind == WireKind::put && !header.token.is_tracked());
  return is_kind && payload_bytes <= batched_bytes_max &&
         sizeof(BatchRecord) + whole_words(payload_bytes) <= batch_bytes;
}

std::optional<std::size_t> add_to_batch(std::span<std::byte> room, std::size_t at,
                                        WireHeader const& header,
                                        std::span<std::byte const> payload) {
  std::size_t const next = at + sizeof(BatchRecord) + whole_words(payload.size());
  if (next > room.size()) return std::nullopt;
  BatchRecord const record = record_of(header, payload.size());
  std::memcpy(&room[at], &record, sizeof record);
  if (!payload.empty()) copy_words(&room[at + sizeof record], payload);
  return next;
}

BatchedMessage message_in_batch(std::span<std::byte const> batch, std::size_t at,
                                std::int32_t source) {
  BatchRecord record;
  if (at > batch.size() || batch.size() - at < sizeof record) {
    throw BadMessage(ImageId{source}, "batched, cut off after " + std::to_string(at) + " of " +
                                          std::to_string(batch.size()) + " bytes");
  }
  std::memcpy(&record, &batch[at], sizeof record);
  std::size_t const begin = at + sizeof record;
  WireHeader const header = header_of(record, source);
  if (record.bytes > batched_bytes_max || !can_be_batched(header, record.bytes) ||
      whole_words(record.bytes) > batch.size() - begin) {
    throw BadMessage(ImageId{source}, "batched, of kind " +
                                          std::to_string(static_cast<int>(record.kind)) + " with " +
                                          std::to_string(record.bytes) + " bytes of the " +
                                          std::to_string(batch.size() - begin) + " that are there");
  }
  return {.header = header,
          .payload = batch.subspan(begin, record.bytes),
          .next = begin + whole_words(record.bytes)};
}

}  // namespace makespan::pgas
