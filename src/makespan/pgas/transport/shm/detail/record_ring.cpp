// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/shm/detail/record_ring.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <limits>
#include <string>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/transport/shm/detail/streaming_copy.hpp"
#include "makespan/pgas/transport/word_copy.hpp"

namespace makespan::pgas {

namespace {

// The lap, and in the lower half the length of the payload, with a bit for one that lies in the
// header: where a message ends does not depend on what the header says.
using CommitWord = std::uint64_t;
constexpr std::uint64_t in_header_bit = std::uint64_t{1} << 31U;

constexpr std::uint64_t slot_bytes = 64;
static_assert(sizeof(CommitWord) + sizeof(WireHeader) <= slot_bytes);

// In front of the slots, with room for the pair of lines.
constexpr std::uint64_t control_bytes = RecordRing::alignment;

constexpr std::uint64_t payload_alignment = 16;

// From here on a payload is streamed: below, the call costs more than it saves.
constexpr std::size_t streamed_bytes_min = 4096;

constexpr std::uint64_t rounded_up(std::uint64_t value, std::uint64_t step) {
  return (value + step - 1) / step * step;
}

std::atomic_ref<std::uint64_t> word_at(std::byte* place) {
  return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(place));
}

std::atomic_ref<CommitWord> commit_word(RingPlace const& place, std::uint64_t slot) {
  return word_at(place.slots + slot * slot_bytes);
}

std::byte* header_at(RingPlace const& place, std::uint64_t slot) {
  return place.slots + slot * slot_bytes + sizeof(CommitWord);
}

CommitWord commit_of(std::uint32_t lap, std::uint64_t length, bool is_in_header) {
  return CommitWord{lap} << 32U | length | (is_in_header ? in_header_bit : 0);
}

std::uint32_t lap_of(CommitWord word) {
  return static_cast<std::uint32_t>(word >> 32U);
}

bool is_in_header(CommitWord word) {
  return (word & in_header_bit) != 0;
}

std::uint64_t length_of(CommitWord word) {
  std::uint64_t const length = static_cast<std::uint32_t>(word & ~in_header_bit);
  // No longer than the fields that it lies in, whatever the word says.
  return is_in_header(word) ? std::min<std::uint64_t>(length, spare_header_bytes) : length;
}

// Which the ring takes wherever the last one ended: see RecordRing::payload_bytes_max().
std::uint64_t longest_payload(RingPlace const& place) {
  return place.payload_bytes / 2;
}

}  // namespace

std::int64_t RecordRing::slots_for(std::int64_t payload_bytes, std::int64_t records) {
  MAKESPAN_EXPECT(0 <= payload_bytes);
  MAKESPAN_EXPECT(payload_bytes <= std::numeric_limits<std::uint32_t>::max() / 2);
  MAKESPAN_EXPECT(records >= 1);
  auto const length = rounded_up(static_cast<std::uint64_t>(payload_bytes), payload_alignment);
  // One more, since up to almost one may be left unused at the end of the area.
  std::uint64_t const area = (static_cast<std::uint64_t>(records) + 1) * length;
  std::uint64_t const slots =
      rounded_up(area, std::uint64_t{payload_bytes_per_slot}) / payload_bytes_per_slot;
  return checked_cast<std::int64_t>(
      rounded_up(std::max(slots, static_cast<std::uint64_t>(records)), 2));
}

std::int64_t RecordRing::payload_bytes_max(std::int64_t slots) {
  // A payload begins at a multiple of the alignment, so all but one such step may be left unused.
  std::int64_t const step = payload_alignment;
  return (slots * payload_bytes_per_slot + step) / 2 / step * step;
}

std::int64_t RecordRing::memory_bytes(std::int64_t slots) {
  MAKESPAN_EXPECT(slots >= 1);
  return std::int64_t{control_bytes} + slots * (std::int64_t{slot_bytes} + payload_bytes_per_slot);
}

RingPlace::RingPlace(std::span<std::byte> memory)
    : taken{memory.data()},
      slots{memory.data() + control_bytes},
      slot_count{(memory.size() - control_bytes) /
                 (slot_bytes + RecordRing::payload_bytes_per_slot)},
      payload_bytes{slot_count * RecordRing::payload_bytes_per_slot} {
  MAKESPAN_EXPECT(reinterpret_cast<std::uintptr_t>(taken) % slot_bytes == 0);
  MAKESPAN_EXPECT(slot_count > 0);
  MAKESPAN_EXPECT(memory.size() == static_cast<std::size_t>(RecordRing::memory_bytes(
                                       static_cast<std::int64_t>(slot_count))));
  payloads = slots + slot_count * slot_bytes;
}

std::uint64_t RingPosition::payload_begin(RingPlace const& place, std::uint64_t length) const {
  return rounded_up(length, payload_alignment) <= place.payload_bytes - payload_at ? payload_at : 0;
}

