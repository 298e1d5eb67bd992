// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which images are lost, and why: each entry is written once and read by all threads.

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "makespan/base/ids.hpp"

namespace makespan::pgas {

// Callable from any thread.
class LossBoard {
 public:
  explicit LossBoard(int images) : reasons_(static_cast<std::size_t>(images)) {}

  // A loss is final: the first reason given is kept.
  void note(ImageId image, std::string const& why);

  // Empty while it is well.
  [[nodiscard]] std::string reason(ImageId image) const;

  // The first of them by number, if any.
  [[nodiscard]] std::optional<ImageId> first() const;

  // After it, reason() tells of at least as many.
  [[nodiscard]] int count() const { return count_.load(std::memory_order_acquire); }

 private:
  [[nodiscard]] std::size_t at(ImageId image) const;

  mutable std::mutex mutex_;
  std::vector<std::string> reasons_;  // by image; under mutex_
  std::atomic<int> count_{0};
};

}  // namespace makespan::pgas
