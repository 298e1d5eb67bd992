// SPDX-License-Identifier: Apache-2.0
// How operations go on, and end.
#include <algorithm>
#include <chrono>
#include <mutex>
#include <utility>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/pgas/job/leak.hpp"
#include "makespan/pgas/mpi/mpi_error.hpp"
#include "makespan/pgas/transport/am/mpi_am_context.hpp"
#include "makespan/pgas/transport/rma/detail/mpi_rma_memory.hpp"

namespace makespan::pgas {

namespace {

using Clock = std::chrono::steady_clock;

// Open MPI carries out operations on this image itself at once, and looks after nothing else then:
// an image that spins on a word of its own would never let others at it.
constexpr std::uint64_t rounds_between_kicks = 32;

ImageId image_of(RmaOperation const& operation) {
  return ImageId{checked_cast<std::int64_t>(operation.target)};
}

// Whether some requests have failed, and the statuses say which.
bool is_in_statuses(int code) {
  int error_class = MPI_SUCCESS;
  return code != MPI_SUCCESS && MPI_Error_class(code, &error_class) == MPI_SUCCESS &&
         error_class == MPI_ERR_IN_STATUS;
}

}  // namespace

RmaMemory::~RmaMemory() {
  std::chrono::duration<double> const limit(close_limit_s_);
  auto const begin = Clock::now();
  take_over();
  // No thread waits any more for operations of a memory that is closed. Those that hold themselves
  // until they are over are to hear of it all the same: their targets may be well, and it is this
  // image that ends.
  auto const tell = [this](RmaOperation& operation) {
    operation.destination = {};
    if (Completion* const done = std::exchange(operation.done, nullptr)) done->fail(job_.image());
  };
  for (RmaOperation* const operation : owners_) tell(*operation);
  for (RmaOperation* const operation : ended_) tell(*operation);
  try {
    while (under_way_.load() != 0 && Clock::now() - begin < limit) poll();
  } catch (...) {
    // MPI has failed altogether, and has been blamed for it before.
    ended_.clear();
  }
  // MPI may still use these.
  for (auto& operation : operations_) {
    if (std::ranges::find(free_, operation.get()) == free_.end()) leak(std::move(operation));
  }
  for (auto& operation : retired_) leak(std::move(operation));
}

bool RmaMemory::is_flushed(ImageId target) {
  auto const image = static_cast<std::size_t>(target.value());
  MAKESPAN_EXPECT(image < targets_.size());
  // Acquire: what the operations brought back happened before.
  return targets_[image].under_way.load(std::memory_order_acquire) == 0;
}

int RmaMemory::poll() {
  if (under_way_.load(std::memory_order_relaxed) == 0) return 0;
  std::unique_lock const polling(poll_lock_, std::try_to_lock);
  return polling.owns_lock() ? progress() : 0;
}

int RmaMemory::progress() {
  ++round_;
  take_over();
  if (!requests_.empty()) test();
  if (round_ % rounds_between_kicks == 0) window_.kick();
  int done = 0;
  while (!ended_.empty()) {
    // Taken out first: should MPI fail, it is not looked at again.
    RmaOperation& operation = *ended_.back();
    ended_.pop_back();
    finish(operation);
    ++done;
  }
  return done;
}

void RmaMemory::take_over() {
  std::scoped_lock const lock(lock_);
  for (RmaOperation* const operation : begun_) watch(*operation);
  begun_.clear();
}

void RmaMemory::watch(RmaOperation& operation) {
  for (MPI_Request& request : operation.requests) {
    if (request == MPI_REQUEST_NULL) continue;
    requests_.push_back(std::exchange(request, MPI_REQUEST_NULL));
    owners_.push_back(&operation);
    ++operation.requests_left;
  }
  if (operation.requests_left == 0) ended_.push_back(&operation);
}

void RmaMemory::test() {
  int count = 0;
  int const code = MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count,
                                indices_.data(), statuses_.data());
  bool const some_failed = is_in_statuses(code);
  if (!some_failed) check_mpi(code, "MPI_Testsome", job_.image());
  if (count == MPI_UNDEFINED) return;
  auto const done = checked_cast<std::size_t>(count);
  for (std::size_t at = 0; at < done; ++at) {
    RmaOperation& operation = *owners_[static_cast<std::size_t>(indices_[at])];
    // MPI fills in the errors of statuses only where the call has said so.
    int const error = some_failed ? statuses_[at].MPI_ERROR : MPI_SUCCESS;
    // The first failure stays: what the operation's other request comes to does not mend it. And
    // that request may never be done.
    if (error != MPI_SUCCESS && operation.failure == MPI_SUCCESS) {
      operation.failure = error;
      failed_.push_back(&operation);
    }
    if (--operation.requests_left == 0) ended_.push_back(&operation);
  }
  remove_done();
  while (!failed_.empty()) {
    RmaOperation const& operation = *failed_.back();
    failed_.pop_back();
    report_unreachable(job_, image_of(operation), operation.failure, "MPI_Testsome");
  }
}

