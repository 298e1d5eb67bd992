// SPDX-License-Identifier: Apache-2.0
#pragma once

// Carries out what other images ask of this image's heap: puts, gets, atomics.
//
// Words are changed with std::atomic_ref, by the thread that drives progress here, and directly by
// images of the same node. All of these are CPU atomics, so they may change the same word.

#include <cstddef>
#include <cstdint>
#include <span>

#include "makespan/pgas/message/wire.hpp"

namespace makespan::pgas {

// Applies `op` to the 4 or 8 bytes at `word`, which are aligned; sequentially consistent. Returns
// the old value.
std::uint64_t apply_atomic(std::byte* word, int width, AtomicOp op, std::uint64_t operand,
                           std::uint64_t compare);

// Callable from any thread.
class HeapServer {
 public:
  explicit HeapServer(std::span<std::byte> heap) : heap_{heap} {}

  void put(WireHeader const& header, std::span<std::byte const> data) const;
  void put_signal(WireHeader const& header, std::span<std::byte const> data) const;
  // The bytes there; valid until another thread or image writes to them.
  [[nodiscard]] std::span<std::byte const> get(WireHeader const& header) const;
  // The old value.
  [[nodiscard]] std::uint64_t atomic(WireHeader const& header) const;

 private:
  // Senders check offsets before they send; what is not inside here is a mistake of ours.
  [[nodiscard]] std::span<std::byte> range(std::uint64_t offset, std::uint64_t bytes) const;

  std::span<std::byte> heap_;
};

}  // namespace makespan::pgas
