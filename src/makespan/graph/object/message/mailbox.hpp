// SPDX-License-Identifier: Apache-2.0
#pragma once

// Envelopes for one place, from any thread of its image.

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

#include "makespan/graph/object/message/envelope.hpp"
#include "makespan/pgas/task/spin_lock.hpp"

namespace makespan::graph {

// Holds as many as come: what limits them is what objects have to say in a phase. A list of
// segments of slots, as folly's UnboundedQueue: senders write one slot after the other under a lock
// that the owner never takes, and the owner reads a slot once it is said to be full. So a message
// moves the two cache lines of its slot between the cores, and nothing else. A sender that is
// stopped while it holds the lock keeps the others waiting, and hides no message that was put in
// before. Tested by tests/graph/object/message/mailbox_test.cpp.
class Mailbox {
 public:
  Mailbox() = default;
  Mailbox(Mailbox const&) = delete;
  Mailbox& operator=(Mailbox const&) = delete;
  ~Mailbox() {
    while (front() != nullptr) pop();
    delete spare_.load(std::memory_order_relaxed);
    delete reading_;  // the last: front() has gone on as far as there are others
  }

  // Callable from any thread. Throws std::bad_alloc, and then has put nothing in.
  void put(Envelope envelope) {
    std::scoped_lock const lock(senders_);
    if (written_ == slots_each) {
      Segment* const next = new_segment();
      // The last that senders do with it: the owner frees it once it has gone on.
      writing_->next.store(next, std::memory_order_release);
      writing_ = next;
      written_ = 0;
    }
    Slot& slot = writing_->slots[written_++];
    std::construct_at(&slot.envelope, std::move(envelope));
    slot.is_full.store(true, std::memory_order_release);
  }

  // The owner's. What it does not see now it sees next time.
  [[nodiscard]] bool has_message() { return front() != nullptr; }

  // The owner's: the first of those that are there, in the order in which they were put in. Null if
  // there is none.
  [[nodiscard]] Envelope* front() {
    if (read_ == slots_each) {
      Segment* const next = reading_->next.load(std::memory_order_acquire);
      if (next == nullptr) return nullptr;
      keep_spare(std::exchange(reading_, next));
      read_ = 0;
    }
    Slot& slot = reading_->slots[read_];
    if (!slot.is_full.load(std::memory_order_acquire)) return nullptr;
    // It comes from the sender's core while the slot's other line does.
    __builtin_prefetch(slot.envelope.payload.get());
    return &slot.envelope;
  }
  // The owner's: forgets what front() gave.
  void pop() {
    Slot& slot = reading_->slots[read_++];
    std::destroy_at(&slot.envelope);
    // Senders come to this slot again by way of spare_ alone, whose exchange publishes it.
    slot.is_full.store(false, std::memory_order_relaxed);
  }

 private:
  // The payload is on the line that the owner looks at.
  struct alignas(64) Slot {
    Slot() {}
    ~Slot() {}
    Slot(Slot const&) = delete;
    Slot& operator=(Slot const&) = delete;
    union {
      Envelope envelope;  // where it is full
    };
    std::atomic<bool> is_full{false};
  };
  static_assert(sizeof(Slot) == 128);
  static constexpr std::size_t slots_each = 32;  // of a segment: 4 KiB
  struct Segment {
    std::array<Slot, slots_each> slots{};
    std::atomic<Segment*> next{nullptr};
  };

  // One that was read comes back to be written, so that a mailbox that is read as fast as it is
  // written allocates nothing.
  [[nodiscard]] Segment* new_segment() {
    Segment* const spare = spare_.exchange(nullptr, std::memory_order_acquire);
    return spare != nullptr ? spare : new Segment;
  }
  void keep_spare(Segment* segment) {
    segment->next.store(nullptr, std::memory_order_relaxed);
    delete spare_.exchange(segment, std::memory_order_acq_rel);
  }

  // The owner's.
  alignas(128) Segment* reading_{new Segment};
  std::size_t read_{0};
  // The senders', under the lock.
  alignas(128) pgas::SpinLock senders_{};
  Segment* writing_{reading_};
  std::size_t written_{0};
  alignas(128) std::atomic<Segment*> spare_{nullptr};
};

}  // namespace makespan::graph