RingPosition RingPosition::after(RingPlace const& place, std::uint64_t length) const {
  RingPosition next = *this;
  ++next.messages;
  if (++next.slot == place.slot_count) {
    next.slot = 0;
    ++next.lap;
  }
  // A payload is never cut in two, so that it can be delivered where it lies.
  if (payload_begin(place, length) != payload_at) {  // the rest of the area is left unused
    next.payload_bytes += place.payload_bytes - payload_at;
    next.payload_at = 0;
  }
  next.payload_bytes += rounded_up(length, payload_alignment);
  next.payload_at += rounded_up(length, payload_alignment);
  return next;
}

bool RingProducer::has_room(RingPosition const& next) {
  auto const fits = [&] {
    return next.messages - messages_taken_ <= place_.slot_count &&
           next.payload_bytes - payload_taken_ <= place_.payload_bytes;
  };
  // Nearly always: the two words are the consumer's, and their line is fetched only if need be.
  if (fits()) return true;
  // Acquire: the consumer's reads of the room happened before we write there.
  messages_taken_ = word_at(place_.taken).load(std::memory_order_acquire);
  payload_taken_ = word_at(place_.taken + sizeof(std::uint64_t)).load(std::memory_order_acquire);
  return fits();
}

bool RingProducer::stage(WireHeader const& header, std::span<std::byte const> payload) {
  MAKESPAN_EXPECT(payload.size() <= longest_payload(place_));
  bool const lies_in_header = fits_into_header(header.kind, payload.size());
  std::uint64_t const in_area = lies_in_header ? 0 : payload.size();
  RingPosition const next = tail_.after(place_, in_area);
  if (!has_room(next)) return false;
  std::byte* const header_place = header_at(place_, tail_.slot);
  std::memcpy(header_place, &header, sizeof(header));
  std::byte* const destination = place_.payloads + tail_.payload_begin(place_, in_area);
  if (lies_in_header) {
    std::ranges::copy(payload, header_place + spare_header_offset);
  } else if (payload.size() >= streamed_bytes_min) {
    streaming_copy(destination, payload.data(), payload.size());
  } else {
    copy_words(destination, payload);
  }
  // Not yet in the slot: until publish() the consumer sees the word of a lap before.
  staged_commit_ = commit_of(tail_.lap, payload.size(), lies_in_header);
  staged_next_ = next;
  return true;
}

void RingProducer::publish(PublishOrder order) {
  MAKESPAN_EXPECT(staged_next_.messages == tail_.messages + 1);
  auto const word = commit_word(place_, tail_.slot);
  // Release at least: a thread that sees the word sees header and payload.
  if (order == PublishOrder::before_loads) {
    word.store(staged_commit_, std::memory_order_seq_cst);
  } else {
    word.store(staged_commit_, std::memory_order_release);
  }
  tail_ = staged_next_;
}

std::optional<RingConsumer::Record> RingConsumer::front() {
  CommitWord const word = commit_word(place_, head_.slot).load(std::memory_order_seq_cst);
  if (lap_of(word) != head_.lap) return std::nullopt;
  std::uint64_t const length = length_of(word);
  // Before anything is counted on by it: behind such a message the position would be none of the
  // ring, and what follows would be read beside it. So this one is never passed.
  std::uint64_t const length_max = longest_payload(place_);
  if (length > length_max) {
    throw BadMessage(source_, "in shared memory, of " + std::to_string(length) +
                                  " bytes, and its ring takes " + std::to_string(length_max));
  }
  std::byte const* const header_place = header_at(place_, head_.slot);
  auto const& header = *reinterpret_cast<WireHeader const*>(header_place);
  std::uint64_t const in_area = is_in_header(word) ? 0 : length;
  next_ = head_.after(place_, in_area);
  std::byte const* const payload = is_in_header(word)
                                       ? header_place + spare_header_offset
                                       : place_.payloads + head_.payload_begin(place_, in_area);
  // Within the ring, and perhaps longer than a message may be: is_within() looks before a byte of
  // it is read.
  return Record{.header = header, .payload = {payload, length}};
}

void RingConsumer::pop() {
  MAKESPAN_EXPECT(next_.messages == head_.messages + 1);
  head_ = next_;
  // Not each time: a producer that waits for room reads these words, and would take their line from
  // us after every message.
  if (head_.messages - messages_released_ >= place_.slot_count / 8 ||
      head_.payload_bytes - payload_released_ >= place_.payload_bytes / 8) {
    release_room();
  }
}

void RingConsumer::release_room() {
  if (head_.messages == messages_released_) return;
  // Release: our reads of the room happened before the producer writes there.
  // Two stores need no order: a producer that sees one of them only finds less room than there is.
  word_at(place_.taken).store(head_.messages, std::memory_order_release);
  word_at(place_.taken + sizeof(std::uint64_t))
      .store(head_.payload_bytes, std::memory_order_release);
  messages_released_ = head_.messages;
  payload_released_ = head_.payload_bytes;
}

}  // namespace makespan::pgas
