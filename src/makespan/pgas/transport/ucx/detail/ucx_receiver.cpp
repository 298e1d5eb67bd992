// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/ucx/detail/ucx_receiver.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/transport/ucx/detail/message_aggregate.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_sender.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_status.hpp"

namespace makespan::pgas {

UcxReceiver::UcxReceiver(ucp_worker_h worker, UcxEndpoints& endpoints,
                         UcxReceiverOptions const& options)
    : worker_{worker},
      endpoints_{endpoints},
      options_{options},
      order_(checked_cast<std::size_t>(options.images * options.streams)),
      destinations_(checked_cast<std::size_t>(options.destinations)) {
  for (Destination& destination : destinations_) destination.receiver = this;
  ucp_am_handler_param_t params{};
  params.field_mask = UCP_AM_HANDLER_PARAM_FIELD_ID | UCP_AM_HANDLER_PARAM_FIELD_FLAGS |
                      UCP_AM_HANDLER_PARAM_FIELD_CB | UCP_AM_HANDLER_PARAM_FIELD_ARG;
  params.id = UcxSender::message_id;
  params.flags = UCP_AM_FLAG_PERSISTENT_DATA;  // we keep what we get until it is delivered
  params.cb = &on_message;
  params.arg = this;
  check_ucx(ucp_worker_set_am_recv_handler(worker_, &params), "ucp_worker_set_am_recv_handler");
}

// NOLINTNEXTLINE(readability-function-size): UCX says what its callback takes
ucs_status_t UcxReceiver::on_message(void* receiver, void const* header, std::size_t header_bytes,
                                     void* data, std::size_t bytes,
                                     ucp_am_recv_param_t const* params) noexcept {
  auto& self = *static_cast<UcxReceiver*>(receiver);
  try {
    UcxHeader copy;
    if (header_bytes != sizeof copy) return UCS_OK;  // a stranger's, as one with another key
    std::memcpy(&copy, header, sizeof copy);
    return self.take_note(copy, data, bytes, params->recv_attr);
  } catch (...) {
    // UCX is C, which no exception may pass: deliver() throws it.
    if (!self.failure_) self.failure_ = std::current_exception();
    return UCS_OK;
  }
}

ucs_status_t UcxReceiver::take_note(UcxHeader const& header, void* data, std::size_t bytes,
                                    std::uint64_t attributes) {
  if (header.key != options_.key) return UCS_OK;  // and forgotten
  if (header.origin >= order_.origins() || bytes > options_.message_bytes_max) {
    throw BadMessage(ImageId{header.message.source},
                     "from stream " + std::to_string(header.origin) + " of " +
                         std::to_string(order_.origins()) + ", of " + std::to_string(bytes) +
                         " bytes, " + std::to_string(options_.message_bytes_max) + " at most");
  }
  if (is_stopped_ || order_.is_closed(header.origin)) return UCS_OK;
  // A long message is only announced (UCX's rendezvous): its data stays with the sender until it is
  // fetched.
  if ((attributes & UCP_AM_RECV_ATTR_FLAG_RNDV) != 0) {
    announced_.push_back({.header = header, .bytes = bytes, .descriptor = data});
    // The descriptor is ours by this answer, until it is fetched or released.
    return UCS_INPROGRESS;
  }
  expect_next(header);
  bool const is_kept = bytes > 0 && (attributes & UCP_AM_RECV_ATTR_FLAG_DATA) != 0;
  MAKESPAN_ASSERT(is_kept || bytes == 0);  // as UCP_AM_FLAG_PERSISTENT_DATA promises
  arrive({.header = header, .bytes = bytes, .ucx_data = is_kept ? data : nullptr});
  // With UCS_INPROGRESS the data stays ours until ucp_am_data_release().
  return is_kept ? UCS_INPROGRESS : UCS_OK;
}

// A sender is never so far ahead, and tells no number twice: it waits for room first.
void UcxReceiver::expect_next(UcxHeader const& header) const {
  if (order_.takes(header.origin, header.number)) return;
  throw BadMessage(ImageId{image_of(header)},
                   "number " + std::to_string(header.number) + " of stream " +
                       std::to_string(header.origin) +
                       ", which has come already, or so early that none before it is missing");
}

void UcxReceiver::arrive(Arrival const& arrival) {
  order_.arrive(arrival.header.origin, arrival.header.number, arrival,
                [this](Arrival const& next) { arrived_.push_back(next); });
}

int UcxReceiver::start_fetches() {
  int started = 0;
  while (!announced_.empty()) {
    Destination* const destination = free_destination();
    // What is not fetched stays with its sender, which holds it back.
    if (destination == nullptr) return started;
    Announced const next = announced_.front();
    announced_.pop_front();
    fetch(next, *destination);
    ++started;
  }
  return started;
}

UcxReceiver::Destination* UcxReceiver::free_destination() {
  auto const found = std::ranges::find(destinations_, false, &Destination::is_in_use);
  if (found == destinations_.end()) return nullptr;
  // When it is first needed: long messages may never come.
  if (!found->memory) {
    found->memory = std::make_unique_for_overwrite<std::byte[]>(options_.message_bytes_max);
  }
  return &*found;
}

void UcxReceiver::fetch(Announced const& announced, Destination& destination) {
  destination.is_in_use = true;
  destination.header = announced.header;
  destination.bytes = announced.bytes;
  ucp_request_param_t params{};
  params.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  params.cb.recv_am = &on_fetched;
  params.user_data = &destination;
  ucs_status_ptr_t const request = ucp_am_recv_data_nbx(
      worker_, announced.descriptor, destination.memory.get(), destination.bytes, &params);
  // UCX calls back only for what is under way.
  if (state_of(request) != RequestState::under_way) landed(destination, UCS_PTR_STATUS(request));
}

void UcxReceiver::on_fetched(void* request, ucs_status_t status, std::size_t /*bytes*/,
                             void* destination) noexcept {
  auto& filled = *static_cast<Destination*>(destination);
  UcxReceiver& self = *filled.receiver;
  ucp_request_free(request);
  try {
    self.landed(filled, status);
  } catch (...) {
    if (!self.failure_) self.failure_ = std::current_exception();
  }
}

void UcxReceiver::landed(Destination& destination, ucs_status_t status) {
  UcxHeader const& header = destination.header;
  if (status == UCS_OK && !is_stopped_ && !order_.is_closed(header.origin)) {
    // Another that says the same may have landed since it was announced.
    destination.is_in_use = order_.takes(header.origin, header.number);
    expect_next(header);
    arrive({.header = header, .bytes = destination.bytes, .destination = &destination});
    return;
  }
  // The image was given up, or this link is closing: what has come is dropped.
  destination.is_in_use = false;
  // Nothing of this image could be delivered after what is missing now.
  if (status != UCS_OK) endpoints_.lose(image_of(header), "ucp_am_recv_data_nbx", status);
}

int UcxReceiver::deliver(MessageSink& sink) {
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  int delivered = 0;
  // From `first_` on: where the sink throws, the next call goes on behind the message that it threw
  // at.
  while (first_ < arrived_.size()) {
    // The messages of an aggregate are delivered before it counts as taken: should one throw, the
    // next call goes on with the one after it.
    if (arrived_[first_].header.aggregated != 0) delivered += deliver_aggregate(sink);
    // Also if the sink throws: the message is done with.
    struct GivesBack {
      UcxReceiver& receiver;
      Arrival arrival;
      ~GivesBack() { receiver.give_back(arrival); }
    } const taken{*this, arrived_[first_++]};
    bool const is_delivered = taken.arrival.header.aggregated != 0;
    // An image may be given up while its messages wait here.
    if (is_delivered || order_.is_closed(taken.arrival.header.origin)) continue;
    sink.deliver(taken.arrival.header.message, payload_of(taken.arrival));
    ++delivered;
  }
  arrived_.clear();
  first_ = 0;
  return delivered;
}

std::span<std::byte const> UcxReceiver::payload_of(Arrival const& arrival) {
  void const* const data =
      arrival.destination != nullptr ? arrival.destination->memory.get() : arrival.ucx_data;
  return {static_cast<std::byte const*>(data), arrival.bytes};
}

// The messages of the first arrival. If one throws, those after it are delivered by the next call.
int UcxReceiver::deliver_aggregate(MessageSink& sink) {
  Arrival const aggregate = arrived_[first_];
  std::span<std::byte const> const data = payload_of(aggregate);
  int delivered = 0;
  for (std::size_t at = aggregate.delivered_bytes; at < data.size();) {
    if (order_.is_closed(aggregate.header.origin)) break;
    arrived_[first_].delivered_bytes = data.size();  // if nothing can be made of the rest
    AggregatedMessage const next = message_in_aggregate(data, at, aggregate.header.message.source);
    at = next.next;
    arrived_[first_].delivered_bytes = at;
    sink.deliver(next.header, next.payload);
    ++delivered;
  }
  return delivered;
}

void UcxReceiver::give_back(Arrival const& arrival) noexcept {
  if (arrival.destination != nullptr) arrival.destination->is_in_use = false;
  if (arrival.ucx_data != nullptr) ucp_am_data_release(worker_, arrival.ucx_data);
}

bool UcxReceiver::has_work() const {
  if (first_ < arrived_.size() || failure_) return true;
  return !announced_.empty() && std::ranges::any_of(destinations_, [](Destination const& each) {
    return !each.is_in_use;
  });
}

void UcxReceiver::drop(int image) {
  for (int stream = 0; stream < options_.streams; ++stream) {
    auto const origin = checked_cast<std::size_t>(image * options_.streams + stream);
    if (!order_.is_closed(origin)) {
      order_.close(origin, [this](Arrival const& early) { give_back(early); });
    }
  }
  // UCX waits for each of these to be fetched or released.
  std::erase_if(announced_, [this, image](Announced const& each) {
    if (image_of(each.header) != image) return false;
    ucp_am_data_release(worker_, each.descriptor);
    return true;
  });
}

void UcxReceiver::stop() {
  is_stopped_ = true;
  for (int image = 0; image < options_.images; ++image) drop(image);
  for (; first_ < arrived_.size(); ++first_) give_back(arrived_[first_]);
  arrived_.clear();
  first_ = 0;
}

}  // namespace makespan::pgas
