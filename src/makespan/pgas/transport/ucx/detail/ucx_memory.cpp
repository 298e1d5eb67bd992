// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/ucx/detail/ucx_memory.hpp"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/pgas/transport/word_copy.hpp"

namespace makespan::pgas {

namespace {

std::int64_t now_ns() {
  auto const since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

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
  // Acquire: what the writer of the word wrote before can be read after it.
  std::uint64_t const word =
      std::atomic_ref(*reinterpret_cast<std::uint64_t*>(from)).load(std::memory_order_acquire);
  std::memcpy(destination.data(), &word, sizeof word);
}

}  // namespace

UcxMemory::UcxMemory(Parts const& parts)
    : endpoints_{parts.endpoints},
      rma_{parts.rma},
      keys_{parts.keys},
      by_messages_{parts.by_messages},
      use_{parts.use},
      aggregated_bytes_{parts.aggregates ? aggregated_bytes_max : 0},
      here_{parts.here},
      heaps_(parts.keys.size()) {
}

UcxMemory::Heap& UcxMemory::heap_of(ImageId target) {
  auto const image = static_cast<std::size_t>(target.value());
  MAKESPAN_EXPECT(image < heaps_.size());
  return heaps_[image];
}

UcxMemory::Reach UcxMemory::reach(ImageId target) {
  Heap& heap = heap_of(target);
  Reach const known = heap.reach.load(std::memory_order_acquire);
  return known == Reach::unknown ? find_out(heap, target) : known;
}

UcxMemory::Reach UcxMemory::find_out(Heap& heap, ImageId target) {
  // One thread asks. Others find no room meanwhile, and come again.
  Reach seen = Reach::unknown;
  if (!heap.reach.compare_exchange_strong(seen, Reach::asking)) return seen;
  // Told also where there is no memory for the answer: then who comes next asks again.
  struct Answer {
    std::atomic<Reach>& reach;
    Reach found{Reach::unknown};
    // After the address and the table, which who reads this by acquire uses without a lock.
    ~Answer() { reach.store(found, std::memory_order_release); }
  } answer{heap.reach};
  std::vector<std::byte> const& key = keys_[static_cast<std::size_t>(target.value())];
  if (key.empty()) return answer.found = Reach::by_messages;
  UcxEndpoints::Turn turn(endpoints_, checked_cast<int>(target.value()));
  // Where it is not lost, another thread is at it.
  if (!turn.is_open()) return answer.found = turn.is_lost() ? Reach::by_messages : Reach::unknown;
  std::unique_ptr<WayTable> ways;
  // Before the key is attached, which is done once. Only what goes to another node is aggregated.
  if (use_ == RmaUse::automatic) {
    ways = std::make_unique<WayTable>(turn.is_remote() ? aggregated_bytes_ : 0);
  }
  UcxEndpoints::Attached const attached = endpoints_.attach(turn, key);
  heap.address = attached.address;
  heap.here = attached.here;
  answer.found = reach_by(attached, target);
  if (answer.found == Reach::chosen) heap.ways = std::move(ways);
  return answer.found;
}

UcxMemory::Reach UcxMemory::reach_by(UcxEndpoints::Attached const& attached, ImageId target) const {
  bool const is_rma = attached.has_key && target != here_;
  if (use_ == RmaUse::always && is_rma) return Reach::rma;
  if (attached.here != nullptr) return Reach::mapped;
  return use_ == RmaUse::automatic && is_rma ? Reach::chosen : Reach::by_messages;
}

// --- the ways

StartOutcome UcxMemory::put_by_rma(ImageId target, std::uint64_t offset,
                                   std::span<std::byte const> data, Completion* done) {
  UcxEndpoints::Turn turn(endpoints_, checked_cast<int>(target.value()));
  // A lost one: as a message that is sent and forgotten, and fails with the others.
  if (!turn.is_open()) return by_messages_.put(target, offset, data, done);
  return rma_.put(turn, target, heap_of(target).address + offset, data, done);
}

StartOutcome UcxMemory::get_by_rma(ImageId target, std::uint64_t offset,
                                   std::span<std::byte> destination, Completion& done) {
  UcxEndpoints::Turn turn(endpoints_, checked_cast<int>(target.value()));
  if (!turn.is_open()) return by_messages_.get(target, offset, destination, done);
  return rma_.get(turn, target, heap_of(target).address + offset, destination, done);
}

template <class Start>
StartOutcome UcxMemory::start_timed(Heap& heap, MemoryOperation operation, std::size_t bytes,
                                    Completion* done, Start const& start) {
  // Nearly always: then no clock is read.
  if (auto const way = heap.ways->known(operation, bytes)) return start(*way, done);
  WayTable::Choice const choice = heap.ways->choose(operation, bytes, true, now_ns());
  if (!choice.is_timed) return start(choice.way, done);
  Timed* timed = nullptr;
  try {
    timed = &new_timed(done);
    timed->ways = heap.ways.get();
    timed->operation = operation;
    timed->bytes = bytes;
    timed->is_under_way = true;
    StartOutcome const outcome = start(choice.way, timed);
    if (outcome == StartOutcome::busy) take_back(*heap.ways, operation, bytes, timed);
    return outcome;
  } catch (...) {
    if (timed != nullptr) {
      // Should the way have thrown after it took note of it.
      rma_.forget(*timed);
      by_messages_.forget(*timed);
    }
    take_back(*heap.ways, operation, bytes, timed);
    throw;
  }
}

void UcxMemory::take_back(WayTable& ways, MemoryOperation operation, std::size_t bytes,
                          Timed* timed) {
  if (timed != nullptr) {
    std::scoped_lock const lock(lock_);
    // It may have ended before its way threw, and been given back.
    if (!std::exchange(timed->is_under_way, false)) return;
    give_back(*timed);
  }
  // The trial is still to be made.
  ways.take_back(operation, bytes);
}

UcxMemory::Timed& UcxMemory::new_timed(Completion* done) {
  std::scoped_lock const lock(lock_);
  // They are kept for good, since both ways hold pointers to those that are under way.
  if (free_.empty()) {
    free_.reserve(timed_.size() + 1);  // so that give_back() never allocates
    free_.push_back(timed_.emplace_back(std::make_unique<Timed>()).get());
  }
  Timed& timed = *free_.back();
  free_.pop_back();
  timed.all = this;
  timed.done = done;
  return timed;
}

void UcxMemory::give_back(Timed& timed) {
  timed.done = nullptr;
  // Otherwise forget() gives it back, when no way knows it any more.
  if (!timed.is_being_forgotten) free_.push_back(&timed);
}

void UcxMemory::end_without_time(Timed& timed) {
  if (std::exchange(timed.is_under_way, false)) timed.ways->give_up(timed.operation, timed.bytes);
}

void UcxMemory::Timed::complete(std::span<std::byte const> answer) noexcept {
  ways->note(operation, bytes, now_ns());
  // With the lock held: forget() clears `done` under it, and what stood there is gone after that.
  std::scoped_lock const lock(all->lock_);
  is_under_way = false;
  if (done != nullptr) done->complete(answer);
  all->give_back(*this);
}

void UcxMemory::Timed::refuse(std::string_view text) noexcept {
  std::scoped_lock const lock(all->lock_);
  end_without_time(*this);
  if (done != nullptr) done->refuse(text);
  all->give_back(*this);
}

void UcxMemory::Timed::fail(ImageId image) noexcept {
  std::scoped_lock const lock(all->lock_);
  end_without_time(*this);
  if (done != nullptr) done->fail(image);
  all->give_back(*this);
}

// --- operations

StartOutcome UcxMemory::put(ImageId target, std::uint64_t offset, std::span<std::byte const> data,
                            Completion* done) {
  switch (reach(target)) {
    case Reach::unknown:
    case Reach::asking:
      return StartOutcome::busy;
    case Reach::by_messages:
      return by_messages_.put(target, offset, data, done);
    case Reach::rma:
      return put_by_rma(target, offset, data, done);
    case Reach::chosen:
      return start_timed(heap_of(target), MemoryOperation::put, data.size(), done,
                         [&](MemoryWay way, Completion* completion) {
                           return way == MemoryWay::rma
                                      ? put_by_rma(target, offset, data, completion)
                                      : by_messages_.put(target, offset, data, completion);
                         });
    case Reach::mapped:
      break;
  }
  store(heap_of(target).here + offset, data);
  if (done != nullptr) done->complete({});
  return StartOutcome::started;
}

StartOutcome UcxMemory::put_signal(ImageId target, std::uint64_t offset,
                                   std::span<std::byte const> data, SignalRequest const& signal,
                                   Completion* done) {
  Reach const reach = this->reach(target);
  if (reach == Reach::unknown || reach == Reach::asking) return StartOutcome::busy;
  Heap& heap = heap_of(target);
  if (reach == Reach::mapped) {
    // The message makes it visible before the signal. Should it find no room, the data is stored
    // once more with the next attempt.
    store(heap.here + offset, data);
    data = {};
  }
  // Not timed, since the signal's message would be in the time.
  bool const is_rma =
      reach == Reach::rma ||
      (reach == Reach::chosen &&
       heap.ways->choose(MemoryOperation::put, data.size(), false, 0).way == MemoryWay::rma);
  if (is_rma && !data.empty()) {
    UcxEndpoints::Turn turn(endpoints_, checked_cast<int>(target.value()));
    // A lost one: as put_by_rma().
    if (turn.is_open()) {
      return rma_.put_signal(
          turn, target,
          {.address = heap.address + offset, .offset = offset, .data = data, .signal = signal},
          done);
    }
  }
  return by_messages_.put_signal(target, offset, data, signal, done);
}

StartOutcome UcxMemory::get(ImageId target, std::uint64_t offset, std::span<std::byte> destination,
                            Completion& done) {
  switch (reach(target)) {
    case Reach::unknown:
    case Reach::asking:
      return StartOutcome::busy;
    case Reach::by_messages:
      return by_messages_.get(target, offset, destination, done);
    case Reach::rma:
      return get_by_rma(target, offset, destination, done);
    case Reach::chosen:
      return start_timed(heap_of(target), MemoryOperation::get, destination.size(), &done,
                         [&](MemoryWay way, Completion* completion) {
                           return way == MemoryWay::rma
                                      ? get_by_rma(target, offset, destination, *completion)
                                      : by_messages_.get(target, offset, destination, *completion);
                         });
    case Reach::mapped:
      break;
  }
  load(heap_of(target).here + offset, destination);
  done.complete({});
  return StartOutcome::started;
}

StartOutcome UcxMemory::atomic(ImageId target, AtomicRequest const& request, Completion* done) {
  // Also where the heap is mapped: words are changed by their owner's processor
  // (docs/decisions/0015).
  return by_messages_.atomic(target, request, done);
}

bool UcxMemory::is_flushed(ImageId target) {
  // The signals of flushed puts are messages.
  if (!rma_.is_flushed(target) || !by_messages_.is_flushed(target)) return false;
  // What was stored is visible to a thread that sees what this thread does next.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return true;
}

void UcxMemory::forget(Completion& done) {
  std::vector<Timed*> timed_ones;
  {
    std::scoped_lock const lock(lock_);
    for (auto const& timed : timed_) {
      if (timed->done != &done) continue;
      timed->done = nullptr;
      timed->is_being_forgotten = true;  // not given back meanwhile
      timed_ones.push_back(timed.get());
    }
  }
  for (Timed* const timed : timed_ones) {
    // Without the lock, since both call it with their own held.
    rma_.forget(*timed);
    by_messages_.forget(*timed);
    std::scoped_lock const lock(lock_);
    timed->is_being_forgotten = false;
    // Otherwise the table would wait for its time, and learn nothing more of that image.
    end_without_time(*timed);
    give_back(*timed);
  }
  rma_.forget(done);
  by_messages_.forget(done);
}

void UcxMemory::abandon(ImageId image) {
  rma_.abandon(image);
  by_messages_.abandon(image);
}

}  // namespace makespan::pgas
