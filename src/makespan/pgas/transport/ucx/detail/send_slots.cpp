// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/ucx/detail/send_slots.hpp"

#include <algorithm>
#include <mutex>

#include "makespan/base/contracts.hpp"
#include "makespan/pgas/transport/word_copy.hpp"

namespace makespan::pgas {

namespace {

// What large slots may take together, unless the longest messages ask for more.
constexpr std::size_t large_bytes = std::size_t{16} << 20;
constexpr std::size_t large_slots_min = 4;
constexpr std::size_t large_slots_max = 16;

}  // namespace

int SendSlots::large_slots(std::size_t bytes_max) {
  if (bytes_max <= small_bytes) return 0;
  return static_cast<int>(std::clamp(large_bytes / bytes_max, large_slots_min, large_slots_max));
}

SendSlots::SendSlots(std::size_t bytes_max, void* sender) : bytes_max_{bytes_max}, sender_{sender} {
  for (int slot = 0; slot < small_slots; ++slot) add(SendSlot::Kind::small);
  for (int slot = 0; slot < large_slots(bytes_max_); ++slot) add(SendSlot::Kind::large);
  for (int slot = 0; slot < aggregate_slots; ++slot) add(SendSlot::Kind::aggregate);
}

void SendSlots::add(SendSlot::Kind kind) {
  slots_.push_back(std::make_unique<SendSlot>());
  slots_.back()->kind = kind;
  slots_.back()->sender = sender_;
  free_slots(kind).push_back(slots_.back().get());
}

SendSlot* SendSlots::acquire(int target, std::span<std::byte const> payload) {
  // A small slot holds small_bytes, also where all messages are shorter than that.
  MAKESPAN_EXPECT(payload.size() <= std::max(bytes_max_, small_bytes));
  auto const kind = payload.size() <= small_bytes ? SendSlot::Kind::small : SendSlot::Kind::large;
  SendSlot* const slot = take(kind, target);
  if (slot == nullptr) return nullptr;
  // Without the lock: the slot is this thread's alone from here on.
  copy_words(slot->memory.get(), payload);
  slot->payload = {slot->memory.get(), payload.size()};
  return slot;
}

SendSlot* SendSlots::acquire_aggregate(int target) {
  return take(SendSlot::Kind::aggregate, target);
}

SendSlot* SendSlots::take(SendSlot::Kind kind, int target) {
  std::scoped_lock const lock(lock_);
  FreeSlots& free = free_slots(kind);
  if (free.empty()) return nullptr;
  SendSlot* const slot = free.back();
  // Before it is taken out: where there is no memory the slot stays free.
  if (!slot->memory) {
    slot->memory = std::make_unique_for_overwrite<std::byte[]>(memory_bytes(kind));
  }
  free.pop_back();
  slot->state = SendSlot::State::in_use;
  slot->target = target;
  slot->payload = {};
  ++in_use_;
  return slot;
}

std::size_t SendSlots::memory_bytes(SendSlot::Kind kind) const {
  switch (kind) {
    case SendSlot::Kind::small:
      return small_bytes;
    case SendSlot::Kind::aggregate:
      return aggregate_bytes();
    default:
      return bytes_max_;
  }
}

void SendSlots::release(SendSlot& slot) {
  std::scoped_lock const lock(lock_);
  MAKESPAN_EXPECT(slot.state != SendSlot::State::free);
  // One that was written off has left the count already, and is a slot more than before.
  if (slot.state == SendSlot::State::in_use) --in_use_;
  slot.state = SendSlot::State::free;
  free_slots(slot.kind).push_back(&slot);
}

void SendSlots::write_off(int target) {
  std::scoped_lock const lock(lock_);
  // By number, since adding moves them.
  std::size_t const slots = slots_.size();
  for (std::size_t at = 0; at < slots; ++at) {
    SendSlot& slot = *slots_[at];
    if (slot.state != SendSlot::State::in_use || slot.target != target) continue;
    slot.state = SendSlot::State::written_off;
    --in_use_;
    add(slot.kind);
  }
}

bool SendSlots::is_idle() const {
  std::scoped_lock const lock(lock_);
  return in_use_ == 0;
}

}  // namespace makespan::pgas
