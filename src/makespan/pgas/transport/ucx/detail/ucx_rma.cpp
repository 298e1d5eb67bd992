// SPDX-License-Identifier: Apache-2.0
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

void UcxRma::tell(Operation& operation, ucs_status_t status) {
  Completion* const done = std::exchange(operation.done, nullptr);
  if (done == nullptr) return;
  if (status == UCS_OK) {
    done->complete({});
  } else {
    done->fail(ImageId{operation.image});
  }
}

void UcxRma::Operation::complete(std::span<std::byte const> /*answer*/) noexcept {
  all->end_signal(*this, UCS_OK);
}

void UcxRma::Operation::refuse(std::string_view /*text*/) noexcept {
  all->end_signal(*this, UCS_OK);  // no memory operation is refused
}

void UcxRma::Operation::fail(ImageId /*image*/) noexcept {
  all->end_signal(*this, UCS_ERR_CONNECTION_RESET);
}

void UcxRma::end_signal(Operation& operation, ucs_status_t status) {
  std::scoped_lock const lock(lock_);
  tell(operation, status);
  release(operation);
}

StartOutcome UcxRma::put(UcxEndpoints::Turn& turn, ImageId target, std::uint64_t address,
                         std::span<std::byte const> data, Completion* done) {
  auto const image = static_cast<int>(target.value());
  Operation* const operation = acquire(Kind::put, image, done);
  if (operation == nullptr) return StartOutcome::busy;
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

void UcxRma::on_local(void* request, ucs_status_t status, void* operation) noexcept {
  auto& ended = *static_cast<Operation*>(operation);
  ended.all->end_local(ended, status);
  ucp_request_free(request);
}

// UCX is done with the buffer. An endpoint within a node has no handler that hears of a loss.
void UcxRma::end_local(Operation& operation, ucs_status_t status) {
  if (status != UCS_OK) endpoints_.lose(operation.image, "a put or get", status);
  std::scoped_lock const lock(lock_);
  operation.has_ended = true;
  operation.has_failed = status != UCS_OK;
  operation.request = nullptr;
  bool const is_get = operation.kind == Kind::get;
  if (is_get && status == UCS_OK && operation.done != nullptr) {
    // With the lock held: forget() has come before, or the thread that leaves waits in it until its
    // memory is written.
    std::ranges::copy(operation.buffer, operation.destination.begin());
  }
  if (is_get || status != UCS_OK) tell(operation, status);
  release(operation);
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

void UcxRma::on_flushed(void* request, ucs_status_t status, void* flush) noexcept {
  auto& ended = *static_cast<Flush*>(flush);
  ended.all->end_flush(ended, status);
  ucp_request_free(request);
}

void UcxRma::end_flush(Flush& flush, ucs_status_t status) {
  std::scoped_lock const lock(lock_);
  // Also of one that was abandoned: UCX is done with it, and its request is freed.
  flush.is_used = false;
  flush.request = nullptr;
  Target& target = target_of(flush.image);
  if (target.flush != &flush) return;  // it was abandoned, and another may be under way
  target.flush = nullptr;
  // Of one that failed, too: the image is lost then, and no thread shall wait for puts to it.
  target.flushed = target.covered;
  for (Operation* const operation : std::exchange(target.flushing, {})) {
    // A signal tells that its data is there: where UCX could not write the data, or not flush it,
    // none is sent.
    if (operation->kind == Kind::put_signal && status == UCS_OK && !operation->has_failed) {
      signals_.push_back(operation);
      pending_.fetch_add(1);
      continue;
    }
    if (operation->kind == Kind::put_signal) --target.signals;
    tell(*operation, status);
    release(*operation);
  }
  pending_.fetch_sub(1);
}

// One that finds no room does not hold up those to others.
int UcxRma::send_signals(RemoteMemory& by_messages) {
  int sent = 0;
  // Sent without the lock: the table of operations that wait for messages takes its own lock first
  // and then, in a completion, this one.
  std::vector<Operation*> ready;
  {
    std::scoped_lock const lock(lock_);
    ready.swap(signals_);
  }
  std::vector<Operation*> kept;
  for (Operation* const next : ready) {
    int const image = next->image;
    bool is_awaited = false;
    {
      std::scoped_lock const lock(lock_);
      is_awaited = next->done != nullptr;
    }
    // An awaited one may be answered, and be another operation, before this returns.
    StartOutcome const outcome = by_messages.put_signal(ImageId{image}, next->offset, {},
                                                        next->signal, is_awaited ? next : nullptr);
    if (outcome == StartOutcome::busy) {
      kept.push_back(next);
      continue;
    }
    std::scoped_lock const lock(lock_);
    --target_of(image).signals;
    pending_.fetch_sub(1);
    if (!is_awaited) release(*next);
    ++sent;
  }
  if (!kept.empty()) {
    std::scoped_lock const lock(lock_);
    signals_.insert(signals_.begin(), kept.begin(), kept.end());
  }
  return sent;
}

void UcxRma::forget(Completion& done) {
  std::scoped_lock const lock(lock_);
  for (auto const& operation : operations_) {
    // Enough for a get, too: end_local() writes to the caller's memory only where there is a
    // Completion.
    if (operation->done == &done) operation->done = nullptr;
  }
}

void UcxRma::fail_all() {
  std::scoped_lock const lock(lock_);
  for (auto const& operation : operations_) tell(*operation, UCS_ERR_CONNECTION_RESET);
}

void UcxRma::let_go_of_requests() {
  // Collected first, since no call of UCX is made with the lock held.
  std::vector<void*> requests;
  {
    std::scoped_lock const lock(lock_);
    for (auto const& operation : operations_) {
      requests.push_back(std::exchange(operation->request, nullptr));
    }
    for (Target& target : targets_) {
      for (auto const& flush : target.flushes) {
        requests.push_back(std::exchange(flush->request, nullptr));
      }
    }
  }
  for (void* const request : requests) {
    if (request != nullptr) ucp_request_free(request);
  }
}

// UCX calls back no more for some of them (an endpoint within a node), which it keeps then.
void UcxRma::abandon(ImageId image) {
  std::scoped_lock const lock(lock_);
  auto const number = static_cast<int>(image.value());
  Target& target = target_of(number);
  if (std::exchange(target.is_flush_asked, false)) pending_.fetch_sub(1);
  // The flush itself goes on, and its end finds that it is not wanted any more: see end_flush().
  if (std::exchange(target.flush, nullptr) != nullptr) pending_.fetch_sub(1);
  target.flushed = target.put;
  for (auto* const list : {&target.waiting, &target.flushing}) {
    for (Operation* const operation : std::exchange(*list, {})) {
      if (operation->kind == Kind::put_signal) --target.signals;
      tell(*operation, UCS_ERR_CONNECTION_RESET);
      release(*operation);
    }
  }
  for (auto const& operation : operations_) {
    if (!operation->is_used || operation->image != number) continue;
    tell(*operation, UCS_ERR_CONNECTION_RESET);
    ++written_off_;
  }
}

}  // namespace makespan::pgas
