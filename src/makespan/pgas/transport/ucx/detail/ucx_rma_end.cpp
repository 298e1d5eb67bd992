// SPDX-License-Identifier: Apache-2.0
// How operations end.
#include <algorithm>
#include <mutex>
#include <utility>

#include "makespan/pgas/transport/ucx/detail/ucx_rma.hpp"

namespace makespan::pgas {

void UcxRma::tell(Operation& operation, ucs_status_t status) {
  if (status != UCS_OK) {
    fail(operation, endpoints_.lost_by(operation.image));
  } else if (Completion* const done = std::exchange(operation.done, nullptr)) {
    done->complete({});
  }
}

void UcxRma::fail(Operation& operation, ImageId lost) {
  if (Completion* const done = std::exchange(operation.done, nullptr)) done->fail(lost);
}

void UcxRma::Operation::complete(std::span<std::byte const> /*answer*/) noexcept {
  all->end_signal(*this, std::nullopt);
}

void UcxRma::Operation::refuse(std::string_view /*text*/) noexcept {
  all->end_signal(*this, std::nullopt);  // no memory operation is refused
}

void UcxRma::Operation::fail(ImageId lost) noexcept {
  all->end_signal(*this, lost);
}

void UcxRma::end_signal(Operation& operation, std::optional<ImageId> lost) {
  std::scoped_lock const lock(lock_);
  if (lost) {
    fail(operation, *lost);
  } else {
    tell(operation, UCS_OK);
  }
  release(operation);
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

void UcxRma::forget(Completion& done) {
  std::scoped_lock const lock(lock_);
  for (auto const& operation : operations_) {
    // Enough for a get, too: end_local() writes to the caller's memory only where there is a
    // Completion.
    if (operation->done == &done) operation->done = nullptr;
  }
}

void UcxRma::fail_all(ImageId here) {
  std::scoped_lock const lock(lock_);
  for (auto const& operation : operations_) fail(*operation, here);
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
