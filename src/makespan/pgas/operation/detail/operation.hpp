// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a thread knows of something that it has begun elsewhere: how much of it is missing, what
// came back, and what went wrong.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "makespan/base/ids.hpp"
#include "makespan/pgas/task/spin_lock.hpp"
#include "makespan/pgas/transport/completion.hpp"

namespace makespan::pgas {

// One operation, cut into pieces when it is long. Begins with one piece that stands for the cutting
// itself, so that it is not done before its last piece was begun. Pieces may be completed by any
// thread; everything else is for the thread that began it.
class Operation : public Completion {
 public:
  Operation(Operation const&) = delete;
  Operation& operator=(Operation const&) = delete;

  // Relaxed: the piece that stands for the cutting keeps the count above 0 meanwhile.
  void add_piece() { missing_.fetch_add(1, std::memory_order_relaxed); }
  // A piece that was added, and could not be begun.
  void drop_piece() { finish_piece(); }

  // Its thread leaves it before it is done; nothing will call it any more.
  virtual void on_forgotten() noexcept {}

  // Acquire: what the pieces brought can be read.
  [[nodiscard]] bool is_done() const { return missing_.load(std::memory_order_acquire) == 0; }

  // Throws ImageFailed naming `call`, or RemoteError, if a piece went wrong. Only when done.
  void rethrow(std::string_view call) const;

  // The old value of an atomic. Only when done.
  [[nodiscard]] std::uint64_t word() const { return word_; }

  void complete(std::span<std::byte const> answer) noexcept override;
  void refuse(std::string_view text) noexcept override;
  void fail(ImageId image) noexcept override;

 protected:
  enum class Owner : std::uint8_t {
    waiting_thread,  // destroyed as soon as it is done: it lives on the stack
    counted,         // destroyed by the thread that drops the last reference: on_done() is called
  };

  Operation(ImageId target, Owner owner) : target_{target}, owner_{owner} {}
  ~Operation() = default;

  // Keeps an answer; a word is all that the operations of memory bring.
  virtual void keep(std::span<std::byte const> answer);
  // Called by the thread that finished the last piece, for a counted operation. Nothing of this
  // object is used afterwards.
  virtual void on_done() noexcept {}

  void finish_piece() noexcept;

 private:
  enum class Trouble : std::uint8_t { none, lost, refused };
  void note(Trouble trouble, std::string_view text, ImageId lost = {}) noexcept;

  ImageId target_;
  Owner owner_;
  std::atomic<std::int64_t> missing_{1};
  std::uint64_t word_{0};
  // Written before the last piece is finished, under the lock, since pieces may fail together.
  SpinLock lock_;
  Trouble trouble_{Trouble::none};
  ImageId lost_{};
  std::string text_;
};

// An operation that its thread waits for on the spot: lives on the stack.
class BlockingOperation final : public Operation {
 public:
  explicit BlockingOperation(ImageId target) : Operation(target, Owner::waiting_thread) {}
};

}  // namespace makespan::pgas
