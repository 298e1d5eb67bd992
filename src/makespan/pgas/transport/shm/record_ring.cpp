// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/shm/record_ring.hpp"

#include <atomic>
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

constexpr std::uint64_t rounded_up(std::uint64_t bytes, std::uint64_t step = line_bytes) {
  return (bytes + step - 1) / step * step;
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
  return checked_cast<std::int64_t>(rounded_up(bytes, std::uint64_t{alignment}));
}

std::int64_t RecordRing::payload_bytes_max(std::int64_t ring_bytes) {
  MAKESPAN_EXPECT(ring_bytes >= std::int64_t{4 * line_bytes});
  // bytes_for(payload, 1), the other way round.
  auto const lines = (static_cast<std::uint64_t>(ring_bytes) - line_bytes) / (2 * line_bytes);
  return checked_cast<std::int64_t>(lines * line_bytes - header_bytes);
}

RingProducer::RingProducer(std::span<std::byte> memory)
    : control_{memory.data()},
      records_{memory.data() + RecordRing::control_bytes},
      ring_bytes_{memory.size() - std::size_t{RecordRing::control_bytes}} {
  MAKESPAN_EXPECT(memory.size() > std::size_t{RecordRing::control_bytes});
  MAKESPAN_EXPECT(ring_bytes_ % std::size_t{RecordRing::alignment} == 0);
  MAKESPAN_EXPECT(reinterpret_cast<std::uintptr_t>(control_) % line_bytes == 0);
}

bool RingProducer::has_room(std::uint64_t bytes) {
  std::uint64_t const end = tail_.bytes_since_begin + bytes;
  if (end - head_seen_ <= ring_bytes_) return true;
  // Acquire: the consumer's reads of the room happened before we write there.
  head_seen_ = word_at(control_).load(std::memory_order_acquire);
  return end - head_seen_ <= ring_bytes_;
}

bool RingProducer::stage(WireHeader const& header, std::span<std::byte const> payload) {
  std::uint64_t const bytes = record_bytes(payload.size());
  std::uint64_t const to_end = ring_bytes_ - tail_.at;
  std::uint64_t const skipped = bytes > to_end ? to_end : 0;
  if (!has_room(skipped + bytes + line_bytes)) return false;

  if (skipped > 0) {
    // Relaxed: the release after it publishes the 0.
    word_at(records_).store(0, std::memory_order_relaxed);
    word_at(records_ + tail_.at).store(rest_is_skipped, std::memory_order_release);
    tail_.advance(skipped, ring_bytes_);
  }
  RingPosition next = tail_;
  next.advance(bytes, ring_bytes_);
  // Relaxed: publish() releases it.
  word_at(records_ + next.at).store(0, std::memory_order_relaxed);
  std::byte* const place = records_ + tail_.at;
  std::memcpy(place + sizeof(CommitWord), &header, sizeof(header));
  if (!payload.empty()) std::memcpy(place + header_bytes, payload.data(), payload.size());
  staged_bytes_ = bytes;
  staged_payload_ = payload.size();
  return true;
}

void RingProducer::publish(PublishOrder order) {
  MAKESPAN_EXPECT(staged_bytes_ > 0);
  auto const word = word_at(records_ + tail_.at);
  // Release at least: whoever sees the word sees the record, and the 0 behind it.
  if (order == PublishOrder::before_loads) {
    word.store(staged_payload_ + 1, std::memory_order_seq_cst);
  } else {
    word.store(staged_payload_ + 1, std::memory_order_release);
  }
  tail_.advance(staged_bytes_, ring_bytes_);
  staged_bytes_ = 0;
}

RingConsumer::RingConsumer(std::span<std::byte> memory)
    : control_{memory.data()},
      records_{memory.data() + RecordRing::control_bytes},
      ring_bytes_{memory.size() - std::size_t{RecordRing::control_bytes}} {
  MAKESPAN_EXPECT(memory.size() > std::size_t{RecordRing::control_bytes});
  MAKESPAN_EXPECT(ring_bytes_ % std::size_t{RecordRing::alignment} == 0);
  MAKESPAN_EXPECT(reinterpret_cast<std::uintptr_t>(control_) % line_bytes == 0);
}

std::optional<RingConsumer::Record> RingConsumer::front() {
  CommitWord word = word_at(records_ + head_.at).load(std::memory_order_seq_cst);
  if (word == rest_is_skipped) {
    head_.advance(ring_bytes_ - head_.at, ring_bytes_);
    word = word_at(records_).load(std::memory_order_seq_cst);
  }
  if (word == 0) return std::nullopt;
  std::byte const* const place = records_ + head_.at;
  Record record;
  std::memcpy(&record.header, place + sizeof(CommitWord), sizeof(record.header));
  record.payload = {place + header_bytes, word - 1};
  return record;
}

void RingConsumer::pop() {
  // Relaxed: front() has seen it.
  CommitWord const word = word_at(records_ + head_.at).load(std::memory_order_relaxed);
  MAKESPAN_EXPECT(word != 0 && word != rest_is_skipped);
  head_.advance(record_bytes(word - 1), ring_bytes_);
  // Not each time: a producer that waits for room reads this word, and would take its line from us
  // after every record.
  if (head_.bytes_since_begin - head_released_ >= ring_bytes_ / 8) release_room();
}

void RingConsumer::release_room() {
  if (head_.bytes_since_begin == head_released_) return;
  // Release: our reads of the room happened before the producer writes there.
  word_at(control_).store(head_.bytes_since_begin, std::memory_order_release);
  head_released_ = head_.bytes_since_begin;
}

}  // namespace makespan::pgas
