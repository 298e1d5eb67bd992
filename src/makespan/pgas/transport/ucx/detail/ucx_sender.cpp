// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/ucx/detail/ucx_sender.hpp"

#include <chrono>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "makespan/base/checked_cast.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_status.hpp"

namespace makespan::pgas {

namespace {

// Over TCP, UCX by itself would ask the receiver before it sends more than 20 KB; up to here it is
// faster to send at once (UCX 1.13 between two network namespaces).
constexpr std::size_t eager_bytes_max = std::size_t{512} << 10;

// How long an aggregate waits for more, of a thread that does not drive progress: as two round
// trips.
constexpr std::chrono::microseconds aggregate_time{50};

// Which of `streams` the calling thread sends in.
std::uint32_t stream_of_this_thread(std::uint32_t streams) {
  if (streams == 1) return 0;
  // In the order in which threads send for the first time: the first ucx_streams of the process
  // have a stream each.
  static std::atomic<std::uint32_t> threads{0};
  thread_local std::uint32_t const thread = threads.fetch_add(1, std::memory_order_relaxed);
  return thread % streams;
}

// Whether UCX may take several steps for it.
bool is_long(SendSlot const& slot) {
  return slot.payload.size() > SendSlots::small_bytes;
}

}  // namespace

UcxSender::UcxSender(UcxEndpoints& endpoints, UcxSenderOptions const& options)
    : endpoints_{endpoints},
      options_{options},
      streams_{options.threading == LinkThreading::concurrent ? ucx_streams : 1U},
      forces_eager_{std::getenv("UCX_RNDV_THRESH") == nullptr},
      slots_{options.message_bytes_max, this},
      numbers_(checked_cast<std::size_t>(options.images) * streams_),
      windows_(checked_cast<std::size_t>(options.images)),
      aggregates_(checked_cast<std::size_t>(options.images), streams_),
      own_(static_cast<std::size_t>(SendSlots::small_slots +
                                    SendSlots::large_slots(options.message_bytes_max))) {
}

SendOutcome UcxSender::send(int to, WireHeader const& header, std::span<std::byte const> payload) {
  if (to == options_.image) {
    SendSlot* const slot = slots_.acquire(to, payload);
    if (slot == nullptr) return SendOutcome::busy;
    slot->header.message = header;
    return keep_own(*slot);
  }
  UcxEndpoints::Turn turn(endpoints_, to);
  if (turn.is_lost()) return SendOutcome::sent;  // and forgotten
  if (!turn.is_open()) return SendOutcome::busy;
  std::uint32_t const stream = stream_of_this_thread(streams_);
  OpenAggregate& aggregate = aggregates_.of(to, stream);
  if (options_.aggregates && turn.is_remote() &&
      can_be_aggregated(header, payload.size(), slots_.aggregate_bytes())) {
    // Without a slot for an aggregate the message goes on by itself.
    if (auto const outcome = add_to_aggregate(turn, aggregate, to, header, payload))
      return *outcome;
  }
  // What this stream sent before goes before.
  if (aggregate.is_open.load(std::memory_order_acquire)) {
    std::scoped_lock const lock(aggregate.lock);
    if (aggregate.slot != nullptr && !post_aggregate(turn, aggregate)) return SendOutcome::busy;
  }
  if (!has_room(windows_[static_cast<std::size_t>(to)])) return SendOutcome::busy;
  SendSlot* const slot = slots_.acquire(to, payload);
  if (slot == nullptr) return SendOutcome::busy;
  slot->header.message = header;
  slot->header.aggregated = 0;
  // Last of what can be refused: a number that is not sent would hold back all that follow.
  if (streams_ == 1) {
    number_and_post(turn, *slot, stream);  // under the link's lock
  } else {
    // One thread at a time from number to post: a stream may have several, and if one lost its core
    // between them, more of the others' messages could come early than the receiver has room for.
    std::scoped_lock const lock(aggregate.lock);
    number_and_post(turn, *slot, stream);
  }
  return SendOutcome::sent;
}

std::optional<SendOutcome> UcxSender::add_to_aggregate(UcxEndpoints::Turn& turn,
                                                       OpenAggregate& aggregate, int to,
                                                       WireHeader const& header,
                                                       std::span<std::byte const> payload) {
  std::scoped_lock const lock(aggregate.lock);
  auto const now = std::chrono::steady_clock::now();
  // Twice at most: into an aggregate that is full, and into a new one.
  for (;;) {
    if (aggregate.slot == nullptr) {
      SendSlot* const slot = slots_.acquire_aggregate(to);
      if (slot == nullptr) return std::nullopt;
      aggregates_.list(aggregate);
      aggregate.slot = slot;
      slot->header.message = {.source = options_.image};
      slot->header.aggregated = 1;
      aggregate.bytes = 0;
      aggregate.begun = now;
      aggregate.is_open.store(true, std::memory_order_release);
    }
    auto const end = pgas::add_to_aggregate(
        {aggregate.slot->memory.get(), slots_.aggregate_bytes()}, aggregate.bytes, header, payload);
    if (!end && !post_aggregate(turn, aggregate)) return SendOutcome::busy;
    if (!end) continue;
    aggregate.bytes = *end;
    break;
  }
  // Of a thread that puts for long and never drives progress. If there is no room it waits on.
  if (now - aggregate.begun > aggregate_time) static_cast<void>(post_aggregate(turn, aggregate));
  return SendOutcome::sent;
}

// With the aggregate's lock held. False: there is no room.
bool UcxSender::post_aggregate(UcxEndpoints::Turn& turn, OpenAggregate& aggregate) {
  if (!turn.is_open() || !has_room(windows_[static_cast<std::size_t>(aggregate.slot->target)])) {
    return false;
  }
  // Taken out first: before post() returns, UCX may be done with the slot, and another message have
  // it.
  SendSlot& slot = *std::exchange(aggregate.slot, nullptr);
  slot.payload = {slot.memory.get(), aggregate.bytes};
  number_and_post(turn, slot, aggregate.stream);
  // Not before: a thread that sees no aggregate sends at once.
  aggregate.is_open.store(false, std::memory_order_release);
  return true;
}

int UcxSender::send_aggregates() {
  if (aggregates_.is_empty()) return 0;
  int sent = 0;
  aggregates_.send_all([&](OpenAggregate& aggregate) {
    UcxEndpoints::Turn turn(endpoints_, aggregate.slot->target);
    // As send(), which drops what is new.
    if (turn.is_lost()) {
      slots_.release(*std::exchange(aggregate.slot, nullptr));
      aggregate.is_open.store(false, std::memory_order_release);
      return true;
    }
    bool const has_gone = post_aggregate(turn, aggregate);
    sent += has_gone ? 1 : 0;
    return has_gone;
  });
  return sent;
}

bool UcxSender::has_room(Window& window) {
  // Relaxed: that a few more or less follow is all the same.
  if (window.long_ones.load(std::memory_order_relaxed) == 0) return true;
  // What follows a long message waits at the receiver until that one is there. So many are half of
  // what the receiver has room for (ArrivalOrder::early_max).
  if (window.followers.load(std::memory_order_relaxed) >= followers_max) return false;
  window.followers.fetch_add(1, std::memory_order_relaxed);
  return true;
}

void UcxSender::number_and_post(UcxEndpoints::Turn& turn, SendSlot& slot, std::uint32_t stream) {
  std::size_t const from =
      static_cast<std::size_t>(slot.target) * streams_ + static_cast<std::size_t>(stream);
  // Relaxed: another thread of the stream comes later, by the lock that the caller holds.
  slot.header.number = numbers_[from].fetch_add(1, std::memory_order_relaxed);
  slot.header.origin = static_cast<std::uint32_t>(options_.image) * streams_ + stream;
  slot.header.key = options_.keys[static_cast<std::size_t>(slot.target)];
  post(turn, slot);
}

void UcxSender::post(UcxEndpoints::Turn& turn, SendSlot& slot) {
  Window& window = windows_[static_cast<std::size_t>(slot.target)];
  // Before it is sent, so that whatever overtakes it counts as a follower.
  if (is_long(slot)) {
    window.long_ones.fetch_add(1, std::memory_order_relaxed);
  }
  ucp_request_param_t params{};
  params.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  params.cb.send = &on_sent;
  params.user_data = &slot;
  if (forces_eager_ && turn.is_remote() && slot.payload.size() <= eager_bytes_max) {
    params.op_attr_mask |= UCP_OP_ATTR_FIELD_FLAGS;
    params.flags = UCP_AM_SEND_FLAG_EAGER;
  }
  // Read before the call: when that returns the slot may hold another message.
  int const target = slot.target;
  ucs_status_ptr_t const request =
      ucp_am_send_nbx(turn.endpoint(), message_id, &slot.header, sizeof slot.header,
                      slot.payload.data(), slot.payload.size(), &params);
  turn.note_sent();
  if (state_of(request) == RequestState::under_way) return;
  finish(slot);
  // Its number is used, so nothing could be delivered after it: the image is out of reach.
  if (state_of(request) == RequestState::failed) {
    endpoints_.lose(target, "ucp_am_send_nbx", UCS_PTR_STATUS(request));
  }
}

void UcxSender::finish(SendSlot& slot) {
  if (is_long(slot)) {
    Window& window = windows_[static_cast<std::size_t>(slot.target)];
    if (window.long_ones.fetch_sub(1, std::memory_order_relaxed) == 1) {
      window.followers.store(0, std::memory_order_relaxed);
    }
  }
  slots_.release(slot);
}

void UcxSender::on_sent(void* request, ucs_status_t status, void* slot) noexcept {
  auto& sent = *static_cast<SendSlot*>(slot);
  auto& sender = *static_cast<UcxSender*>(sent.sender);
  // Read before finish(), which gives the slot back.
  int const target = sent.target;
  sender.finish(sent);
  ucp_request_free(request);
  if (status != UCS_OK) sender.endpoints_.lose(target, "ucp_am_send_nbx", status);
}

SendOutcome UcxSender::keep_own(SendSlot& slot) {
  std::scoped_lock const lock(own_lock_);
  std::size_t const count = own_count_.load(std::memory_order_relaxed);
  if (count == own_.size()) {  // there are more slots than at first: see SendSlots::write_off
    slots_.release(slot);
    return SendOutcome::busy;
  }
  own_[(own_begin_ + count) % own_.size()] = &slot;
  own_count_.store(count + 1, std::memory_order_release);
  return SendOutcome::sent;
}

SendSlot* UcxSender::take_own() {
  if (!has_own())
    return nullptr;  // without the lock, since this is asked in each round of progress
  std::scoped_lock const lock(own_lock_);
  std::size_t const count = own_count_.load(std::memory_order_relaxed);
  if (count == 0) return nullptr;
  SendSlot* const slot = own_[own_begin_];
  own_begin_ = (own_begin_ + 1) % own_.size();
  own_count_.store(count - 1, std::memory_order_release);
  return slot;
}

}  // namespace makespan::pgas
