// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/ucx/detail/ucx_port.hpp"

#include <algorithm>
#include <mutex>
#include <span>
#include <utility>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::pgas {

namespace {

std::vector<UcxPortKey> keys_of(std::span<UcxPortCard const> ports) {
  std::vector<UcxPortKey> keys(ports.size());
  std::ranges::transform(ports, keys.begin(), &UcxPortCard::key);
  return keys;
}

std::vector<std::vector<std::byte>> addresses_of(std::span<UcxPortCard const> ports) {
  std::vector<std::vector<std::byte>> addresses(ports.size());
  std::ranges::transform(ports, addresses.begin(), &UcxPortCard::address);
  return addresses;
}

UcxSenderOptions sender_options(UcxPortParts const& parts) {
  return {.image = checked_cast<int>(parts.job.image().value()),
          .images = parts.job.images(),
          .threading = parts.threading,
          .message_bytes_max = checked_cast<std::size_t>(parts.options.message_bytes_max),
          .keys = keys_of(parts.ports),
          .aggregates = parts.options.aggregates};
}

UcxReceiverOptions receiver_options(UcxPortParts const& parts) {
  auto const bytes_max = checked_cast<std::size_t>(parts.options.message_bytes_max);
  return {
      .images = parts.job.images(),
      .streams = parts.threading == LinkThreading::concurrent ? static_cast<int>(ucx_streams) : 1,
      .message_bytes_max = bytes_max,
      // As many as one sender has slots for long messages, so that none of one sender waits for
      // room here.
      .destinations = std::max(1, SendSlots::large_slots(bytes_max)),
      .key = parts.ports[static_cast<std::size_t>(parts.job.image().value())].key};
}

}  // namespace

UcxPort::UcxPort(UcxPortParts parts)
    : images_{parts.job.images()},
      payload_bytes_max_{parts.options.message_bytes_max},
      worker_{std::move(parts.worker)},
      endpoints_{worker_->get(), parts.job, addresses_of(parts.ports), parts.context,
                 parts.threading},
      rma_{endpoints_, parts.job.images()},
      sender_{endpoints_, sender_options(parts)},
      receiver_{worker_->get(), endpoints_, receiver_options(parts)} {
}

UcxPort::~UcxPort() {
  // Endpoints that closing ends are no losses of the job.
  endpoints_.stop_reporting();
  // Before connections are closed: UCX waits for each announced message to be fetched or released.
  receiver_.stop();
  // Without waiting: the others may be gone, as after an exception.
  endpoints_.close_all([] { return false; });
  rma_.let_go_of_requests();
  // Before the rest, which UCX calls back.
  worker_->destroy();
}

SendOutcome UcxPort::send(ImageId to, WireHeader const& header,
                          std::span<std::byte const> payload) {
  MAKESPAN_EXPECT(to.value() >= 0 && to.value() < images_);
  MAKESPAN_EXPECT(checked_cast<std::int64_t>(payload.size()) <= payload_bytes_max_);
  return sender_.send(static_cast<int>(to.value()), header, payload);
}

int UcxPort::poll(MessageSink& sink) {
  // Before the lock is tried: what this thread has aggregated leaves also while another drives the
  // worker.
  int happened = sender_.send_aggregates();
  std::unique_lock const lock(progress_, std::try_to_lock);
  // One thread drives the worker, for all.
  if (!lock.owns_lock()) return happened;
  // Before progress, so that nothing is delivered of an image that was given up before this call.
  // One that UCX loses meanwhile is buried by the next call: what had come of it is delivered.
  if (endpoints_.has_lost()) bury_lost();
  happened += worker_->progress();
  // After progress, which brings announcements, and before delivery, which takes what a fetch
  // brought at once.
  happened += receiver_.start_fetches();
  try {
    happened += receiver_.deliver(sink);
    happened += deliver_own(sink);
  } catch (...) {
    // Answers to what was delivered before it threw.
    sender_.send_aggregates();
    throw;
  }
  happened += sender_.send_aggregates();  // of answers
  // When UCX is done with every slot, so that one flush of each endpoint covers all.
  if (drain_asked_.load(std::memory_order_relaxed) && sender_.is_idle()) {
    drain_asked_.store(false, std::memory_order_relaxed);
    endpoints_.start_flushes();
  }
  return happened;
}

int UcxPort::deliver_own(MessageSink& sink) {
  int delivered = 0;
  // As many as there are slots, at most: what is sent meanwhile has its turn later.
  while (delivered < SendSlots::small_slots) {
    SendSlot* const own = sender_.take_own();
    if (own == nullptr) break;
    struct GivesBack {
      UcxSender& sender;
      SendSlot& slot;
      ~GivesBack() { sender.release(slot); }
    } const taken{sender_, *own};
    sink.deliver(own->header.message, own->payload);
    ++delivered;
  }
  return delivered;
}

void UcxPort::bury_lost() {
  for (int image = 0; image < images_; ++image) {
    if (!endpoints_.is_lost(image)) continue;
    receiver_.drop(image);
    if (endpoints_.close_lost(image)) sender_.write_off(image);
  }
}

bool UcxPort::is_drained() const {
  if (sender_.is_idle() && endpoints_.is_flushed()) return true;
  // Asked again by each call, so that no order is needed.
  drain_asked_.store(true, std::memory_order_relaxed);
  return false;
}

bool UcxPort::arm() {
  std::unique_lock const lock(progress_, std::try_to_lock);
  // The descriptor tells of none of these: a thread that slept now would miss them.
  if (!lock.owns_lock() || receiver_.has_work() || sender_.has_own() || sender_.has_aggregates() ||
      rma_.has_work() || endpoints_.has_lost() || drain_asked_.load(std::memory_order_relaxed)) {
    return false;
  }
  return worker_->arm();
}

void UcxPort::close_all(std::chrono::steady_clock::time_point deadline) {
  // The link is gone, and with it the sink: what still comes is dropped.
  receiver_.stop();
  endpoints_.close_all([&] {
    worker_->progress();
    return std::chrono::steady_clock::now() < deadline;
  });
  rma_.let_go_of_requests();
}

}  // namespace makespan::pgas
