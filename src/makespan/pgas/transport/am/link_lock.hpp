// SPDX-License-Identifier: Apache-2.0
#pragma once

// A lock that is there only where callers may come at the same time.

#include "makespan/pgas/task/spin_lock.hpp"
#include "makespan/pgas/transport/link.hpp"

namespace makespan::pgas {

// Lockable.
class LinkLock {
 public:
  explicit LinkLock(LinkThreading threading) : is_needed_{threading == LinkThreading::concurrent} {}

  void lock() {
    if (is_needed_) spin_.lock();
  }

  [[nodiscard]] bool try_lock() { return !is_needed_ || spin_.try_lock(); }

  void unlock() {
    if (is_needed_) spin_.unlock();
  }

 private:
  bool is_needed_;
  SpinLock spin_;
};

}  // namespace makespan::pgas
