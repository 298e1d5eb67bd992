// SPDX-License-Identifier: Apache-2.0
#pragma once

// Put, get and atomics by MPI's windows, on all images, this one among them: a word of a window is
// changed by MPI or by the processor, never by both (Open MPI would lose updates).
//
// MPI_Win_flush is the usual way to know that an operation was carried out, and it blocks: while
// the target computes, and for good when the target has died (MPICH 4.0.2 over TCP). So all
// operations that can be are requests that bring something back (MPI_Rget, MPI_Rget_accumulate),
// since what has come back was carried out; testing them does not block, and is as fast as a flush:
// fetch_add takes 18.7 µs against 19.3 over TCP, 1.92 against 1.93 on a node (MPICH 4.0.2, busy
// 2-core machine).
//
// - get: MPI_Rget. Atomics but compare_swap, with or without a use for the old value:
//   MPI_Rget_accumulate.
// - Short puts with MPICH: MPI_Rget_accumulate, which replaces the bytes there; 18.5 µs against
//   32.6 of MPI_Put with flush over TCP. Open MPI takes three round trips for it over TCP, so there
//   they are put as long ones are.
// - Long puts have no answer: MPI_Rput beside a get of a few bytes. When both are done the target
//   has shown that it makes progress, and MPI_Win_flush waits no longer than one round trip.
// - compare_swap has no request: it goes before a fetch of the same word. MPI keeps the order of
//   atomics on one word, so when that is done, MPI_Win_flush_local has nothing left to wait for.
//
// MPI can cancel none of them, and a thread whose wait ends in an exception takes its memory away:
// all data passes through memory of ours.
//
// So poll() may block inside a flush, with everything that this thread looks after, but only where
// the target has answered just before: for a round trip, unless it dies or stops calling MPI in
// that very moment.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/job/job.hpp"
#include "makespan/pgas/transport/am/am_buffer.hpp"
#include "makespan/pgas/transport/am/link_lock.hpp"
#include "makespan/pgas/transport/remote_memory.hpp"
#include "makespan/pgas/transport/rma/detail/mpi_rma_operation.hpp"
#include "makespan/pgas/transport/rma/detail/mpi_rma_window.hpp"

namespace makespan::pgas {

// Callable as the channel's link is. Concurrent callers begin operations at the same time; of those
// that poll, one does the work.
class RmaMemory final : public RemoteMemory {
 public:
  // The window and the job outlive the memory.
  RmaMemory(RmaWindow& window, Job& job, RmaOptions const& options, LinkThreading threading);
  // Waits for what is under way, close_limit of the messages at most.
  ~RmaMemory() override;

  StartOutcome put(ImageId target, std::uint64_t offset, std::span<std::byte const> data,
                   Completion* done) override;
  StartOutcome put_signal(ImageId target, std::uint64_t offset, std::span<std::byte const> data,
                          SignalRequest const& signal, Completion* done) override;
  StartOutcome get(ImageId target, std::uint64_t offset, std::span<std::byte> destination,
                   Completion& done) override;
  StartOutcome atomic(ImageId target, AtomicRequest const& request, Completion* done) override;

  // When nothing is under way to the target.
  bool is_flushed(ImageId target) override;
  int poll() override;
  std::int64_t operation_bytes_max() const override { return operation_bytes; }

  void forget(Completion& done) override;
  void abandon(ImageId image) override;

 private:
  using Signal = std::optional<SignalRequest>;

  static constexpr std::int64_t operation_bytes = std::int64_t{4} << 20;

  // What is known of one image.
  struct Target {
    std::atomic<int> under_way{0};
    bool is_lost{false};
  };

  // Beginning an operation. Those that return a code return that of MPI.
  StartOutcome put_and_signal(ImageId target, std::uint64_t offset, std::span<std::byte const> data,
                              Signal const& signal, Completion* done);
  [[nodiscard]] RmaOperation* take(ImageId target, Completion* done, std::size_t copy_bytes);
  [[nodiscard]] int begin_short_put(RmaOperation& operation, std::uint64_t offset,
                                    std::span<std::byte const> data);
  [[nodiscard]] int begin_long_put(RmaOperation& operation, std::uint64_t offset,
                                   std::span<std::byte const> data);
  [[nodiscard]] int begin_accumulate(RmaOperation& operation, AtomicRequest const& request);
  [[nodiscard]] int begin_compare_swap(RmaOperation& operation, AtomicRequest const& request);
  StartOutcome hand_over(RmaOperation& operation, int code, std::string_view call);
  void expect_range(std::uint64_t offset, std::size_t bytes) const;
  void expect_word(std::uint64_t offset, std::size_t width) const;

  // Going on with operations, with poll_lock_ held.
  int progress();
  void take_over();
  void watch(RmaOperation& operation);
  void test();
  void remove_done();
  void finish(RmaOperation& operation);
  [[nodiscard]] int confirm(RmaOperation const& operation);
  void signal(RmaOperation& operation);
  void answer(RmaOperation& operation);

  // Ending an operation.
  void lose(RmaOperation& operation, int code, std::string_view call);
  void fail(RmaOperation& operation);
  void release(RmaOperation& operation);
  void retire(RmaOperation& operation);
  void end_accounts(RmaOperation const& operation);  // with lock_ held

  RmaWindow& window_;
  Job& job_;
  double close_limit_s_;

  // Guards what follows it, for a few instructions at a time.
  LinkLock lock_;
  std::vector<std::unique_ptr<RmaOperation>> operations_;
  std::vector<RmaOperation*> free_;
  std::vector<RmaOperation*> begun_;  // not yet seen by the thread that polls
  std::vector<Target> targets_;       // by image
  AmBufferPool copies_;
  std::size_t copied_bytes_{0};
  std::vector<std::unique_ptr<RmaOperation>> retired_;  // MPI may use them still

  std::atomic<int> under_way_{0};  // taken and not released

  // Held by the thread that polls.
  LinkLock poll_lock_;
  std::vector<MPI_Request> requests_;
  std::vector<RmaOperation*> owners_;  // of the requests
  std::vector<int> indices_;           // of requests that are done
  std::vector<MPI_Status> statuses_;
  std::vector<RmaOperation*> ended_;             // all their requests are done
  std::vector<RmaOperation*> failed_;            // one of their requests has failed
  std::vector<std::uint64_t> flushed_in_round_;  // by image
  std::uint64_t round_{0};
};

}  // namespace makespan::pgas
