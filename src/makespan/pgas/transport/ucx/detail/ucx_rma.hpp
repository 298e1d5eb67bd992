// SPDX-License-Identifier: Apache-2.0
#pragma once

// Puts and gets that UCX carries out: by the card alone where the network has RDMA, else by UCX's
// own messages, which the target's processor carries out when it drives progress.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <ucp/api/ucp.h>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/task/spin_lock.hpp"
#include "makespan/pgas/transport/remote_memory.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_endpoints.hpp"

namespace makespan::pgas {

// Of one worker. A put can be seen at the target when a flush of its endpoint has ended that began
// after it (ucp_ep_flush_nbx); one flush serves all puts before it. A signal is sent, as a message,
// when the flush after its data has ended.
//
// What goes and what comes passes through memory of ours, since a thread whose wait ends in an
// exception takes its own away while the card may still be at it.
//
// Under the rules of the link whose endpoints these are. UCX holds pointers into it: it lives until
// the worker is destroyed.
class UcxRma {
 public:
  UcxRma(UcxEndpoints& endpoints, int images);
  UcxRma(UcxRma const&) = delete;
  UcxRma& operator=(UcxRma const&) = delete;
  ~UcxRma();

  // As RemoteMemory's, at an address of the target whose key the turn's endpoint has.
  [[nodiscard]] StartOutcome put(UcxEndpoints::Turn& turn, ImageId target, std::uint64_t address,
                                 std::span<std::byte const> data, Completion* done);
  struct SignalledPut {
    std::uint64_t address;
    std::uint64_t offset;  // that of `address`, for the message with the signal
    std::span<std::byte const> data;
    SignalRequest const& signal;
  };
  [[nodiscard]] StartOutcome put_signal(UcxEndpoints::Turn& turn, ImageId target,
                                        SignalledPut const& put, Completion* done);
  [[nodiscard]] StartOutcome get(UcxEndpoints::Turn& turn, ImageId target, std::uint64_t address,
                                 std::span<std::byte> destination, Completion& done);
  // Whether all puts before can be seen, and their signals have been sent.
  [[nodiscard]] bool is_flushed(ImageId target);
  // Begins flushes that are waited for, and sends the signals whose data has arrived.
  int poll(RemoteMemory& by_messages);
  // Whether poll() has something to do, now or soon: a helper is not to sleep.
  [[nodiscard]] bool has_work() const { return pending_.load(std::memory_order_relaxed) > 0; }
  void forget(Completion& done);
  void abandon(ImageId image);
  // Fails all that is under way, since the memory of this image goes; no Completion is called from
  // here on.
  void fail_all(ImageId here);
  // Before the worker goes: UCX 1.13 ends the process over a flush that is still wanted.
  void let_go_of_requests();

  static constexpr std::size_t operations_max = 256;

 private:
  enum class Kind : std::uint8_t { put, put_signal, get };

  // Itself the Completion of the message with its signal, so that it can be forgotten until then.
  struct Operation final : Completion {
    void complete(std::span<std::byte const> answer) noexcept override;
    void refuse(std::string_view text) noexcept override;
    void fail(ImageId lost) noexcept override;

    UcxRma* all{};
    Kind kind{};
    bool is_used{false};
    int image{};
    int holders{0};  // UCX, as long as it has the buffer, and what it waits for then
    Completion* done{};
    void* request{};        // of UCX, while it is under way
    bool has_ended{false};  // as UCX sees it
    bool has_failed{false};
    std::vector<std::byte> buffer{};
    std::span<std::byte> destination{};  // of a get
    std::uint64_t offset{};
    SignalRequest signal{};
  };

  // One flush. Of one that is abandoned UCX may call back later, or never.
  struct Flush {
    UcxRma* all{};
    int image{};
    bool is_used{false};
    std::uint64_t uses{0};  // tells flushes apart that were this one, one after the other
    void* request{};        // of UCX, while it is under way
  };

  // Of one image.
  struct Target {
    std::uint64_t put{0};      // so many puts have begun
    std::uint64_t flushed{0};  // so many of these are flushed
    std::uint64_t covered{0};  // by the flush under way
    bool is_flush_asked{false};
    std::vector<Operation*> waiting{};   // for a flush that has not begun
    std::vector<Operation*> flushing{};  // for the one under way
    int signals{0};                      // not sent yet
    Flush* flush{};                      // the one under way; null: there is none
    // That one, those that were abandoned, and those that can be used again.
    std::vector<std::unique_ptr<Flush>> flushes{};
  };

  [[nodiscard]] Operation* acquire(Kind kind, int image, Completion* done);
  void release(Operation& operation);  // with the lock held
  void make_room(Operation& operation, std::size_t bytes);
  void start_put(UcxEndpoints::Turn& turn, Operation& operation, std::uint64_t address,
                 std::span<std::byte const> data);
  void flush(int image);
  int send_signals(RemoteMemory& by_messages);
  bool send_signal(Operation& next, RemoteMemory& by_messages);
  [[nodiscard]] Flush& acquire_flush(int image);  // with the lock held
  void end_flush(Flush& flush, ucs_status_t status);
  void end_local(Operation& operation, ucs_status_t status);
  void end_signal(Operation& operation, std::optional<ImageId> lost);
  // Call its Completion, if it has one still; with the lock held.
  void tell(Operation& operation, ucs_status_t status);
  static void fail(Operation& operation, ImageId lost);
  [[nodiscard]] Target& target_of(int image) { return targets_[static_cast<std::size_t>(image)]; }

  static void on_local(void* request, ucs_status_t status, void* operation) noexcept;
  static void on_flushed(void* request, ucs_status_t status, void* flush) noexcept;

  UcxEndpoints& endpoints_;
  SpinLock lock_{};  // of all below; never held around a call of UCX
  std::vector<std::unique_ptr<Operation>> operations_{};
  std::vector<Operation*> free_{};
  std::vector<Target> targets_;        // by image
  std::vector<Operation*> signals_{};  // whose data has arrived, in the order in which it did
  std::size_t written_off_{0};         // operations that UCX keeps for good
  // Flushes that are asked for or under way, and signals that are not sent: poll() has work.
  std::atomic<int> pending_{0};
};

}  // namespace makespan::pgas
