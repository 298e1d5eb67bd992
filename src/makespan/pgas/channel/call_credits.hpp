// SPDX-License-Identifier: Apache-2.0
#pragma once

// How many more remote calls each channel may send to each image before it must wait for a result:
// the back-pressure that keeps the queues of calls bounded.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/ids.hpp"

namespace makespan::pgas {

// Callable from any thread.
class CallCredits {
 public:
  CallCredits(int channels, int images, int calls_each)
      : images_{checked_cast<std::size_t>(images)},
        calls_each_{calls_each},
        credits_(checked_cast<std::size_t>(channels) * checked_cast<std::size_t>(images)) {
    for (auto& credit : credits_) credit.store(calls_each, std::memory_order_relaxed);
  }

  // False when none is left.
  [[nodiscard]] bool take(int channel, ImageId target) {
    std::atomic<int>& credit = at(channel, target);
    int left = credit.load(std::memory_order_relaxed);
    while (left > 0) {
      if (credit.compare_exchange_weak(left, left - 1, std::memory_order_relaxed)) return true;
    }
    return false;
  }

  void give_back(int channel, ImageId target) {
    at(channel, target).fetch_add(1, std::memory_order_relaxed);
  }

  // Whether every call has been answered, also those whose future was dropped, but for those to
  // images of which is_lost(image) says that no answer comes.
  template <class IsLost>
  [[nodiscard]] bool are_home(IsLost const& is_lost) const {
    for (std::size_t at = 0; at < credits_.size(); ++at) {
      if (credits_[at].load(std::memory_order_acquire) == calls_each_) continue;
      if (!is_lost(ImageId{checked_cast<std::int64_t>(at % images_)})) return false;
    }
    return true;
  }

 private:
  // Counts only: what they guard is ordered by the messages themselves.
  [[nodiscard]] std::atomic<int>& at(int channel, ImageId target) {
    return credits_[static_cast<std::size_t>(channel) * images_ +
                    static_cast<std::size_t>(target.value())];
  }

  std::size_t images_;
  int calls_each_;
  std::vector<std::atomic<int>> credits_;
};

}  // namespace makespan::pgas
