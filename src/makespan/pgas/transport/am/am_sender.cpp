// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/pgas/job/leak.hpp"
#include "makespan/pgas/transport/am/detail/mpi_am_sender.hpp"
#include "makespan/pgas/transport/word_copy.hpp"

namespace makespan::pgas {

namespace {

// Each question about a send that is not done costs a round of MPI's progress engine, as each about
// a receive does.
constexpr int tests_per_collect = 2;

}  // namespace

AmSender::AmSender(AmContext const& context)
    : context_{context},
      long_bytes_max_{long_bytes_max(context.options)},
      lock_{context.threading},
      targets_(checked_cast<std::size_t>(context.job.images())) {
  auto const window = checked_cast<std::size_t>(context.options.send_window);
  free_.reserve(window);
  under_way_.reserve(window);
  for (std::size_t slot = 0; slot < window; ++slot) free_.push_back(&add_slot());
}

AmSender::~AmSender() {
  auto const limit = std::chrono::duration<double>(context_.options.close_limit.value());
  auto const begin = std::chrono::steady_clock::now();
  try {
    while (!is_drained() && std::chrono::steady_clock::now() - begin < limit) collect();
  } catch (...) {
    // MPI has failed in a send to this image itself: no other image needs what is not sent.
    static_cast<void>(0);
  }
  // MPI may still read these.
  for (auto& slot : slots_) {
    if (std::ranges::find(under_way_, slot.get()) != under_way_.end()) leak(std::move(slot));
  }
  for (auto& slot : forgotten_) leak(std::move(slot));
}

SendOutcome AmSender::send(ImageId to, WireHeader const& header,
                           std::span<std::byte const> payload) {
  auto const target = static_cast<std::size_t>(to.value());
  MAKESPAN_EXPECT(target < targets_.size());
  MAKESPAN_EXPECT(std::ssize(payload) <= context_.options.message_bytes_max);
  Slot* const slot = take(target, payload.size());
  if (slot == nullptr) return SendOutcome::busy;
  write(*slot, header, payload);
  post(*slot);
  return SendOutcome::sent;
}

// Null: no room. An image may hold no more slots than are left for all others, so that one that
// does not receive for a while does not keep the whole window.
AmSender::Slot* AmSender::take(std::size_t target, std::size_t payload_bytes) {
  std::scoped_lock const lock(lock_);
  if (free_.empty() || targets_[target].slots > std::ssize(free_)) return nullptr;
  if (is_long(payload_bytes)) {
    // One is always let through, however long it is.
    if (long_bytes_ != 0 && long_bytes_ + payload_bytes > long_bytes_max_) return nullptr;
    // First: where there is no memory for it nothing has been taken.
    free_.back()->payload = buffers_.take(payload_bytes);
    long_bytes_ += payload_bytes;
  }
  Slot* const slot = free_.back();
  free_.pop_back();
  ++taken_;
  ++targets_[target].slots;
  slot->target = target;
  slot->payload_bytes = payload_bytes;
  return slot;
}

void AmSender::write(Slot& slot, WireHeader const& header, std::span<std::byte const> payload) {
  slot.message.frame.header = header;
  slot.message.frame.payload_bytes = static_cast<std::uint32_t>(payload.size());
  std::byte* const to =
      is_long(payload.size()) ? slot.payload.data.get() : slot.message.payload.data();
  copy_words(to, payload);
}

void AmSender::post(Slot& slot) {
  int code = MPI_SUCCESS;
  {
    std::scoped_lock const lock(lock_);
    // Since the slot was taken: abandon() has seen only what was under way then.
    if (targets_[slot.target].is_abandoned) {
      --taken_;
      release(slot);
      return;
    }
    code = start(slot);
  }
  ImageId const to{checked_cast<std::int64_t>(slot.target)};
  // Most short messages are out already, and their slot is used again at once.
  settle(slot);
  if (code != MPI_SUCCESS) report_unreachable(context_.job, to, code, "MPI_Isend");
}

// Numbering and sending are one step: messages to one image leave in the order of their numbers,
// and payloads of long ones in the order of their announcements. Returns what MPI does.
int AmSender::start(Slot& slot) {
  slot.message.frame.number = targets_[slot.target].next_number++;
  bool const in_two_parts = is_long(slot.payload_bytes);
  std::size_t const bytes = sizeof(AmFrame) + (in_two_parts ? 0 : slot.payload_bytes);
  auto const to = static_cast<int>(slot.target);
  int code = MPI_Isend(&slot.message, static_cast<int>(bytes), MPI_BYTE, to, am_frame_tag,
                       context_.communicator, &slot.requests[0]);
  // What MPI leaves in the request of a call that failed is no request (MPICH 4.0.2).
  if (code != MPI_SUCCESS) slot.requests[0] = MPI_REQUEST_NULL;
  if (code != MPI_SUCCESS || !in_two_parts) return code;
  code = MPI_Isend(slot.payload.data.get(), static_cast<int>(slot.payload_bytes), MPI_BYTE, to,
                   am_payload_tag, context_.communicator, &slot.requests[1]);
  if (code != MPI_SUCCESS) slot.requests[1] = MPI_REQUEST_NULL;
  return code;
}

AmSender::Settled AmSender::settle(Slot& slot) {
  int const code = test(slot);
  ImageId const to{checked_cast<std::int64_t>(slot.target)};
  Settled const settled = put_back(slot, code);
  if (code != MPI_SUCCESS) report_unreachable(context_.job, to, code, "MPI_Test");
  return settled;
}

// Asks MPI about the requests of a slot; those that are done become null.
int AmSender::test(Slot& slot) {
  for (MPI_Request& request : slot.requests) {
    if (request == MPI_REQUEST_NULL) continue;
    int is_done = 0;
    int const code = MPI_Test(&request, &is_done, MPI_STATUS_IGNORE);
    // What MPI has left of it is not known: it is not asked again, and the slot's memory stays
    // (forget()).
    if (code != MPI_SUCCESS) request = MPI_REQUEST_NULL;
    if (code != MPI_SUCCESS || is_done == 0) return code;
  }
  return MPI_SUCCESS;
}

AmSender::Settled AmSender::put_back(Slot& slot, int code) {
  std::scoped_lock const lock(lock_);
  --taken_;
  bool const is_sent = slot.requests[0] == MPI_REQUEST_NULL && slot.requests[1] == MPI_REQUEST_NULL;
  if (code == MPI_SUCCESS && is_sent) {
    release(slot);
  } else if (code != MPI_SUCCESS || targets_[slot.target].is_abandoned) {
    forget(slot);
  } else {
    under_way_.push_back(&slot);
    has_sends_.store(true, std::memory_order_relaxed);
    return Settled::under_way;
  }
  return Settled::done;
}

int AmSender::collect_some() {
  int done = 0;
  for (int test = 0; test < tests_per_collect; ++test) {
    Slot* const slot = take_oldest();
    if (slot == nullptr) break;
    if (settle(*slot) == Settled::done) ++done;
  }
  return done;
}

AmSender::Slot* AmSender::take_oldest() {
  std::scoped_lock const lock(lock_);
  if (under_way_.empty()) {
    has_sends_.store(false, std::memory_order_relaxed);
    return nullptr;
  }
  Slot* const slot = under_way_.front();
  under_way_.erase(under_way_.begin());
  ++taken_;
  return slot;
}

bool AmSender::is_drained() const {
  std::scoped_lock const lock(lock_);
  return under_way_.empty() && taken_ == 0;
}

void AmSender::abandon(ImageId image) {
  auto const target = static_cast<std::size_t>(image.value());
  MAKESPAN_EXPECT(target < targets_.size());
  std::scoped_lock const lock(lock_);
  targets_[target].is_abandoned = true;
  auto const lost = std::ranges::stable_partition(
      under_way_, [target](Slot const* slot) { return slot->target != target; });
  for (Slot* const slot : lost) forget(*slot);
  under_way_.erase(lost.begin(), lost.end());
}

void AmSender::release(Slot& slot) {
  --targets_[slot.target].slots;
  if (is_long(slot.payload_bytes)) {
    long_bytes_ -= slot.payload_bytes;
    buffers_.give_back(std::exchange(slot.payload, {}));
  }
  free_.push_back(&slot);
}

// Gives up what is in a slot. MPI may go on reading it: the slot is kept for good, and another
// takes its place. Cancelling a send is not what every MPI can do (MPICH's ch4 cannot).
void AmSender::forget(Slot& slot) {
  for (MPI_Request& request : slot.requests) {
    if (request == MPI_REQUEST_NULL) continue;
    // Where even this fails there is nothing left to do about the request.
    static_cast<void>(MPI_Request_free(&request));
    request = MPI_REQUEST_NULL;
  }
  --targets_[slot.target].slots;
  if (is_long(slot.payload_bytes)) long_bytes_ -= slot.payload_bytes;
  auto const owner =
      std::ranges::find(slots_, &slot, [](auto const& owned) { return owned.get(); });
  MAKESPAN_ASSERT(owner != slots_.end());
  forgotten_.push_back(std::move(*owner));
  slots_.erase(owner);
  free_.push_back(&add_slot());
}

AmSender::Slot& AmSender::add_slot() {
  slots_.push_back(std::make_unique_for_overwrite<Slot>());
  return *slots_.back();
}

}  // namespace makespan::pgas
