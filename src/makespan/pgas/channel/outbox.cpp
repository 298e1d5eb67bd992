// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/channel/outbox.hpp"

namespace makespan::pgas {

void Outbox::send(ImageId to, WireHeader const& header, std::span<std::byte const> payload) {
  if (is_empty() && route(to).send(to, header, payload) == SendOutcome::sent) return;
  std::scoped_lock const lock(lock_);
  kept_.push_back({to, header, {payload.begin(), payload.end()}});
}

int Outbox::send_kept() {
  std::unique_lock const lock(lock_, std::try_to_lock);
  if (!lock.owns_lock()) return 0;
  int sent = 0;
  while (!kept_.empty()) {
    Kept const& next = kept_.front();
    if (route(next.to).send(next.to, next.header, next.payload) == SendOutcome::busy) break;
    kept_.pop_front();
    ++sent;
  }
  return sent;
}

bool Outbox::is_empty() const {
  std::scoped_lock const lock(lock_);
  return kept_.empty();
}

void Outbox::abandon(ImageId image) {
  std::scoped_lock const lock(lock_);
  std::erase_if(kept_, [image](Kept const& message) { return message.to == image; });
}

}  // namespace makespan::pgas
