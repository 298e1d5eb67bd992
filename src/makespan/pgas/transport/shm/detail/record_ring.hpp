// SPDX-License-Identifier: Apache-2.0
#pragma once

// Messages from one image to another through memory that both have mapped.
//
// A ring has one producer and one consumer. It consists of slots, one for each message, and of an
// area for payloads. A slot is one line of 64 bytes: a commit word and the message's header. The
// payload lies in the area, behind that of the message before, or at the area's beginning if it
// does not fit behind it; the consumer counts along, so that only its length has to be told. A
// short payload of a call or its answer lies in the header itself, in fields that these do not use.
// The commit word is written last and tells the length and the lap, how often the slots have been
// gone through: without this lap's number there is no message. So a producer that dies while it
// writes leaves nothing behind; its ring is merely empty. Slots are never written over with
// anything else, so that they need no clearing, and a message moves as few cache lines between
// cores as possible.
//
// Nothing in shared memory is an address: each process maps it where it likes.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/message/wire.hpp"

namespace makespan::pgas {

// Sizes of a ring in shared memory.
struct RecordRing {
  // [bytes]. Lines move between cores in pairs on many processors.
  static constexpr std::int64_t alignment = 128;

  // [bytes]. For each slot, so that a ring of messages of that size is full at both places at once.
  static constexpr std::int64_t payload_bytes_per_slot = 256;

  // The smallest even number of slots with which a ring takes `records` messages of `payload_bytes`
  // each once the consumer has caught up, wherever the last payload ended.
  [[nodiscard]] static std::int64_t slots_for(std::int64_t payload_bytes, std::int64_t records);

  // The longest payload [bytes] that a ring takes wherever the last one ended.
  [[nodiscard]] static std::int64_t payload_bytes_max(std::int64_t slots);

  // Of shared memory, a multiple of `alignment` for an even number of slots.
  [[nodiscard]] static std::int64_t memory_bytes(std::int64_t slots);
};

// Where a ring's parts are in this process.
struct RingPlace {
  RingPlace() = default;
  // `memory` has RecordRing::memory_bytes() bytes.
  explicit RingPlace(std::span<std::byte> memory);

  std::byte* taken{};  // two words by the consumer: messages and payload bytes that it has taken
  std::byte* slots{};
  std::byte* payloads{};
  std::uint64_t slot_count{0};
  std::uint64_t payload_bytes{0};
};

// How far one of the two ends has come; both count in the same way.
struct RingPosition {
  std::uint64_t messages{0};       // since the beginning
  std::uint64_t slot{0};           // of the next message
  std::uint32_t lap{1};            // modulo 2^32
  std::uint64_t payload_bytes{0};  // since the beginning, with what was left unused
  std::uint64_t payload_at{0};     // where the area goes on

  // Where a payload of this length begins. It takes up all from payload_at on, if it begins there,
  // or what is left there, too.
  [[nodiscard]] std::uint64_t payload_begin(RingPlace const& place, std::uint64_t length) const;
  // Behind a message with a payload of this length.
  [[nodiscard]] RingPosition after(RingPlace const& place, std::uint64_t length) const;
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
  explicit RingProducer(std::span<std::byte> memory) : place_(memory) {}

  // Writes a message that the consumer does not see before publish(); another stage() writes over
  // it. False if there is no room now: nothing was done.
  [[nodiscard]] bool stage(WireHeader const& header, std::span<std::byte const> payload);

  // Shows the consumer what stage() wrote.
  void publish(PublishOrder order);

 private:
  [[nodiscard]] bool has_room(RingPosition const& next);

  RingPlace place_;
  RingPosition tail_;
  // Of the message that is staged; if none is, staged_next_ is not one message on.
  RingPosition staged_next_;
  std::uint64_t staged_commit_{0};
  // What the consumer has taken, at least.
  std::uint64_t messages_taken_{0};
  std::uint64_t payload_taken_{0};
};

// The reading end. One thread at a time.
class RingConsumer {
 public:
  // In the ring, until pop(). The header's last fields may hold the payload (fits_into_header).
  struct Record {
    WireHeader const& header;
    std::span<std::byte const> payload;
  };

  RingConsumer() = default;
  // `memory` as for the producer; `source` is the image that writes, as errors name it.
  explicit RingConsumer(std::span<std::byte> memory, ImageId source = {})
      : place_(memory), source_{source} {}

  // The oldest message that was published; nothing if there is none. Sequentially consistent, so
  // that it can be asked after saying that one is about to sleep. Throws BadMessage, now and at
  // each later call, at one that is longer than any that the ring takes: it has come to its end.
  [[nodiscard]] std::optional<Record> front();

  // Takes out the message that front() showed. Its room goes back to the producer now and then.
  void pop();

  // Gives back all room at once: for when there is nothing more to do.
  void release_room();

 private:
  RingPlace place_;
  ImageId source_;
  RingPosition head_;
  RingPosition next_;  // behind the message that front() showed; if there is none, not one on
  // What the producer knows that was taken.
  std::uint64_t messages_released_{0};
  std::uint64_t payload_released_{0};
};

}  // namespace makespan::pgas
