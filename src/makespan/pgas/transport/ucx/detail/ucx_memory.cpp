// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/ucx/detail/ucx_memory.hpp"

#include <algorithm>
#include <cstring>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/pgas/transport/word_copy.hpp"

namespace makespan::pgas {

namespace {

bool is_word(std::byte const* at, std::size_t bytes) {
  return bytes == 8 && reinterpret_cast<std::uintptr_t>(at) % 8 == 0;
}

// A word of 8 bytes is written whole: a thread that polls it never sees half of it.
void store(std::byte* to, std::span<std::byte const> data) {
  if (!is_word(to, data.size())) {
    std::ranges::copy(data, to);
    return;
  }
  std::uint64_t word = 0;
  std::memcpy(&word, data.data(), sizeof word);
  std::atomic_ref(*reinterpret_cast<std::uint64_t*>(to)).store(word, std::memory_order_release);
}

void load(std::byte* from, std::span<std::byte> destination) {
  if (!is_word(from, destination.size())) {
    copy_words(destination.data(), {from, destination.size()});
    return;
  }
  std::uint64_t const word =
      std::atomic_ref(*reinterpret_cast<std::uint64_t*>(from)).load(std::memory_order_acquire);
  std::memcpy(destination.data(), &word, sizeof word);
}

}  // namespace

UcxMemory::UcxMemory(UcxEndpoints& endpoints, UcxHeapKeys const& keys, RemoteMemory& by_messages)
    : endpoints_{endpoints}, keys_{keys}, by_messages_{by_messages}, heaps_(keys.size()) {
}

UcxMemory::Reach UcxMemory::reach(ImageId target) {
  auto const image = static_cast<std::size_t>(target.value());
  MAKESPAN_EXPECT(image < heaps_.size());
  Heap& heap = heaps_[image];
  Reach const known = heap.reach.load(std::memory_order_acquire);
  return known == Reach::unknown ? find_out(heap, image) : known;
}

UcxMemory::Reach UcxMemory::find_out(Heap& heap, std::size_t image) {
  Reach seen = Reach::unknown;
  if (!heap.reach.compare_exchange_strong(seen, Reach::asking)) return seen;
  Reach found = Reach::by_messages;
  if (!keys_[image].empty()) {
    UcxEndpoints::Turn turn(endpoints_, checked_cast<int>(image));
    if (turn.is_open()) {
      heap.begin = endpoints_.map(turn, keys_[image]);
      if (heap.begin != nullptr) found = Reach::mapped;
    } else if (!turn.is_lost()) {
      found = Reach::unknown;  // another thread is at it
    }
  }
  heap.reach.store(found, std::memory_order_release);
  return found;
}

StartOutcome UcxMemory::put(ImageId target, std::uint64_t offset, std::span<std::byte const> data,
                            Completion* done) {
  Reach const reach = this->reach(target);
  if (reach == Reach::by_messages) return by_messages_.put(target, offset, data, done);
  if (reach != Reach::mapped) return StartOutcome::busy;
  store(heaps_[static_cast<std::size_t>(target.value())].begin + offset, data);
  if (done != nullptr) done->complete({});
  return StartOutcome::started;
}

StartOutcome UcxMemory::put_signal(ImageId target, std::uint64_t offset,
                                   std::span<std::byte const> data, SignalRequest const& signal,
                                   Completion* done) {
  Reach const reach = this->reach(target);
  if (reach == Reach::unknown || reach == Reach::asking) return StartOutcome::busy;
  if (reach == Reach::mapped) {
    // The message makes it visible before the signal. Should it find no room, the data is stored
    // once more with the next attempt.
    store(heaps_[static_cast<std::size_t>(target.value())].begin + offset, data);
    data = {};
  }
  return by_messages_.put_signal(target, offset, data, signal, done);
}

StartOutcome UcxMemory::get(ImageId target, std::uint64_t offset, std::span<std::byte> destination,
                            Completion& done) {
  Reach const reach = this->reach(target);
  if (reach == Reach::by_messages) return by_messages_.get(target, offset, destination, done);
  if (reach != Reach::mapped) return StartOutcome::busy;
  load(heaps_[static_cast<std::size_t>(target.value())].begin + offset, destination);
  done.complete({});
  return StartOutcome::started;
}

StartOutcome UcxMemory::atomic(ImageId target, AtomicRequest const& request, Completion* done) {
  // Also where the heap is mapped: words are changed by their owner's processor
  // (docs/decisions/0015).
  return by_messages_.atomic(target, request, done);
}

bool UcxMemory::is_flushed(ImageId target) {
  if (!by_messages_.is_flushed(target)) return false;
  // What was stored is visible to a thread that sees what this thread does next.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return true;
}

}  // namespace makespan::pgas
