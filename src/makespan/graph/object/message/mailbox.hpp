// SPDX-License-Identifier: Apache-2.0
#pragma once

// Envelopes for one place, from any thread of its image.

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "makespan/graph/object/message/envelope.hpp"
#include "makespan/pgas/task/spin_lock.hpp"

namespace makespan::graph {

// Holds as many as come: what limits them is what objects have to say in a phase. Tested by
// tests/graph/object/message/mailbox_test.cpp.
class Mailbox {
 public:
  // Callable from any thread.
  void put(Envelope envelope) {
    std::scoped_lock const lock(lock_);
    envelopes_.push_back(std::move(envelope));
    has_message_.store(true, std::memory_order_relaxed);
  }

  // The owner's. Without a lock: what it does not see now it sees next time.
  [[nodiscard]] bool has_message() const { return has_message_.load(std::memory_order_relaxed); }

  // The owner's: all that is there, in the order in which it came. `envelopes` is to be empty; its
  // memory is used again.
  void take_all(std::vector<Envelope>& envelopes) {
    std::scoped_lock const lock(lock_);
    std::swap(envelopes, envelopes_);
    has_message_.store(false, std::memory_order_relaxed);
  }

 private:
  pgas::SpinLock lock_;
  std::vector<Envelope> envelopes_;
  std::atomic<bool> has_message_{false};
};

}  // namespace makespan::graph
