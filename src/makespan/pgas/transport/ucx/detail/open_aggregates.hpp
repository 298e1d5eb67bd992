// SPDX-License-Identifier: Apache-2.0
#pragma once

// Aggregates that wait for more messages, one for each way out: an image and a stream.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "makespan/pgas/task/spin_lock.hpp"
#include "makespan/pgas/transport/ucx/detail/send_slots.hpp"

namespace makespan::pgas {

struct OpenAggregate {
  SpinLock lock;
  std::uint32_t stream{0};  // that its messages are counted in
  // With the lock held:
  SendSlot* slot{};      // null: there is none
  std::size_t bytes{0};  // of the slot's memory that are filled
  std::chrono::steady_clock::time_point begun{};
  bool is_listed{false};
  // For a look without the lock.
  std::atomic<bool> is_open{false};
};

// Callable from any thread.
class OpenAggregates {
 public:
  OpenAggregates(std::size_t images, std::uint32_t streams)
      : streams_{streams}, aggregates_(images * streams) {
    for (std::size_t at = 0; at < aggregates_.size(); ++at) {
      aggregates_[at].stream = static_cast<std::uint32_t>(at % streams);
    }
  }

  [[nodiscard]] OpenAggregate& of(int image, std::uint32_t stream) {
    return aggregates_[static_cast<std::size_t>(image) * streams_ + stream];
  }

  // Lists an aggregate of which the lock is held, unless it is listed.
  void list(OpenAggregate& aggregate) {
    if (aggregate.is_listed) return;
    std::scoped_lock const lock(lock_);
    listed_.push_back(&aggregate);
    aggregate.is_listed = true;
    count_.store(listed_.size(), std::memory_order_release);
  }

  [[nodiscard]] bool is_empty() const { return count_.load(std::memory_order_acquire) == 0; }

  // Calls send(aggregate) for each that is listed, with its lock held. One for which it says false
  // stays listed.
  template <class Send>
  void send_all(Send&& send) {
    std::vector<OpenAggregate*> all;
    {
      std::scoped_lock const lock(lock_);
      all.swap(listed_);
      count_.store(0, std::memory_order_release);
    }
    for (OpenAggregate* const aggregate : all) {
      std::scoped_lock const lock(aggregate->lock);
      aggregate->is_listed = false;
      if (aggregate->slot != nullptr && !send(*aggregate)) list(*aggregate);
    }
    std::scoped_lock const lock(lock_);
    if (listed_.empty() && listed_.capacity() < all.capacity()) {  // keeps its memory
      all.clear();
      listed_.swap(all);
    }
  }

 private:
  std::size_t streams_;
  std::vector<OpenAggregate> aggregates_;
  SpinLock lock_;
  std::vector<OpenAggregate*> listed_;  // with the lock held
  std::atomic<std::size_t> count_{0};
};

}  // namespace makespan::pgas
