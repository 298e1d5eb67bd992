// SPDX-License-Identifier: Apache-2.0
#pragma once

// Heaps of other images, by one of three ways: loads and stores where UCX can map them, UCX's own
// put and get (ucx_rma.hpp), or messages.
//
// What can be mapped is found out once for each image, when it is first used. Between the other two
// the first operations of each size decide (way_table.hpp), unless RmaUse does. Over TCP a message
// that is answered is one round trip, and UCX's put and flush are two: 13 µs against 24 µs for 8
// bytes, 54 µs against 103 µs for 64 KiB (UCX 1.13, two network namespaces on one machine).
//
// A word is changed by the processor of its owner, so atomics and signals are messages always
// (docs/decisions/0015, 0116).

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "makespan/pgas/task/spin_lock.hpp"
#include "makespan/pgas/transport/remote_memory.hpp"
#include "makespan/pgas/transport/rma_use.hpp"
#include "makespan/pgas/transport/ucx/detail/message_aggregate.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_endpoints.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_rma.hpp"
#include "makespan/pgas/transport/ucx/detail/way_table.hpp"

namespace makespan::pgas {

// By image: UcxHeap::pack_key(), empty where the heap is reached by messages only.
using UcxHeapKeys = std::vector<std::vector<std::byte>>;

// Under the rules of the link whose endpoints and operations these are; they, the keys and
// `by_messages` outlive it.
class UcxMemory final : public RemoteMemory {
 public:
  struct Parts {
    UcxEndpoints& endpoints;
    UcxRma& rma;
    UcxHeapKeys const& keys;
    RemoteMemory& by_messages;
    RmaUse use{RmaUse::automatic};
    bool aggregates{true};  // whether short messages share one of UCX's
    ImageId here{};
  };

  explicit UcxMemory(Parts const& parts);
  ~UcxMemory() override { rma_.fail_all(here_); }

  StartOutcome put(ImageId target, std::uint64_t offset, std::span<std::byte const> data,
                   Completion* done) override;
  StartOutcome put_signal(ImageId target, std::uint64_t offset, std::span<std::byte const> data,
                          SignalRequest const& signal, Completion* done) override;
  StartOutcome get(ImageId target, std::uint64_t offset, std::span<std::byte> destination,
                   Completion& done) override;
  StartOutcome atomic(ImageId target, AtomicRequest const& request, Completion* done) override;
  bool is_flushed(ImageId target) override;
  int poll() override { return by_messages_.poll() + rma_.poll(by_messages_); }
  std::int64_t operation_bytes_max() const override { return by_messages_.operation_bytes_max(); }
  void forget(Completion& done) override;
  void abandon(ImageId image) override;

 private:
  enum class Reach : std::uint8_t {
    unknown,
    asking,
    mapped,
    rma,          // by UCX, always
    chosen,       // by UCX or by messages, as the table says
    by_messages,  // always
  };

  struct Heap {
    std::atomic<Reach> reach{Reach::unknown};
    std::uint64_t address{};  // there
    std::byte* here{};        // of a mapped one
    std::unique_ptr<WayTable> ways{};
  };

  // Takes the time of an operation for the table, and then calls who waits for it.
  struct Timed final : Completion {
    void complete(std::span<std::byte const> answer) noexcept override;
    void refuse(std::string_view text) noexcept override;
    void fail(ImageId image) noexcept override;

    UcxMemory* all{};
    Completion* done{};  // null: no thread waits, or it was forgotten
    bool is_being_forgotten{false};
    bool is_under_way{false};  // and its time awaited by the table
    WayTable* ways{};
    MemoryOperation operation{};
    std::size_t bytes{};
  };

  [[nodiscard]] Heap& heap_of(ImageId target);
  // `unknown` or `asking`: not known yet, come again.
  [[nodiscard]] Reach reach(ImageId target);
  [[nodiscard]] Reach find_out(Heap& heap, ImageId target);
  [[nodiscard]] Reach reach_by(UcxEndpoints::Attached const& attached, ImageId target) const;
  [[nodiscard]] StartOutcome put_by_rma(ImageId target, std::uint64_t offset,
                                        std::span<std::byte const> data, Completion* done);
  [[nodiscard]] StartOutcome get_by_rma(ImageId target, std::uint64_t offset,
                                        std::span<std::byte> destination, Completion& done);
  // `start(way, completion)` begins it. Both ways copy what a put sends before they return, so that
  // it may be reused at once though it is timed until it can be seen.
  template <class Start>
  [[nodiscard]] StartOutcome start_timed(Heap& heap, MemoryOperation operation, std::size_t bytes,
                                         Completion* done, Start const& start);
  [[nodiscard]] Timed& new_timed(Completion* done);
  // The operation has not begun. Null: there was no memory for its Timed.
  void take_back(WayTable& ways, MemoryOperation operation, std::size_t bytes, Timed* timed);
  // With the lock held:
  void give_back(Timed& timed);
  static void end_without_time(Timed& timed);

  UcxEndpoints& endpoints_;
  UcxRma& rma_;
  UcxHeapKeys const& keys_;
  RemoteMemory& by_messages_;
  RmaUse use_;
  std::size_t aggregated_bytes_;
  ImageId here_;
  std::vector<Heap> heaps_;  // by image
  SpinLock lock_{};          // of what is timed
  std::vector<std::unique_ptr<Timed>> timed_{};
  std::vector<Timed*> free_{};
};

}  // namespace makespan::pgas
