// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/channel/pending_table.hpp"

#include <algorithm>
#include <mutex>
#include <string>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/image_errors.hpp"

namespace makespan::pgas {

PendingTable::PendingTable(std::uint16_t channel, int capacity)
    : channel_{channel}, slots_(checked_cast<std::size_t>(capacity)) {
  free_.reserve(slots_.size());
  for (int slot = capacity; slot-- > 0;) free_.push_back(checked_cast<std::uint32_t>(slot));
}

std::optional<WireToken> PendingTable::track(Completion& waiter, ImageId target,
                                             std::span<std::byte> destination,
                                             std::size_t answer_bytes_max) {
  std::scoped_lock const lock(lock_);
  if (free_.empty()) return std::nullopt;
  std::uint32_t const at = free_.back();
  free_.pop_back();
  Slot& slot = slots_[at];
  slot.waiter = &waiter;
  slot.is_waiting = true;
  slot.target = target;
  slot.destination = destination;
  slot.answer_bytes_max = answer_bytes_max;
  if (++slot.turn == 0) slot.turn = 1;  // 0 says that no thread waits
  return WireToken{.slot = at, .turn = slot.turn, .channel = channel_};
}

bool PendingTable::untrack(WireToken token) {
  std::scoped_lock const lock(lock_);
  return release(token) != nullptr;
}

void PendingTable::complete(WireToken token, std::span<std::byte const> answer) {
  std::scoped_lock const lock(lock_);
  // The slot is free from here on; what it says stays until the lock is given back.
  Slot const* const slot = release(token);
  if (slot == nullptr) return;
  // With the lock held: a thread that gives up cannot take the destination away meanwhile.
  if (slot->destination.empty()) {
    // Waiters of words have room for no more.
    if (answer.size() > slot->answer_bytes_max) {
      refuse_answer(*slot, std::to_string(answer.size()) + " bytes to what has one of " +
                               std::to_string(slot->answer_bytes_max) + " at most");
    }
    slot->waiter->complete(answer);
    return;
  }
  if (answer.size() != slot->destination.size()) {
    refuse_answer(*slot, std::to_string(answer.size()) + " bytes to a question for " +
                             std::to_string(slot->destination.size()));
  }
  std::ranges::copy(answer, slot->destination.begin());
  slot->waiter->complete({});
}

// Told to the waiter, too, whose thread may be another than that which has met the message.
void PendingTable::refuse_answer(Slot const& slot, std::string const& what) {
  BadMessage const defect(slot.target, "an answer of " + what);
  slot.waiter->refuse(defect.what());
  throw BadMessage(defect);
}

void PendingTable::refuse(WireToken token, std::string_view text) {
  std::scoped_lock const lock(lock_);
  if (Slot const* const slot = release(token)) slot->waiter->refuse(text);
}

int PendingTable::fail_all(ImageId image) {
  return fail_chosen([image](Slot const& slot) { return slot.target == image; }, image);
}

int PendingTable::fail_rest(ImageId here) {
  return fail_chosen([](Slot const&) { return true; }, here);
}

template <class Chosen>
int PendingTable::fail_chosen(Chosen const& is_chosen, ImageId lost) {
  std::scoped_lock const lock(lock_);
  int failed = 0;
  for (std::uint32_t at = 0; at < slots_.size(); ++at) {
    if (!slots_[at].is_waiting || !is_chosen(slots_[at])) continue;
    free_slot(at);
    slots_[at].waiter->fail(lost);
    ++failed;
  }
  return failed;
}

void PendingTable::forget(Completion const& waiter) {
  // Completions are called under the same lock: after this none is under way.
  std::scoped_lock const lock(lock_);
  for (std::uint32_t at = 0; at < slots_.size(); ++at) {
    if (slots_[at].is_waiting && slots_[at].waiter == &waiter) free_slot(at);
  }
}

int PendingTable::waiting() const {
  std::scoped_lock const lock(lock_);
  return checked_cast<int>(slots_.size() - free_.size());
}

PendingTable::Slot const* PendingTable::release(WireToken token) {
  MAKESPAN_EXPECT(token.channel == channel_);
  MAKESPAN_EXPECT(token.slot < slots_.size());
  Slot& slot = slots_[token.slot];
  // Slots are used again: an answer that was given up is told by its turn.
  if (!slot.is_waiting || slot.turn != token.turn) return nullptr;
  free_slot(token.slot);
  return &slot;
}

void PendingTable::free_slot(std::uint32_t slot) {
  slots_[slot].is_waiting = false;
  free_.push_back(slot);
}

}  // namespace makespan::pgas
