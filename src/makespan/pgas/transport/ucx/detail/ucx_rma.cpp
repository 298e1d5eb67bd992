// SPDX-License-Identifier: Apache-2.0
// How operations begin, and go on.
#include "makespan/pgas/transport/ucx/detail/ucx_rma.hpp"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

#include "makespan/pgas/transport/ucx/detail/ucx_status.hpp"

namespace makespan::pgas {

UcxRma::UcxRma(UcxEndpoints& endpoints, int images)
    : endpoints_{endpoints}, targets_(static_cast<std::size_t>(images)) {
}

UcxRma::~UcxRma() = default;

UcxRma::Operation* UcxRma::acquire(Kind kind, int image, Completion* done) {
  std::scoped_lock const lock(lock_);
  if (free_.empty()) {
    // Those that UCX keeps for good do not count: lost images would take the room of the others.
    if (operations_.size() >= operations_max + written_off_) return nullptr;
    // So that release(), which UCX's callbacks call, never allocates.
    free_.reserve(operations_.size() + 1);
    free_.push_back(operations_.emplace_back(std::make_unique<Operation>()).get());
  }
  Operation& operation = *free_.back();
  free_.pop_back();
  operation.all = this;
  operation.kind = kind;
  operation.is_used = true;
  operation.image = image;
  operation.holders = 1;
  operation.done = done;
  operation.has_ended = operation.has_failed = false;
  return &operation;
}

void UcxRma::release(Operation& operation) {
  if (--operation.holders > 0) return;
  operation.is_used = false;
  operation.done = nullptr;
  operation.destination = {};
  free_.push_back(&operation);
}

// For what it sends or gets. Where there is no memory for that, it is free again and has not begun.
void UcxRma::make_room(Operation& operation, std::size_t bytes) {
  try {
    operation.buffer.reserve(bytes);
  } catch (...) {
    std::scoped_lock const lock(lock_);
    release(operation);
    throw;
  }
}

StartOutcome UcxRma::put(UcxEndpoints::Turn& turn, ImageId target, std::uint64_t address,
                         std::span<std::byte const> data, Completion* done) {
  auto const image = static_cast<int>(target.value());
  Operation* const operation = acquire(Kind::put, image, done);
  if (operation == nullptr) return StartOutcome::busy;
  make_room(*operation, data.size());
  start_put(turn, *operation, address, data);
  // At once, so that its end wakes a helper that sleeps.
  if (done != nullptr) flush(image);
  return StartOutcome::started;
}

StartOutcome UcxRma::put_signal(UcxEndpoints::Turn& turn, ImageId target, SignalledPut const& put,
                                Completion* done) {
  auto const image = static_cast<int>(target.value());
  Operation* const operation = acquire(Kind::put_signal, image, done);
  if (operation == nullptr) return StartOutcome::busy;
  make_room(*operation, put.data.size());
  operation->offset = put.offset;
  operation->signal = put.signal;
  start_put(turn, *operation, put.address, put.data);
  flush(image);
  return StartOutcome::started;
}

void UcxRma::start_put(UcxEndpoints::Turn& turn, Operation& operation, std::uint64_t address,
                       std::span<std::byte const> data) {
  operation.buffer.assign(data.begin(), data.end());
  bool const awaits_flush = operation.done != nullptr || operation.kind == Kind::put_signal;
  {
    std::scoped_lock const lock(lock_);
    Target& target = target_of(operation.image);
    // Before the call, since its callback may run in another thread before the call returns.
    ++operation.holders;  // UCX
    if (operation.kind == Kind::put_signal) ++target.signals;
  }
  ucp_request_param_t params{};
  params.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  params.cb.send = &on_local;
  params.user_data = &operation;
  ucs_status_ptr_t const request =
      ucp_put_nbx(turn.endpoint(), operation.buffer.data(), operation.buffer.size(), address,
                  turn.key(), &params);
  // So that the link is not taken for drained while UCX still holds the put.
  turn.note_sent();
  RequestState const state = state_of(request);
  if (state == RequestState::failed) {
    endpoints_.lose(operation.image, "ucp_put_nbx", UCS_PTR_STATUS(request));
  }
  std::scoped_lock const lock(lock_);
  Target& target = target_of(operation.image);
  if (state != RequestState::under_way) {
    release(operation);  // UCX has let go of it
  } else if (!operation.has_ended) {
    // Otherwise its callback has run by now, and freed the request.
    operation.request = request;
  }
  if (state == RequestState::failed) {
    // There is no callback of a call that failed.
    tell(operation, UCS_ERR_CONNECTION_RESET);
    if (operation.kind == Kind::put_signal) --target.signals;
    release(operation);
    return;
  }
  // When it has begun: a flush that has begun meanwhile may not cover it.
  ++target.put;
  if (!awaits_flush) {
    release(operation);
    return;
  }
  target.waiting.push_back(&operation);
  // Once, however many wait: pending_ counts flushes and signals, not puts.
  if (!std::exchange(target.is_flush_asked, true)) pending_.fetch_add(1);
}

StartOutcome UcxRma::get(UcxEndpoints::Turn& turn, ImageId target, std::uint64_t address,
                         std::span<std::byte> destination, Completion& done) {
  Operation* const operation = acquire(Kind::get, static_cast<int>(target.value()), &done);
  if (operation == nullptr) return StartOutcome::busy;
  make_room(*operation, destination.size());
  // Without the lock: until UCX has it, others look at nothing of it but `done`.
  operation->holders = 2;  // UCX, and this function until it returns
  operation->destination = destination;
  operation->buffer.resize(destination.size());
  ucp_request_param_t params{};
  params.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  params.cb.send = &on_local;
  params.user_data = operation;
  ucs_status_ptr_t const request =
      ucp_get_nbx(turn.endpoint(), operation->buffer.data(), operation->buffer.size(), address,
                  turn.key(), &params);
  turn.note_sent();
  RequestState const state = state_of(request);
  if (state == RequestState::under_way) {
    std::scoped_lock const lock(lock_);
    if (!operation->has_ended) operation->request = request;
    release(*operation);
    return StartOutcome::started;
  }
  // UCX calls back only for what is under way: what is over already is ended here.
  ucs_status_t const status = state == RequestState::done ? UCS_OK : UCS_PTR_STATUS(request);
  end_local(*operation, status);
  std::scoped_lock const lock(lock_);
  release(*operation);
  return StartOutcome::started;
}

bool UcxRma::is_flushed(ImageId image) {
  std::scoped_lock const lock(lock_);
  Target& target = target_of(static_cast<int>(image.value()));
  if (target.flushed == target.put) return target.signals == 0;
  // A flush covers what had begun before it. With a later put one more is needed, and begins when
  // that one has ended: one at a time, for any number of puts.
  bool const is_covered = target.flush != nullptr && target.covered == target.put;
  if (!is_covered && !std::exchange(target.is_flush_asked, true)) pending_.fetch_add(1);
  return false;
}

int UcxRma::poll(RemoteMemory& by_messages) {
  // Looked at in every round of progress, so without the lock; what begins meanwhile is found in
  // the next.
  if (pending_.load(std::memory_order_relaxed) == 0) return 0;
  for (int image = 0; image < static_cast<int>(targets_.size()); ++image) flush(image);
  return send_signals(by_messages);
}

UcxRma::Flush& UcxRma::acquire_flush(int image) {
  auto& flushes = target_of(image).flushes;
  auto free = std::ranges::find_if(flushes, [](auto const& flush) { return !flush->is_used; });
  if (free == flushes.end()) {
    flushes.push_back(std::make_unique<Flush>(Flush{.all = this, .image = image}));
    free = std::prev(flushes.end());
  }
  Flush& flush = **free;
  flush.is_used = true;
  ++flush.uses;
  return flush;
}

void UcxRma::flush(int image) {
  Flush* begun = nullptr;
  std::uint64_t use = 0;
  {
    std::scoped_lock const lock(lock_);
    Target& target = target_of(image);
    if (!target.is_flush_asked || target.flush != nullptr) return;
    begun = target.flush = &acquire_flush(image);
    use = begun->uses;
    target.is_flush_asked = false;
    // What begins from here on is not covered, and asks for the next one.
    target.covered = target.put;
    target.flushing.swap(target.waiting);
  }
  UcxEndpoints::Turn const turn(endpoints_, image);
  ucs_status_t status = UCS_ERR_CONNECTION_RESET;
  if (turn.is_open()) {
    ucp_request_param_t params{};
    params.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
    params.cb.send = &on_flushed;
    params.user_data = begun;
    ucs_status_ptr_t const request = ucp_ep_flush_nbx(turn.endpoint(), &params);
    if (state_of(request) == RequestState::under_way) {
      std::scoped_lock const lock(lock_);
      // Unless it has ended meanwhile, in another thread.
      if (begun->is_used && begun->uses == use) begun->request = request;
      return;
    }
    status = state_of(request) == RequestState::done ? UCS_OK : UCS_PTR_STATUS(request);
    if (status != UCS_OK) endpoints_.lose(image, "ucp_ep_flush_nbx", status);
  }
  // Also where the image is lost and UCX was not asked: the status fails those that wait for a
  // flush.
  end_flush(*begun, status);
}

// One that finds no room does not hold up those to others.
int UcxRma::send_signals(RemoteMemory& by_messages) {
  // Sent without the lock: the table of operations that wait for messages takes its own lock first
  // and then, in a completion, this one.
  std::vector<Operation*> ready;
  {
    std::scoped_lock const lock(lock_);
    ready.swap(signals_);
  }
  // What stays is moved to the front, so that nothing need be allocated.
  std::size_t kept = 0;
  std::size_t at = 0;
  auto const keep_rest = [&] {
    while (at < ready.size()) ready[kept++] = ready[at++];
    ready.resize(kept);
    std::scoped_lock const lock(lock_);
    if (signals_.empty()) {
      signals_.swap(ready);
    } else {
      signals_.insert(signals_.begin(), ready.begin(), ready.end());
    }
  };
  try {
    for (; at < ready.size(); ++at) {
      if (!send_signal(*ready[at], by_messages)) ready[kept++] = ready[at];
    }
  } catch (...) {
    keep_rest();
    throw;
  }
  int const sent = static_cast<int>(ready.size() - kept);
  if (kept > 0) keep_rest();
  return sent;
}

// False where there is no room for it.
bool UcxRma::send_signal(Operation& next, RemoteMemory& by_messages) {
  int const image = next.image;
  bool is_awaited = false;
  {
    std::scoped_lock const lock(lock_);
    is_awaited = next.done != nullptr;
  }
  // An awaited one may be answered, and be another operation, before this returns.
  StartOutcome const outcome = by_messages.put_signal(ImageId{image}, next.offset, {}, next.signal,
                                                      is_awaited ? &next : nullptr);
  if (outcome == StartOutcome::busy) return false;
  std::scoped_lock const lock(lock_);
  --target_of(image).signals;
  pending_.fetch_sub(1);
  if (!is_awaited) release(next);
  return true;
}

}  // namespace makespan::pgas
