// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/shm/record_ring.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::pgas {

namespace {

using CommitWord = std::uint64_t;

// What a commit word says: 0, nothing yet; payload bytes + 1, a record; this, that the rest of the
// ring up to its end is not used.
constexpr CommitWord rest_is_skipped = ~CommitWord{0};

constexpr std::uint64_t line_bytes = 64;

constexpr std::uint64_t rounded_up(std::uint64_t bytes) {
  return (bytes + line_bytes - 1) & ~(line_bytes - 1);
}

// With the header of today one line, which brings header and commit word in one go.
constexpr std::uint64_t header_bytes = rounded_up(sizeof(CommitWord) + sizeof(WireHeader));

constexpr std::uint64_t record_bytes(std::uint64_t payload_bytes) {
  return header_bytes + rounded_up(payload_bytes);
}

std::atomic_ref<std::uint64_t> word_at(std::byte* place) {
  return std::atomic_ref<std::uint64_t>(*reinterpret_cast<std::uint64_t*>(place));
}

}  // namespace

std::int64_t RecordRing::bytes_for(std::int64_t payload_bytes, std::int64_t records) {
  MAKESPAN_EXPECT(payload_bytes >= 0);
  MAKESPAN_EXPECT(records >= 1);
  // One record more, since up to almost one may be left unused at the end, and the line with the 0
  // that ends it all.
  std::uint64_t const bytes = checked_cast<std::uint64_t>(records + 1) *
                                  record_bytes(static_cast<std::uint64_t>(payload_bytes)) +
                              line_bytes;
  return checked_cast<std::int64_t>(std::bit_ceil(bytes));
}

std::int64_t RecordRing::payload_bytes_max(std::int64_t ring_bytes) {
  // bytes_for(payload, 1), the other way round.
  auto const lines = (static_cast<std::uint64_t>(ring_bytes) - line_bytes) / (2 * line_bytes);
  return checked_cast<std::int64_t>(lines * line_bytes - header_bytes);
}

RingProducer::RingProducer(std::span<std::byte> memory)
    : control_{memory.data()},
      records_{memory.data() + RecordRing::control_bytes},
      ring_bytes_{memory.size() - std::size_t{RecordRing::control_bytes}} {
  MAKESPAN_EXPECT(reinterpret_cast<std::uintptr_t>(control_) % line_bytes == 0);
  MAKESPAN_EXPECT(std::has_single_bit(ring_bytes_));
}

bool RingProducer::has_room(std::uint64_t bytes) {
  // Relaxed is not enough: the consumer's reads of the room must have happened before we write
  // there.
  if (tail_ + bytes - head_seen_ > ring_bytes_) {
    head_seen_ = word_at(control_).load(std::memory_order_acquire);
  }
  return tail_ + bytes - head_seen_ <= ring_bytes_;
}

bool RingProducer::stage(WireHeader const& header, std::span<std::byte const> payload) {
  std::uint64_t const bytes = record_bytes(payload.size());
  std::uint64_t const to_end = ring_bytes_ - (tail_ & (ring_bytes_ - 1));
  std::uint64_t const skipped = bytes > to_end ? to_end : 0;
  if (!has_room(skipped + bytes + line_bytes)) return false;

  if (skipped > 0) {
    // Relaxed: the release after it publishes the 0.
    word_at(records_).store(0, std::memory_order_relaxed);
    word_at(records_ + (tail_ & (ring_bytes_ - 1)))
        .store(rest_is_skipped, std::memory_order_release);
    tail_ += skipped;
  }
  // Relaxed: publish() releases it.
  word_at(records_ + ((tail_ + bytes) & (ring_bytes_ - 1))).store(0, std::memory_order_relaxed);
  std::byte* const place = records_ + (tail_ & (ring_bytes_ - 1));
  std::memcpy(place + sizeof(CommitWord), &header, sizeof(header));
  if (!payload.empty()) std::memcpy(place + header_bytes, payload.data(), payload.size());
  staged_bytes_ = bytes;
  staged_payload_ = payload.size();
  return true;
}

void RingProducer::publish(PublishOrder order) {
  MAKESPAN_EXPECT(staged_bytes_ > 0);
  auto const word = word_at(records_ + (tail_ & (ring_bytes_ - 1)));
  // Release at least: whoever sees the word sees the record, and the 0 behind it.
  if (order == PublishOrder::before_loads) {
    word.store(staged_payload_ + 1, std::memory_order_seq_cst);
  } else {
    word.store(staged_payload_ + 1, std::memory_order_release);
  }
  tail_ += staged_bytes_;
  staged_bytes_ = 0;
}

RingConsumer::RingConsumer(std::span<std::byte> memory)
    : control_{memory.data()},
      records_{memory.data() + RecordRing::control_bytes},
      ring_bytes_{memory.size() - std::size_t{RecordRing::control_bytes}} {
  MAKESPAN_EXPECT(reinterpret_cast<std::uintptr_t>(control_) % line_bytes == 0);
  MAKESPAN_EXPECT(std::has_single_bit(ring_bytes_));
}

std::optional<RingConsumer::Record> RingConsumer::front() {
  CommitWord word = word_at(records_ + (head_ & (ring_bytes_ - 1))).load(std::memory_order_seq_cst);
  if (word == rest_is_skipped) {
    head_ += ring_bytes_ - (head_ & (ring_bytes_ - 1));
    word = word_at(records_).load(std::memory_order_seq_cst);
  }
  if (word == 0) return std::nullopt;
  std::byte const* const place = records_ + (head_ & (ring_bytes_ - 1));
  Record record;
  std::memcpy(&record.header, place + sizeof(CommitWord), sizeof(record.header));
  record.payload = {place + header_bytes, word - 1};
  return record;
}

void RingConsumer::pop() {
  CommitWord const word =
      word_at(records_ + (head_ & (ring_bytes_ - 1))).load(std::memory_order_relaxed);
  MAKESPAN_EXPECT(word != 0 && word != rest_is_skipped);
  head_ += record_bytes(word - 1);
  // Not each time: a producer that waits for room reads this word, and would take its line from us
  // after every record.
  if (head_ - head_released_ >= ring_bytes_ / 8) release_room();
}

void RingConsumer::release_room() {
  if (head_ == head_released_) return;
  // Release: our reads of the room happened before the producer writes there.
  word_at(control_).store(head_, std::memory_order_release);
  head_released_ = head_;
}

}  // namespace makespan::pgas
