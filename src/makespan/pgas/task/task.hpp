// SPDX-License-Identifier: Apache-2.0
#pragma once

// A call that waits to be run: a function, and bytes that it knows how to read.

#include <array>
#include <cstddef>
#include <memory>
#include <span>

namespace makespan::pgas {

// Lives in a TaskPool and is used again and again; so is the memory of its arguments.
class Task {
 public:
  // Runs the task it is given. What it throws comes out of run().
  using Function = void (*)(Task& task);

  // Arguments up to here lie in the task itself: with the task's other members, four cache lines,
  // of which a task with short arguments uses two.
  static constexpr std::size_t inline_bytes = 192;

  Task() = default;
  Task(Task const&) = delete;
  Task& operator=(Task const&) = delete;

  // Says what to run, and returns room for its arguments: `bytes` bytes of any content, aligned for
  // every ordinary type. Allocates when there are more than inline_bytes and more than this task
  // ever had; throws std::bad_alloc then, and the task is as before.
  std::span<std::byte> prepare(Function function, std::size_t bytes);

  // The room that prepare() gave.
  [[nodiscard]] std::span<std::byte> arguments() { return {place(), bytes_}; }

  // After prepare(). The task still belongs to the caller, which gives it back to the pool.
  void run() { function_(*this); }

 private:
  friend class TaskPool;

  [[nodiscard]] std::byte* place() {
    return bytes_ <= inline_bytes ? inline_room_.data() : buffer_.get();
  }

  alignas(64) Function function_{};
  std::size_t bytes_{0};
  std::size_t buffer_bytes_{0};
  std::unique_ptr<std::byte[]> buffer_;
  Task* next_free_{};      // of the pool; under its lock
  bool is_in_use_{false};  // as above
  // Aligned for every ordinary type.
  alignas(std::max_align_t) std::array<std::byte, inline_bytes> inline_room_;  // see prepare()
};
static_assert(sizeof(Task) == 256);

}  // namespace makespan::pgas
