// SPDX-License-Identifier: Apache-2.0
#pragma once

// Put, get and atomics on the heaps of images whose memory is not mapped here. One per channel.
//
// Offsets count bytes from the beginning of the target's heap. Nothing here blocks: an operation is
// begun, and its Completion is called from a later poll(), or before the function returns. A
// Completion stays valid until it was called or forgotten; one may be given to several operations,
// and is called once for each. Callers take turns or not as with the channel's link
// (LinkThreading).

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/message/wire.hpp"
#include "makespan/pgas/transport/completion.hpp"

namespace makespan::pgas {

struct AtomicRequest {
  AtomicOp op{};
  std::uint8_t width{8};  // bytes of the word: 4 or 8; values below are in the low bytes
  std::uint64_t offset{};
  std::uint64_t operand{};  // what is added, stored, …; unused by load
  std::uint64_t compare{};  // for compare_swap
};

struct SignalRequest {
  AtomicOp op{};           // store or add
  std::uint64_t offset{};  // of a word of 8 bytes
  std::uint64_t operand{};
};

enum class StartOutcome {
  started,
  busy,  // no room just now: nothing was begun; poll, and try again
};

class RemoteMemory {
 public:
  RemoteMemory() = default;
  RemoteMemory(RemoteMemory const&) = delete;
  RemoteMemory& operator=(RemoteMemory const&) = delete;
  virtual ~RemoteMemory() = default;

  // Writes `data` at `offset`. With a Completion, it is called when the data can be seen at the
  // target, and `data` must last until then. Without one, `data` may be reused at once, and only
  // is_flushed() tells.
  [[nodiscard]] virtual StartOutcome put(ImageId target, std::uint64_t offset,
                                         std::span<std::byte const> data, Completion* done) = 0;

  // As put, and when the data can be seen at the target, applies the signal there.
  [[nodiscard]] virtual StartOutcome put_signal(ImageId target, std::uint64_t offset,
                                                std::span<std::byte const> data,
                                                SignalRequest const& signal, Completion* done) = 0;

  // Reads into `destination`, which must last until `done` was called.
  [[nodiscard]] virtual StartOutcome get(ImageId target, std::uint64_t offset,
                                         std::span<std::byte> destination, Completion& done) = 0;

  // The answer is the old value, `width` bytes. Without a Completion the old value is dropped, and
  // only is_flushed() tells when the operation was carried out.
  [[nodiscard]] virtual StartOutcome atomic(ImageId target, AtomicRequest const& request,
                                            Completion* done) = 0;

  // Begins, or goes on with, making all that was begun before visible at the target. True when it
  // is: call it again after poll() until then.
  [[nodiscard]] virtual bool is_flushed(ImageId target) = 0;

  // Moves what is under way, calls what is done. Returns how many things happened.
  virtual int poll() = 0;

  // The most bytes that one put, put_signal or get may move, always the same; callers cut what is
  // longer.
  [[nodiscard]] virtual std::int64_t operation_bytes_max() const {
    return std::numeric_limits<std::int64_t>::max();
  }

  // The thread that waited for `done` gives up: `done` is called no more, and operations that still
  // carry it go on without it. Not fast; for waits that end in an exception.
  virtual void forget(Completion& done) = 0;

  // The image is lost: fails what waits for it.
  virtual void abandon(ImageId image) = 0;
};

}  // namespace makespan::pgas
