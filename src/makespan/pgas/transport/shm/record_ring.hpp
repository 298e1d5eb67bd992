// SPDX-License-Identifier: Apache-2.0
#pragma once

// Messages from one image to another through memory that both have mapped.
//
// A ring has one producer and one consumer. A record is a line of 64 bytes (a commit word and the
// message's header) and the payload behind it, up to the next multiple of 64. The commit word is
// written last: as long as it is 0 there is no record, so a producer that dies while it writes
// leaves nothing behind, and its ring is merely empty. Before a record is committed, the word where
// the next one will begin is set to 0, whatever old payload was there. A record never goes around
// the end: the producer leaves what is too short and begins anew at 0.
//
// Nothing in shared memory is an address: each process maps it where it likes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "makespan/pgas/message/wire.hpp"

namespace makespan::pgas {

// Sizes [bytes] of a ring in shared memory.
struct RecordRing {
  // Lines move between cores in pairs on many processors.
  static constexpr std::int64_t alignment = 128;

  // In front of the records: how far the consumer has come.
  static constexpr std::int64_t control_bytes = alignment;

  // The smallest ring that takes `records` messages of `payload_bytes` each once the consumer has
  // caught up, wherever the last one ended; a multiple of `alignment`, as every ring.
  [[nodiscard]] static std::int64_t bytes_for(std::int64_t payload_bytes, std::int64_t records);

  // The longest payload that a ring of `ring_bytes`, at least 256, takes wherever the last one
  // ended.
  [[nodiscard]] static std::int64_t payload_bytes_max(std::int64_t ring_bytes);

  // Of shared memory.
  [[nodiscard]] static std::int64_t memory_bytes(std::int64_t ring_bytes) {
    return control_bytes + ring_bytes;
  }
};

// A place in a ring.
struct RingPosition {
  std::uint64_t bytes_since_begin{0};  // only grows
  std::uint64_t at{0};                 // from the ring's beginning

  // On by `bytes`, at most to the end, which is the beginning again.
  void advance(std::uint64_t bytes, std::uint64_t ring_bytes) {
    bytes_since_begin += bytes;
    at += bytes;
    if (at == ring_bytes) at = 0;
  }
};

// Whether publishing a record is ordered before what the producer reads next.
enum class PublishOrder : std::uint8_t {
  plain,         // no: the consumer sees the whole record or nothing, and that is all
  before_loads,  // yes, sequentially consistent loads: for asking whether the consumer sleeps
};

// The writing end. One thread at a time.
class RingProducer {
 public:
  RingProducer() = default;  // of no ring; to be assigned to

  // `memory` has RecordRing::memory_bytes() bytes, all 0 when the ring is new; its two ends are
  // made once.
  explicit RingProducer(std::span<std::byte> memory);

  // Writes a record that nobody sees before publish(); another stage() writes over it. False if
  // there is no room now: nothing was done.
  [[nodiscard]] bool stage(WireHeader const& header, std::span<std::byte const> payload);

  // Shows the consumer what stage() wrote.
  void publish(PublishOrder order);

 private:
  [[nodiscard]] bool has_room(std::uint64_t bytes);

  std::byte* control_{};
  std::byte* records_{};
  std::uint64_t ring_bytes_{0};
  RingPosition tail_;              // where the next record begins
  std::uint64_t staged_bytes_{0};  // of the record there; 0: none is staged
  std::uint64_t staged_payload_{0};
  std::uint64_t head_seen_{0};  // bytes since the beginning that the consumer has taken, at least
};

// The reading end. One thread at a time.
class RingConsumer {
 public:
  struct Record {
    WireHeader header;
    std::span<std::byte const> payload;  // in the ring, until pop()
  };

  RingConsumer() = default;
  explicit RingConsumer(std::span<std::byte> memory);  // as for the producer

  // The oldest record that was published; nothing if there is none. Sequentially consistent, so
  // that it can be asked after saying that one is about to sleep.
  [[nodiscard]] std::optional<Record> front();

  // Takes the record of front() out. Its room goes back to the producer now and then.
  void pop();

  // Gives back all room at once: for when there is nothing more to do.
  void release_room();

 private:
  std::byte* control_{};
  std::byte* records_{};
  std::uint64_t ring_bytes_{0};
  RingPosition head_;               // where the next record begins
  std::uint64_t head_released_{0};  // bytes since the beginning, as far as the producer knows
};

}  // namespace makespan::pgas
