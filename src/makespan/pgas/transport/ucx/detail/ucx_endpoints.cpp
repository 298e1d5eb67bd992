// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/transport/ucx/detail/ucx_endpoints.hpp"

#include <cstring>
#include <string>
#include <utility>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/base/image_errors.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_status.hpp"

namespace makespan::pgas {

UcxEndpoints::Turn::Turn(UcxEndpoints& all, int image)
    : endpoint_{all.at(image)}, is_counted_{all.is_concurrent_} {
  // Sequentially consistent, both: either close_lost() sees this user, or this user the loss.
  if (is_counted_) endpoint_.users.fetch_add(1);
  state_ = endpoint_.state.load();
  if (state_ == State::none) state_ = all.open(endpoint_);
}

UcxEndpoints::Turn::~Turn() {
  // Release: close_lost() closes the endpoint after all that this thread did with it.
  if (is_counted_) endpoint_.users.fetch_sub(1, std::memory_order_release);
}

UcxEndpoints::UcxEndpoints(ucp_worker_h worker, Job& job,
                           std::vector<std::vector<std::byte>> addresses, UcxContext const& context,
                           LinkThreading threading)
    : worker_{worker},
      job_{job},
      addresses_{std::move(addresses)},
      is_concurrent_{threading == LinkThreading::concurrent},
      is_near_(addresses_.size()),
      endpoints_(addresses_.size()) {
  for (std::size_t image = 0; image < endpoints_.size(); ++image) {
    endpoints_[image].all = this;
    endpoints_[image].image = checked_cast<int>(image);
  }
  // Where UCX has none, images of this node are reached by the network, and their losses noticed.
  if (!context.has_shared_memory()) return;
  for (ImageId const mate : job.node_images()) {
    is_near_[checked_cast<std::size_t>(mate.value())] = true;
  }
}

UcxEndpoints::State UcxEndpoints::open(Endpoint& endpoint) {
  State seen = State::none;
  // The second thread does not wait, since the first may be waiting for UCX's lock, which the
  // second may hold: the second is told that there is no room at the moment.
  if (!endpoint.state.compare_exchange_strong(seen, State::opening)) return seen;
  bool const is_near = is_near_[static_cast<std::size_t>(endpoint.image)];
  ucs_status_t status = UCS_ERR_UNREACHABLE;
  // UCX's transports within a node handle no errors: with this mode it would go by the network
  // there.
  if (!is_near) status = create(endpoint, UCP_ERR_HANDLING_MODE_PEER);
  if (status != UCS_OK) status = create(endpoint, UCP_ERR_HANDLING_MODE_NONE);
  if (status != UCS_OK) {
    endpoint.handle = nullptr;
    lose(endpoint.image, "ucp_ep_create", status);
    return State::lost;
  }
  seen = State::opening;
  // Fails when UCX has lost it again meanwhile.
  return endpoint.state.compare_exchange_strong(seen, State::open) ? State::open : seen;
}

ucs_status_t UcxEndpoints::create(Endpoint& endpoint, ucp_err_handling_mode_t mode) {
  ucp_ep_params_t params{};
  params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS | UCP_EP_PARAM_FIELD_ERR_HANDLING_MODE |
                      UCP_EP_PARAM_FIELD_ERR_HANDLER;
  params.address = reinterpret_cast<ucp_address_t const*>(
      addresses_[static_cast<std::size_t>(endpoint.image)].data());
  params.err_mode = mode;
  params.err_handler.cb = &on_error;
  params.err_handler.arg = &endpoint;
  endpoint.handles_loss = mode == UCP_ERR_HANDLING_MODE_PEER;
  return ucp_ep_create(worker_, &params, &endpoint.handle);
}

bool UcxEndpoints::has_far_images() const {
  auto const own = static_cast<std::size_t>(job_.image().value());
  for (std::size_t image = 0; image < is_near_.size(); ++image) {
    if (image != own && !is_near_[image]) return true;
  }
  return false;
}

UcxEndpoints::Attached UcxEndpoints::attach(Turn& turn, std::span<std::byte const> packed_key) {
  Endpoint& endpoint = turn.endpoint_;
  MAKESPAN_EXPECT(endpoint.key == nullptr);
  Attached attached;
  if (packed_key.size() <= sizeof attached.address) {
    throw BadMessage(ImageId{endpoint.image}, "a key to its memory of " +
                                                  std::to_string(packed_key.size()) +
                                                  " bytes, which begins with an address of " +
                                                  std::to_string(sizeof attached.address));
  }
  std::memcpy(&attached.address, packed_key.data(), sizeof attached.address);
  void const* const key = packed_key.data() + sizeof attached.address;
  // Where UCX cannot use the key, the image's memory is reached by messages alone.
  if (ucp_ep_rkey_unpack(endpoint.handle, key, &endpoint.key) != UCS_OK) {
    endpoint.key = nullptr;
    return attached;
  }
  attached.has_key = true;
  void* here = nullptr;
  if (ucp_rkey_ptr(endpoint.key, attached.address, &here) == UCS_OK) {
    attached.here = static_cast<std::byte*>(here);
  }
  return attached;
}

bool UcxEndpoints::mark_lost(Endpoint& endpoint) noexcept {
  State seen = endpoint.state.load();
  // Once for each: threads that send, callbacks and the job may all find it out.
  do {
    if (seen >= State::lost) return false;
  } while (!endpoint.state.compare_exchange_weak(seen, State::lost));
  // After the state, so that the thread that drives progress finds what the count promises.
  lost_.fetch_add(1, std::memory_order_release);
  return true;
}

void UcxEndpoints::lose(int image, std::string_view call, ucs_status_t status) noexcept {
  if (!mark_lost(at(image)) || !reports_.load(std::memory_order_relaxed)) return;
  try {
    job_.report_loss(ImageId{image}, "UCX does not reach it, " + describe_ucx(call, status));
    // NOLINTNEXTLINE(bugprone-empty-catch)
  } catch (...) {
    // No memory for the text. The image stays silent, so the job notices by itself.
  }
}

void UcxEndpoints::abandon(int image) noexcept {
  static_cast<void>(mark_lost(at(image)));
}

ImageId UcxEndpoints::lost_by(int image) const noexcept {
  try {
    ImageId const here = job_.image();
    if (!job_.loss_of(here).empty()) return here;
    // NOLINTNEXTLINE(bugprone-empty-catch)
  } catch (...) {
    // No memory for the reason, which is not wanted.
  }
  return ImageId{image};
}

bool UcxEndpoints::close_lost(int image) {
  Endpoint& endpoint = at(image);
  // The state first, and then the users: see Turn's constructor.
  if (endpoint.state.load() != State::lost || endpoint.users.load() > 0) return false;
  // One that does not handle losses cannot be closed without its peer, and stays until the end.
  if (endpoint.handles_loss) close(endpoint);
  endpoint.state.store(State::closed);
  lost_.fetch_sub(1, std::memory_order_relaxed);
  return true;
}

void UcxEndpoints::start_flushes() {
  for (Endpoint& endpoint : endpoints_) {
    if (endpoint.state.load() != State::open) continue;
    if (endpoint.is_flushing.load(std::memory_order_relaxed)) continue;
    // Before it begins: what is sent from here on needs another one.
    if (!endpoint.has_unflushed.exchange(false, std::memory_order_relaxed)) continue;
    endpoint.is_flushing.store(true, std::memory_order_relaxed);
    ucp_request_param_t params{};
    params.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
    params.cb.send = &on_flushed;
    params.user_data = &endpoint;
    ucs_status_ptr_t const request = ucp_ep_flush_nbx(endpoint.handle, &params);
    if (state_of(request) == RequestState::under_way) {
      // Kept for let_go_of_requests(), should the worker go before it ends.
      endpoint.flush = request;
      continue;
    }
    endpoint.is_flushing.store(false, std::memory_order_relaxed);
    if (state_of(request) == RequestState::failed) {
      lose(endpoint.image, "ucp_ep_flush_nbx", UCS_PTR_STATUS(request));
    }
  }
}

bool UcxEndpoints::is_flushed() const {
  for (Endpoint const& endpoint : endpoints_) {
    // UCX may hold for good what was sent to a lost image.
    if (endpoint.state.load() != State::open) continue;
    if (endpoint.has_unflushed.load(std::memory_order_relaxed)) return false;
    if (endpoint.is_flushing.load(std::memory_order_relaxed)) return false;
  }
  return true;
}

void UcxEndpoints::close(Endpoint& endpoint) {
  ucp_request_param_t params{};
  params.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  params.cb.send = &on_closed;
  params.user_data = &endpoint;
  if (endpoint.handles_loss) {
    // By force, which waits for no answer of the peer, and which UCX allows only between endpoints
    // that handle errors. At the end of a job, what was to leave has been flushed by then
    // (close_all()).
    params.op_attr_mask |= UCP_OP_ATTR_FIELD_FLAGS;
    params.flags = UCP_EP_CLOSE_FLAG_FORCE;
  }
  closing_.fetch_add(1, std::memory_order_relaxed);
  ucs_status_ptr_t const request = ucp_ep_close_nbx(endpoint.handle, &params);
  // Also when it says that it failed, the endpoint is gone.
  endpoint.handle = nullptr;
  if (state_of(request) == RequestState::under_way) {
    endpoint.closing = request;
  } else {
    closing_.fetch_sub(1, std::memory_order_relaxed);
  }
}

void UcxEndpoints::close_each() {
  for (Endpoint& endpoint : endpoints_) {
    if (endpoint.key != nullptr) ucp_rkey_destroy(std::exchange(endpoint.key, nullptr));
    // A lost one that UCX cannot close by force waits for its peer for ever; it goes with the
    // worker.
    bool const waits = endpoint.state.load() != State::open && !endpoint.handles_loss;
    if (endpoint.handle != nullptr && !waits) close(endpoint);
    endpoint.state.store(State::closed);
  }
}

// UCX 1.13 ends the process when a worker goes that has a flush whose owner still wants it.
void UcxEndpoints::let_go_of_requests() {
  for (Endpoint& endpoint : endpoints_) {
    for (void** const request : {&endpoint.flush, &endpoint.closing}) {
      if (*request != nullptr) ucp_request_free(std::exchange(*request, nullptr));
    }
  }
}

// Called while UCX makes progress: the loss is only noted, and the endpoint is closed after the
// round (close_lost()).
void UcxEndpoints::on_error(void* endpoint, ucp_ep_h /*handle*/, ucs_status_t status) noexcept {
  auto const& lost = *static_cast<Endpoint*>(endpoint);
  lost.all->lose(lost.image, "its endpoint", status);
}

void UcxEndpoints::on_flushed(void* request, ucs_status_t /*status*/, void* endpoint) noexcept {
  // A flush that fails does so because the image is lost, which on_error() hears.
  auto& flushed = *static_cast<Endpoint*>(endpoint);
  flushed.flush = nullptr;
  flushed.is_flushing.store(false, std::memory_order_relaxed);
  ucp_request_free(request);
}

void UcxEndpoints::on_closed(void* request, ucs_status_t /*status*/, void* endpoint) noexcept {
  auto& closed = *static_cast<Endpoint*>(endpoint);
  closed.closing = nullptr;
  closed.all->closing_.fetch_sub(1, std::memory_order_relaxed);
  ucp_request_free(request);
}

}  // namespace makespan::pgas
