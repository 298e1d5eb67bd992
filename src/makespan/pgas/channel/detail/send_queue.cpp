// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/channel/detail/send_queue.hpp"

namespace makespan::pgas {

void SendQueue::send(ImageId to, WireHeader const& header, std::span<std::byte const> payload) {
  // Only if nothing is kept: messages to an image stay in order.
  if (is_empty() && route(to).send(to, header, payload) == SendOutcome::sent) return;
  std::scoped_lock const lock(lock_);
  kept_.push_back({to, header, {payload.begin(), payload.end()}});
  count_.store(kept_.size(), std::memory_order_release);
}

int SendQueue::send_kept() {
  if (is_empty()) return 0;
  // Another thread that holds it does the same.
  std::unique_lock const lock(lock_, std::try_to_lock);
  if (!lock.owns_lock() || kept_.empty()) return 0;
  // An image with no room holds back its own messages only: it may compute for long.
  has_no_room_.assign(has_no_room_.size(), false);
  auto const sent = std::erase_if(kept_, [this](Kept const& next) {
    auto const to = static_cast<std::size_t>(next.to.value());
    if (has_no_room_[to]) return false;
    has_no_room_[to] = route(next.to).send(next.to, next.header, next.payload) == SendOutcome::busy;
    return !has_no_room_[to];
  });
  count_.store(kept_.size(), std::memory_order_release);
  return static_cast<int>(sent);
}

void SendQueue::abandon(ImageId image) {
  std::scoped_lock const lock(lock_);
  std::erase_if(kept_, [image](Kept const& message) { return message.to == image; });
  count_.store(kept_.size(), std::memory_order_release);
}

}  // namespace makespan::pgas
