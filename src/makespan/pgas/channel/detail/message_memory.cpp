// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/channel/detail/message_memory.hpp"

#include <new>
#include <optional>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::pgas {

MessageMemory::MessageMemory(ImageId here, int images, Link& link, PendingTable& pending)
    : here_{here}, link_{link}, pending_{pending}, counts_(checked_cast<std::size_t>(images)) {
}

StartOutcome MessageMemory::put(ImageId target, std::uint64_t offset,
                                std::span<std::byte const> data, Completion* done) {
  return send(target, {.kind = WireKind::put, .offset = offset}, data, done);
}

StartOutcome MessageMemory::put_signal(ImageId target, std::uint64_t offset,
                                       std::span<std::byte const> data, SignalRequest const& signal,
                                       Completion* done) {
  return send(target,
              {.kind = WireKind::put_signal,
               .op = signal.op,
               .width = 8,
               .offset = offset,
               .word_offset = signal.offset,
               .operand = signal.operand},
              data, done);
}

StartOutcome MessageMemory::get(ImageId target, std::uint64_t offset,
                                std::span<std::byte> destination, Completion& done) {
  MAKESPAN_EXPECT(checked_cast<std::int64_t>(destination.size()) <= operation_bytes_max());
  // Tracked before it is sent, since another thread may take the answer before send() returns.
  std::optional<WireToken> const token = pending_.track(done, target, destination);
  if (!token) return StartOutcome::busy;
  return send_counted(
      target,
      {.kind = WireKind::get, .token = *token, .offset = offset, .operand = destination.size()}, {},
      &done);
}

StartOutcome MessageMemory::atomic(ImageId target, AtomicRequest const& request, Completion* done) {
  return send(target,
              {.kind = WireKind::atomic,
               .op = request.op,
               .width = request.width,
               .offset = request.offset,
               .operand = request.operand,
               .compare = request.compare},
              {}, done);
}

StartOutcome MessageMemory::send(ImageId target, WireHeader header,
                                 std::span<std::byte const> payload, Completion* done) {
  if (done != nullptr) {
    // The old value of a word, or nothing.
    std::optional<WireToken> const token = pending_.track(*done, target, {}, sizeof(std::uint64_t));
    if (!token) return StartOutcome::busy;
    header.token = *token;
  }
  return send_counted(target, header, payload, done);
}

StartOutcome MessageMemory::send_counted(ImageId target, WireHeader header,
                                         std::span<std::byte const> payload, Completion* done) {
  header.source = checked_cast<std::int32_t>(here_.value());
  // Counted before it is sent: an answer may overtake this thread.
  Counts& counts = counts_of(target);
  counts.sent.fetch_add(1, std::memory_order_relaxed);
  // It has been tracked: either this sees the loss, or abandon() finds it in the table. It stays
  // counted, so that a flush does not end as if it were there.
  if (counts.is_lost.load(std::memory_order_relaxed)) {
    if (header.token.is_tracked() && pending_.untrack(header.token)) done->fail(target);
    return StartOutcome::started;  // and forgotten, as links do
  }
  try {
    if (link_.send(target, header, payload) == SendOutcome::sent) return StartOutcome::started;
  } catch (std::bad_alloc const&) {
    // Links allocate before they send.
    static_cast<void>(take_back(counts, header.token));
    throw;
  }
  return take_back(counts, header.token) ? StartOutcome::busy : StartOutcome::started;
}

bool MessageMemory::take_back(Counts& counts, WireToken token) {
  // Lost meanwhile, and abandon() has failed it: as above.
  if (token.is_tracked() && !pending_.untrack(token)) return false;
  counts.sent.fetch_sub(1, std::memory_order_relaxed);
  return true;
}

bool MessageMemory::is_flushed(ImageId target) {
  Counts& counts = counts_of(target);
  // Acquire: what the acknowledged requests did happened before.
  // Relaxed for what was sent: this thread's own requests are in it, and no others need be.
  return counts.carried_out.load(std::memory_order_acquire) >=
         counts.sent.load(std::memory_order_relaxed);
}

void MessageMemory::acknowledge(ImageId target, std::uint64_t count) {
  // Release: see is_flushed().
  counts_of(target).carried_out.fetch_add(count, std::memory_order_release);
}

void MessageMemory::abandon(ImageId image) {
  // The counts stay apart: a thread that flushes a lost image leaves by the loss, not by them.
  // First the word, and then those that were tracked before they could read it: see
  // send_counted().
  counts_of(image).is_lost.store(true, std::memory_order_relaxed);
  pending_.fail_all(image);
}

}  // namespace makespan::pgas
