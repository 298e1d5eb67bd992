// SPDX-License-Identifier: Apache-2.0
// How operations begin.
#include <algorithm>
#include <chrono>
#include <cstring>
#include <mutex>
#include <utility>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/pgas/transport/am/mpi_am_context.hpp"
#include "makespan/pgas/transport/rma/detail/mpi_rma_memory.hpp"

namespace makespan::pgas {

namespace {

// Puts of at most so many bytes are carried out as MPI_Rget_accumulate; see mpi_rma_memory.hpp.
#ifdef OPEN_MPI
constexpr std::size_t accumulated_bytes_max = 0;
#else
constexpr std::size_t accumulated_bytes_max = rma_inline_bytes;
#endif

// Copies of long data that is under way.
constexpr std::size_t copied_bytes_max = std::size_t{16} << 20;

MPI_Datatype type_of(int width) {
  return width == 4 ? MPI_UINT32_T : MPI_UINT64_T;
}

MPI_Op mpi_op(AtomicOp op) {
  switch (op) {
    case AtomicOp::load:
      return MPI_NO_OP;
    case AtomicOp::store:
    case AtomicOp::swap:
      return MPI_REPLACE;
    case AtomicOp::add:
      return MPI_SUM;
    case AtomicOp::bit_and:
      return MPI_BAND;
    case AtomicOp::bit_or:
      return MPI_BOR;
    case AtomicOp::bit_xor:
      return MPI_BXOR;
    case AtomicOp::compare_swap:
      break;  // a function of its own in MPI
  }
  MAKESPAN_ASSERT(false && "an operation that MPI accumulates");
  return MPI_NO_OP;
}

// Writes the low `width` bytes of `value`, as a word of that width.
void write_word(void* to, std::uint64_t value, int width) {
  if (width == 4) {
    auto const word = static_cast<std::uint32_t>(value);
    std::memcpy(to, &word, sizeof word);
  } else {
    std::memcpy(to, &value, sizeof value);
  }
}

}  // namespace

RmaMemory::RmaMemory(RmaWindow& window, Job& job, RmaOptions const& options,
                     LinkThreading threading)
    : window_{window},
      job_{job},
      close_limit_s_{options.messages.close_limit.value()},
      lock_{threading},
      targets_(checked_cast<std::size_t>(job.images())),
      poll_lock_{threading},
      flushed_in_round_(targets_.size()) {
  auto const operations = checked_cast<std::size_t>(options.operations_max);
  operations_.reserve(operations);
  free_.reserve(operations);
  begun_.reserve(operations);
  for (std::size_t operation = 0; operation < operations; ++operation) {
    operations_.push_back(std::make_unique_for_overwrite<RmaOperation>());
    free_.push_back(operations_.back().get());
  }
  // For all that can be under way at a time, so that progress allocates nothing.
  std::size_t const requests = operations * std::tuple_size_v<decltype(RmaOperation::requests)>;
  requests_.reserve(requests);
  owners_.reserve(requests);
  ended_.reserve(operations);
  failed_.reserve(operations);
  indices_.resize(requests);
  statuses_.resize(requests);
}

StartOutcome RmaMemory::put(ImageId target, std::uint64_t offset, std::span<std::byte const> data,
                            Completion* done) {
  return put_and_signal(target, offset, data, std::nullopt, done);
}

StartOutcome RmaMemory::put_signal(ImageId target, std::uint64_t offset,
                                   std::span<std::byte const> data, SignalRequest const& signal,
                                   Completion* done) {
  MAKESPAN_EXPECT(signal.op == AtomicOp::store || signal.op == AtomicOp::add);
  expect_word(signal.offset, 8);
  if (!data.empty()) return put_and_signal(target, offset, data, signal, done);
  RmaOperation* const operation = take(target, done, 0);
  if (operation == nullptr) return StartOutcome::busy;
  AtomicRequest const request{.op = signal.op, .offset = signal.offset, .operand = signal.operand};
  return hand_over(*operation, begin_accumulate(*operation, request), "MPI_Rget_accumulate");
}

StartOutcome RmaMemory::put_and_signal(ImageId target, std::uint64_t offset,
                                       std::span<std::byte const> data, Signal const& signal,
                                       Completion* done) {
  expect_range(offset, data.size());
  if (data.empty()) {
    if (done != nullptr) done->complete({});
    return StartOutcome::started;
  }
  bool const is_short = data.size() <= accumulated_bytes_max;
  RmaOperation* const operation = take(target, done, is_short ? 0 : data.size());
  if (operation == nullptr) return StartOutcome::busy;
  operation->signal = signal;
  if (is_short) {
    return hand_over(*operation, begin_short_put(*operation, offset, data), "MPI_Rget_accumulate");
  }
  return hand_over(*operation, begin_long_put(*operation, offset, data), "MPI_Rput with MPI_Rget");
}

int RmaMemory::begin_short_put(RmaOperation& operation, std::uint64_t offset,
                               std::span<std::byte const> data) {
  std::ranges::copy(data, operation.source.begin());
  // A word of 8 bytes is written whole: a thread that polls it never sees half of it.
  bool const is_word = data.size() == 8 && offset % 8 == 0;
  MPI_Datatype const type = is_word ? MPI_UINT64_T : MPI_BYTE;
  int const count = is_word ? 1 : static_cast<int>(data.size());
  return MPI_Rget_accumulate(operation.source.data(), count, type, operation.result.data(), count,
                             type, static_cast<int>(operation.target),
                             window_.displacement(operation.target, offset), count, type,
                             MPI_REPLACE, window_.handle(), operation.requests.data());
}

int RmaMemory::begin_long_put(RmaOperation& operation, std::uint64_t offset,
                              std::span<std::byte const> data) {
  std::byte* const from = operation.copy.data.get();
  std::ranges::copy(data, from);
  operation.ending = RmaEnding::flush;
  auto const to = static_cast<int>(operation.target);
  int const bytes = static_cast<int>(data.size());
  int const code =
      MPI_Rput(from, bytes, MPI_BYTE, to, window_.displacement(operation.target, offset), bytes,
               MPI_BYTE, window_.handle(), &operation.requests[0]);
  if (code != MPI_SUCCESS) return code;
  // Of a word that no put writes: what a get finds where a put is under way is undefined (MPI 4.1,
  // 12.7).
  return MPI_Rget(&operation.probed, 1, MPI_UINT64_T, to,
                  window_.displacement_of_spare(operation.target), 1, MPI_UINT64_T,
                  window_.handle(), &operation.requests[1]);
}

StartOutcome RmaMemory::get(ImageId target, std::uint64_t offset, std::span<std::byte> destination,
                            Completion& done) {
  expect_range(offset, destination.size());
  if (destination.empty()) {
    done.complete({});
    return StartOutcome::started;
  }
  bool const is_short = destination.size() <= rma_inline_bytes;
  RmaOperation* const operation = take(target, &done, is_short ? 0 : destination.size());
  if (operation == nullptr) return StartOutcome::busy;
  operation->destination = destination;
  int const bytes = static_cast<int>(destination.size());
  int const code =
      MPI_Rget(is_short ? operation->result.data() : operation->copy.data.get(), bytes, MPI_BYTE,
               static_cast<int>(operation->target), window_.displacement(operation->target, offset),
               bytes, MPI_BYTE, window_.handle(), operation->requests.data());
  return hand_over(*operation, code, "MPI_Rget");
}

StartOutcome RmaMemory::atomic(ImageId target, AtomicRequest const& request, Completion* done) {
  expect_word(request.offset, request.width);
  RmaOperation* const operation = take(target, done, 0);
  if (operation == nullptr) return StartOutcome::busy;
  operation->answer_bytes = request.width;
  if (request.op == AtomicOp::compare_swap) {
    return hand_over(*operation, begin_compare_swap(*operation, request),
                     "MPI_Compare_and_swap with MPI_Rget_accumulate");
  }
  return hand_over(*operation, begin_accumulate(*operation, request), "MPI_Rget_accumulate");
}

int RmaMemory::begin_accumulate(RmaOperation& operation, AtomicRequest const& request) {
  write_word(operation.source.data(), request.operand, request.width);
  MPI_Datatype const type = type_of(request.width);
  return MPI_Rget_accumulate(operation.source.data(), 1, type, operation.result.data(), 1, type,
                             static_cast<int>(operation.target),
                             window_.displacement(operation.target, request.offset), 1, type,
                             mpi_op(request.op), window_.handle(), operation.requests.data());
}

int RmaMemory::begin_compare_swap(RmaOperation& operation, AtomicRequest const& request) {
  // In the operation, which outlives this call: MPI reads both until it is done.
  write_word(operation.source.data(), request.operand, request.width);
  write_word(&operation.compare, request.compare, request.width);
  operation.ending = RmaEnding::flush_local;
  auto const to = static_cast<int>(operation.target);
  MPI_Aint const at = window_.displacement(operation.target, request.offset);
  MPI_Datatype const type = type_of(request.width);
  int const code = MPI_Compare_and_swap(operation.source.data(), &operation.compare,
                                        operation.result.data(), type, to, at, window_.handle());
  if (code != MPI_SUCCESS) return code;
  return MPI_Rget_accumulate(operation.source.data(), 1, type, &operation.probed, 1, type, to, at,
                             1, type, MPI_NO_OP, window_.handle(), operation.requests.data());
}

// An operation for one target, with room for a copy of `copy_bytes` bytes. Null: no room just now.
RmaOperation* RmaMemory::take(ImageId target, Completion* done, std::size_t copy_bytes) {
  auto const image = static_cast<std::size_t>(target.value());
  MAKESPAN_EXPECT(image < targets_.size());
  std::scoped_lock const lock(lock_);
  if (free_.empty() || copied_bytes_ + copy_bytes > copied_bytes_max) return nullptr;
  // First: where there is no memory for it nothing has been taken.
  AmBuffer copy = copy_bytes == 0 ? AmBuffer{} : copies_.take(copy_bytes);
  RmaOperation& operation = *free_.back();
  free_.pop_back();
  operation.done = done;
  operation.target = image;
  operation.requests.fill(MPI_REQUEST_NULL);
  operation.requests_left = 0;
  operation.failure = MPI_SUCCESS;
  operation.ending = RmaEnding::none;
  operation.signal.reset();
  operation.answer_bytes = 0;
  operation.destination = {};
  operation.copied_bytes = copy_bytes;
  operation.copy = std::move(copy);
  copied_bytes_ += copy_bytes;
  targets_[image].under_way.fetch_add(1, std::memory_order_relaxed);
  under_way_.fetch_add(1, std::memory_order_relaxed);
  return &operation;
}

// Gives an operation that has begun, if MPI returned no failure, to the thread that polls.
StartOutcome RmaMemory::hand_over(RmaOperation& operation, int code, std::string_view call) {
  if (code != MPI_SUCCESS) {
    lose(operation, code, call);
    return StartOutcome::started;
  }
  {
    std::scoped_lock const lock(lock_);
    // Lost since it began: abandon() has not seen this one.
    if (!targets_[operation.target].is_lost) {
      begun_.push_back(&operation);
      return StartOutcome::started;
    }
  }
  fail(operation);
  return StartOutcome::started;
}

void RmaMemory::expect_range(std::uint64_t offset, std::size_t bytes) const {
  MAKESPAN_EXPECT(std::in_range<std::int64_t>(bytes));
  MAKESPAN_EXPECT(static_cast<std::int64_t>(bytes) <= operation_bytes);
  MAKESPAN_EXPECT(bytes <= window_.heap().size());
  MAKESPAN_EXPECT(offset <= window_.heap().size() - bytes);
}

void RmaMemory::expect_word(std::uint64_t offset, std::size_t width) const {
  MAKESPAN_EXPECT(width == 4 || width == 8);
  MAKESPAN_EXPECT(offset % width == 0);
  expect_range(offset, width);
}

}  // namespace makespan::pgas
