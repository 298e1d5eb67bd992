// SPDX-License-Identifier: Apache-2.0
#pragma once

// Copies of messages that are on their way out: UCX reads header and payload until it has sent
// them, and the sender has its payload back at once.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "makespan/pgas/task/spin_lock.hpp"
#include "makespan/pgas/transport/ucx/detail/message_aggregate.hpp"
#include "makespan/pgas/transport/ucx/detail/ucx_header.hpp"

namespace makespan::pgas {

struct SendSlot {
  enum class Kind : std::uint8_t { small, large, aggregate };
  enum class State : std::uint8_t { free, in_use, written_off };

  UcxHeader header;
  std::span<std::byte const> payload;
  int target{};
  Kind kind{};
  State state{State::free};
  void* sender{};  // for UCX's callback, who gets the slot
  std::unique_ptr<std::byte[]> memory{};
};

// Callable from any thread. Allocates a slot's memory when it is first used, and keeps it.
class SendSlots {
 public:
  static constexpr int small_slots = 512;
  static constexpr std::size_t small_bytes = 2048;
  static constexpr int aggregate_slots = 64;

  // For payloads of up to `bytes_max` bytes, which are sent by `sender`.
  SendSlots(std::size_t bytes_max, void* sender);

  // A slot with a copy of the payload; null when all that are long enough are in use.
  [[nodiscard]] SendSlot* acquire(int target, std::span<std::byte const> payload);

  // A slot for an aggregate, with aggregate_bytes() of memory and no payload yet; null when all are
  // in use.
  [[nodiscard]] SendSlot* acquire_aggregate(int target);
  [[nodiscard]] std::size_t aggregate_bytes() const {
    return std::min(aggregate_bytes_max, bytes_max_);
  }

  void release(SendSlot& slot);

  // The image is lost, and UCX may never be done with what goes there: new slots take the place of
  // those. Should UCX be done after all, there are more slots than before.
  void write_off(int target);

  // Whether no slot is in use, but those written off.
  [[nodiscard]] bool is_idle() const;

  // How many slots there are for messages of more than small_bytes.
  [[nodiscard]] static int large_slots(std::size_t bytes_max);

 private:
  using FreeSlots = std::vector<SendSlot*>;  // the one that came back last goes first

  void add(SendSlot::Kind kind);
  [[nodiscard]] SendSlot* take(SendSlot::Kind kind, int target);
  [[nodiscard]] std::size_t memory_bytes(SendSlot::Kind kind) const;
  [[nodiscard]] FreeSlots& free_slots(SendSlot::Kind kind) {
    return free_[static_cast<std::size_t>(kind)];
  }

  std::size_t bytes_max_;
  void* sender_;
  mutable SpinLock lock_;
  std::vector<std::unique_ptr<SendSlot>> slots_;
  std::array<FreeSlots, 3> free_;  // by kind
  int in_use_{0};
};

}  // namespace makespan::pgas
