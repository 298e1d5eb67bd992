// SPDX-License-Identifier: Apache-2.0
#pragma once

// Requests without a token that were carried out and not yet acknowledged, by the image that sent
// them: one message says it for all of one round of progress.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/ids.hpp"
#include "makespan/pgas/task/spin_lock.hpp"

namespace makespan::pgas {

// Callable from any thread. Allocates nothing after construction.
class Acknowledgements {
 public:
  explicit Acknowledgements(int images) : counts_(checked_cast<std::size_t>(images)) {
    sources_.reserve(counts_.size());
  }

  void note(ImageId source) {
    std::scoped_lock const lock(lock_);
    std::uint64_t& count = counts_[static_cast<std::size_t>(source.value())];
    if (count++ == 0) sources_.push_back(source);
    is_owing_.store(true, std::memory_order_release);
  }

  // Calls tell(source, count) for each image that is owed one. Where it says false, for want of
  // room, the image is still owed as many.
  template <class Tell>
  void tell_all(Tell&& tell) {
    // Without the lock: every round of progress asks. What another thread notes now is told next
    // time.
    if (!is_owing_.load(std::memory_order_acquire)) return;
    std::scoped_lock const lock(lock_);
    std::size_t kept = 0;
    for (ImageId& source : sources_) {
      std::uint64_t& count = counts_[static_cast<std::size_t>(source.value())];
      if (count == 0) continue;  // told before a throw
      if (tell(source, count)) {
        count = 0;
      } else {
        // To the front. A swap, so that a throw later on leaves each in the list once.
        std::swap(sources_[kept++], source);
      }
    }
    sources_.resize(kept);
    // Last: those that a throw left untold are told next time.
    is_owing_.store(kept > 0, std::memory_order_relaxed);
  }

  // Whether an image is owed one. Without the lock, as tell_all().
  [[nodiscard]] bool is_owing() const { return is_owing_.load(std::memory_order_acquire); }

 private:
  SpinLock lock_;
  std::vector<std::uint64_t> counts_;  // by source
  std::vector<ImageId> sources_;       // those whose count is not 0
  std::atomic<bool> is_owing_{false};  // whether there is one; written with the lock held
};

}  // namespace makespan::pgas