void RmaMemory::remove_done() {
  for (std::size_t at = 0; at < requests_.size();) {
    if (requests_[at] != MPI_REQUEST_NULL) {
      ++at;
      continue;
    }
    requests_[at] = requests_.back();
    owners_[at] = owners_.back();
    requests_.pop_back();
    owners_.pop_back();
  }
}

// Ends an operation whose requests are done, or begins what must follow.
void RmaMemory::finish(RmaOperation& operation) {
  if (operation.failure != MPI_SUCCESS) {
    lose(operation, operation.failure, "MPI_Testsome");
  } else if (int const code = confirm(operation); code != MPI_SUCCESS) {
    lose(operation, code, "MPI_Win_flush");
  } else if (operation.signal.has_value()) {
    signal(operation);
  } else {
    answer(operation);
  }
}

// The one place that may block; the requests have shown that the target answers.
int RmaMemory::confirm(RmaOperation const& operation) {
  std::uint64_t& flushed_in_round = flushed_in_round_[operation.target];
  if (operation.ending == RmaEnding::none || flushed_in_round == round_) return MPI_SUCCESS;
  auto const target = static_cast<int>(operation.target);
  if (operation.ending == RmaEnding::flush_local) {
    return MPI_Win_flush_local(target, window_.handle());
  }
  // One flush is for all operations to the target whose requests were seen to be done before it.
  flushed_in_round = round_;
  return MPI_Win_flush(target, window_.handle());
}

void RmaMemory::signal(RmaOperation& operation) {
  SignalRequest const request = operation.signal.value();
  // Only now that the data is there, so that no image sees the signal before.
  operation.signal.reset();
  operation.ending = RmaEnding::none;
  int const code = begin_accumulate(
      operation, {.op = request.op, .offset = request.offset, .operand = request.operand});
  if (code != MPI_SUCCESS) {
    lose(operation, code, "MPI_Rget_accumulate");
  } else {
    watch(operation);
  }
}

void RmaMemory::answer(RmaOperation& operation) {
  std::span<std::byte const> const result(operation.result);
  std::span<std::byte> const to = operation.destination;
  std::byte const* const from =
      to.size() <= result.size() ? result.data() : operation.copy.data.get();
  std::copy_n(from, to.size(), to.begin());
  if (operation.done != nullptr) operation.done->complete(result.first(operation.answer_bytes));
  release(operation);
}

// The target cannot be reached: MPI returned `code`.
void RmaMemory::lose(RmaOperation& operation, int code, std::string_view call) {
  ImageId const target = image_of(operation);
  fail(operation);
  report_unreachable(job_, target, code, call);
}

void RmaMemory::fail(RmaOperation& operation) {
  if (operation.done != nullptr) operation.done->fail(image_of(operation));
  retire(operation);
}

void RmaMemory::release(RmaOperation& operation) {
  std::scoped_lock const lock(lock_);
  end_accounts(operation);
  copies_.give_back(std::exchange(operation.copy, {}));
  free_.push_back(&operation);
}

// MPI may go on using an operation whose target is lost, and its requests can be neither freed nor
// cancelled. So it is kept for good, and another takes its place.
void RmaMemory::retire(RmaOperation& operation) {
  std::scoped_lock const lock(lock_);
  end_accounts(operation);
  auto const owner =
      std::ranges::find(operations_, &operation, [](auto const& owned) { return owned.get(); });
  MAKESPAN_ASSERT(owner != operations_.end());
  retired_.push_back(std::exchange(*owner, std::make_unique_for_overwrite<RmaOperation>()));
  free_.push_back(owner->get());
}

void RmaMemory::end_accounts(RmaOperation const& operation) {
  copied_bytes_ -= operation.copied_bytes;
  // Release: what the operation brought back happened before.
  targets_[operation.target].under_way.fetch_sub(1, std::memory_order_release);
  under_way_.fetch_sub(1, std::memory_order_release);
}

void RmaMemory::forget(Completion& done) {
  std::scoped_lock const polling(poll_lock_);
  // So that all that is under way has its owner in the list.
  take_over();
  // Also what has ended, should a round of progress have thrown before it was answered.
  for (auto const* const list : {&owners_, &ended_}) {
    for (RmaOperation* const operation : *list) {
      if (operation->done != &done) continue;
      // MPI goes on with memory of the operation.
      operation->done = nullptr;
      operation->destination = {};
    }
  }
}

void RmaMemory::abandon(ImageId image) {
  auto const target = static_cast<std::size_t>(image.value());
  MAKESPAN_EXPECT(target < targets_.size());
  std::scoped_lock const polling(poll_lock_);
  {
    std::scoped_lock const lock(lock_);
    targets_[target].is_lost = true;
  }
  take_over();
  std::vector<RmaOperation*> lost;
  for (std::size_t at = 0; at < owners_.size(); ++at) {
    if (owners_[at]->target != target) continue;
    if (std::ranges::find(lost, owners_[at]) == lost.end()) lost.push_back(owners_[at]);
    // MPI can neither free nor cancel it: see retire().
    requests_[at] = MPI_REQUEST_NULL;
  }
  remove_done();
  for (RmaOperation* const operation : lost) fail(*operation);
}

}  // namespace makespan::pgas
