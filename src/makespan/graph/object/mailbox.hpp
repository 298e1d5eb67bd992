// SPDX-License-Identifier: Apache-2.0
#pragma once

// Letters for one place, from any thread of its image.

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

#include "makespan/graph/object/letter.hpp"
#include "makespan/pgas/task/spin_lock.hpp"

namespace makespan::graph {

// Holds as many as come: what limits them is what objects have to say in a phase. Tested by
// tests/graph/object/mailbox_test.cpp.
class Mailbox {
 public:
  // Callable from any thread.
  void put(Letter letter) {
    std::scoped_lock const lock(lock_);
    letters_.push_back(std::move(letter));
    has_mail_.store(true, std::memory_order_relaxed);
  }

  // The owner's. Without a lock: what it does not see now it sees next time.
  [[nodiscard]] bool has_mail() const { return has_mail_.load(std::memory_order_relaxed); }

  // The owner's: all that is there, in the order in which it came. `letters` is to be empty; its
  // memory is used again.
  void take_all(std::vector<Letter>& letters) {
    std::scoped_lock const lock(lock_);
    std::swap(letters, letters_);
    has_mail_.store(false, std::memory_order_relaxed);
  }

 private:
  pgas::SpinLock lock_;
  std::vector<Letter> letters_;
  std::atomic<bool> has_mail_{false};
};

}  // namespace makespan::graph
