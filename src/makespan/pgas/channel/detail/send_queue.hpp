// SPDX-License-Identifier: Apache-2.0
#pragma once

// Answers that a link had no room for. The thread that drives progress must never wait for room,
// since the other side may be waiting for it to drive progress; so an answer that cannot go now is
// kept.
//
// How much can pile up is bounded by what others may have under way: their tables of waiting
// operations and their credits for calls.

#include <atomic>
#include <cstddef>
#include <deque>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/message/wire.hpp"
#include "makespan/pgas/task/spin_lock.hpp"
#include "makespan/pgas/transport/link.hpp"

namespace makespan::pgas {

// Callable from any thread, under the rules of the links. Allocates only when a link has no room.
class SendQueue {
 public:
  // The link to each image, by image; null where there is none.
  explicit SendQueue(std::vector<Link*> routes)
      : routes_{std::move(routes)}, has_no_room_(routes_.size()) {}

  [[nodiscard]] Link& route(ImageId to) const {
    return *routes_[static_cast<std::size_t>(to.value())];
  }

  // Sends, or keeps.
  void send(ImageId to, WireHeader const& header, std::span<std::byte const> payload);

  // Sends what was kept, as far as there is room, in order for each image. Returns how many
  // messages went.
  int send_kept();

  // Without the lock: every round of progress asks. Another thread's message may be a moment late.
  [[nodiscard]] bool is_empty() const { return count_.load(std::memory_order_acquire) == 0; }

  // Drops what was kept for a lost image.
  void abandon(ImageId image);

 private:
  struct Kept {
    ImageId to;
    WireHeader header;
    std::vector<std::byte> payload;
  };

  std::vector<Link*> routes_;
  SpinLock lock_;
  std::deque<Kept> kept_;
  std::atomic<std::size_t> count_{0};  // of what is kept; written with the lock held
  std::vector<bool> has_no_room_;      // by image; while sending
};

}  // namespace makespan::pgas
