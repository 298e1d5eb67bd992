// SPDX-License-Identifier: Apache-2.0
#pragma once

// A queue with two ends: its owner puts in and takes out at the bottom, other threads steal from
// the top, without locks.
//
// The algorithm is that of D. Chase and Y. Lev, "Dynamic Circular Work-Stealing Deque" (SPAA 2005),
// section 2, with the memory orders of N. M. Lê, A. Pop, A. Cohen and F. Zappa Nardelli, "Correct
// and Efficient Work-Stealing for Weak Memory Models" (PPoPP 2013), figure 1. We deviate twice. It
// does not grow: push() to a full deque returns false, and the caller waits. And where the paper
// has fences, we have sequentially consistent loads and stores of `top_` and `bottom_`, which order
// no less: the thread sanitizer does not understand fences, and on x86 the code is the same but for
// one xchg in place of a store and an mfence.

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "makespan/base/contracts.hpp"

namespace makespan::pgas {

enum class StealOutcome : std::uint8_t {
  got,    // one item came out
  empty,  // there was nothing
  busy,   // another thread was faster: there may be more
};

// Of pointers to T. push() and take() are for one thread at a time, the owner. The next owner must
// have synchronised with the last one (a lock does). Any thread may steal(), the owner too.
// Allocates at construction only.
template <class T>
class ChaseLevDeque {
 public:
  // Room for `capacity` items, a power of two.
  explicit ChaseLevDeque(std::int64_t capacity)
      : mask_{static_cast<std::uint64_t>(capacity) - 1},
        slots_{std::make_unique<std::atomic<T*>[]>(static_cast<std::size_t>(capacity))} {
    MAKESPAN_EXPECT(capacity > 0);
    MAKESPAN_EXPECT(std::has_single_bit(static_cast<std::uint64_t>(capacity)));
  }
  ChaseLevDeque(ChaseLevDeque const&) = delete;
  ChaseLevDeque& operator=(ChaseLevDeque const&) = delete;

  [[nodiscard]] std::int64_t capacity() const { return static_cast<std::int64_t>(mask_) + 1; }

  // How many items there are; when others steal meanwhile, how many there were at most.
  [[nodiscard]] std::int64_t size() const {
    // Relaxed: nothing is read on the strength of it. Top first: an item that leaves in between can
    // only make the result too large.
    std::int64_t const top = top_.load(std::memory_order_relaxed);
    std::int64_t const bottom = bottom_.load(std::memory_order_relaxed);
    return bottom > top ? bottom - top : 0;
  }

  // False: full, nothing was done.
  [[nodiscard]] bool push(T& item) {
    // Relaxed: only the owner writes it.
    std::int64_t const bottom = bottom_.load(std::memory_order_relaxed);
    // Acquire: the thief that moved `top_` has read the slot that we are about to write.
    std::int64_t const top = top_.load(std::memory_order_acquire);
    if (bottom - top >= capacity()) return false;
    // Relaxed: the store below publishes it.
    slot(bottom).store(&item, std::memory_order_relaxed);
    // Release: a thread that sees the new bottom sees the slot, and what the item points to.
    bottom_.store(bottom + 1, std::memory_order_release);
    return true;
  }

  // The item that was pushed last, or null if there is none.
  [[nodiscard]] T* take() {
    std::int64_t const bottom = bottom_.load(std::memory_order_relaxed) - 1;
    // Sequentially consistent, as are the two loads in steal(): either a thief sees that the last
    // item is spoken for, or this thread sees that the thief has moved `top_`.
    bottom_.store(bottom, std::memory_order_seq_cst);
    std::int64_t top = top_.load(std::memory_order_seq_cst);
    if (top > bottom) {  // it was empty
      restore_bottom(bottom + 1);
      return nullptr;
    }
    // Relaxed: this thread wrote it, or synchronised with the owner that did.
    T* const item = slot(bottom).load(std::memory_order_relaxed);
    if (top < bottom) return item;  // thieves cannot come as far as here
    // The last item: thieves want it too, and `top_` decides. Relaxed on failure: nothing is read.
    bool const is_ours = top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst,
                                                      std::memory_order_relaxed);
    restore_bottom(bottom + 1);
    return is_ours ? item : nullptr;
  }

  // The item that was pushed first goes to `item`, which is left alone if there is none. Callable
  // from any thread. Never waits: some thread made progress whenever it says `busy`.
  [[nodiscard]] StealOutcome steal(T*& item) {
    std::int64_t top = top_.load(std::memory_order_seq_cst);  // see take()
    std::int64_t const bottom =
        bottom_.load(std::memory_order_seq_cst);  // acquires what push() wrote
    if (top >= bottom) return StealOutcome::empty;
    // Relaxed: ordered by `bottom_`. It may be gone already, and the slot hold another item: then
    // `top_` has moved and the exchange fails.
    T* const candidate = slot(top).load(std::memory_order_relaxed);
    if (!top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst,
                                      std::memory_order_relaxed)) {
      return StealOutcome::busy;
    }
    item = candidate;
    return StealOutcome::got;
  }

 private:
  static constexpr std::size_t cache_line_bytes = 64;

  // Relaxed: a thief that reads this value sees top == bottom, or has an outdated top with which
  // its exchange fails; it uses no item on the strength of it.
  void restore_bottom(std::int64_t bottom) { bottom_.store(bottom, std::memory_order_relaxed); }

  [[nodiscard]] std::atomic<T*>& slot(std::int64_t at) const {
    return slots_[static_cast<std::size_t>(static_cast<std::uint64_t>(at) & mask_)];
  }

  // Items are at top … bottom-1, modulo the capacity. Neither wraps: 2^63 pushes take centuries.
  // On lines of their own, since thieves write one and the owner the other.
  alignas(cache_line_bytes) std::atomic<std::int64_t> top_{0};
  alignas(cache_line_bytes) std::atomic<std::int64_t> bottom_{0};
  alignas(cache_line_bytes) std::uint64_t mask_;
  std::unique_ptr<std::atomic<T*>[]> slots_;
};

}  // namespace makespan::pgas
