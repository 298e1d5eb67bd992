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
  static constexpr std::size_t slots_each = 32;    // of a segment: 4 KiB
  static constexpr std::size_t spares_max = 1024;  // segments: 4 MiB

  Mailbox() = default;
  Mailbox(Mailbox const&) = delete;
  Mailbox& operator=(Mailbox const&) = delete;
  ~Mailbox() {
    while (front() != nullptr) pop();
    delete_all(spares_);
    delete_all(read_through_.load(std::memory_order_relaxed));
    delete reading_;  // the last: front() has gone on as far as there are others
  }

  // Callable from any thread. Throws std::bad_alloc, and then has put nothing in.
  void put(Envelope&& envelope) {
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
    // Senders come to this slot again by way of read_through_ alone, which publishes it.
    slot.is_full.store(false, std::memory_order_relaxed);
  }

  // The owner's: segments that were read through, and that no sender has come for yet.
  [[nodiscard]] std::size_t spares() const {
    Segment const* const first = read_through_.load(std::memory_order_relaxed);
    return first != nullptr ? first->spares : 0;
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
  struct Segment {
    std::array<Slot, slots_each> slots{};
    std::atomic<Segment*> next{nullptr};  // of the list, or of those that were read through
    std::size_t spares{0};                // the owner's: how many it leads that were read through
  };

  // Those that were read come back to be written, so that a mailbox allocates nothing that is read
  // as fast as it is written, or that was as full in the phase before. All at once: then none can
  // be taken and given back while another thread looks at it.
  [[nodiscard]] Segment* new_segment() {
    if (spares_ == nullptr) spares_ = read_through_.exchange(nullptr, std::memory_order_acquire);
    if (spares_ == nullptr) return new Segment;
    Segment* const first = std::exchange(spares_, spares_->next.load(std::memory_order_relaxed));
    first->next.store(nullptr, std::memory_order_relaxed);
    return first;
  }
  void keep_spare(Segment* segment) {
    Segment* first = read_through_.load(std::memory_order_relaxed);
    do {
      segment->spares = first != nullptr ? first->spares + 1 : 1;
      if (segment->spares > spares_max) {
        delete segment;
        return;
      }
      segment->next.store(first, std::memory_order_relaxed);
    } while (!read_through_.compare_exchange_weak(first, segment, std::memory_order_release,
                                                  std::memory_order_relaxed));
  }
  static void delete_all(Segment* first) {
    while (first != nullptr) {
      delete std::exchange(first, first->next.load(std::memory_order_relaxed));
    }
  }

  // The owner's.
  alignas(128) Segment* reading_{new Segment};
  std::size_t read_{0};
  // The senders', under the lock.
  alignas(128) pgas::SpinLock senders_{};
  Segment* writing_{reading_};
  std::size_t written_{0};
  Segment* spares_{nullptr};
  alignas(128) std::atomic<Segment*> read_through_{nullptr};
};

}  // namespace makespan::graph
