// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tasks of one image, allocated once and handed out again and again.

#include <vector>

#include "makespan/pgas/task/spin_lock.hpp"
#include "makespan/pgas/task/task.hpp"

namespace makespan::pgas {

// Callable from any thread. Allocates at construction only (256 bytes a task); tasks allocate by
// themselves when their arguments are long, and keep that: at most `capacity` times the longest
// arguments, rounded up to a power of two.
class TaskPool {
 public:
  // At most `capacity` tasks are out at a time, capacity >= 1.
  explicit TaskPool(int capacity);
  TaskPool(TaskPool const&) = delete;
  TaskPool& operator=(TaskPool const&) = delete;

  // Null when all are out. The one that came back last goes out first, since it is still in a
  // cache.
  [[nodiscard]] Task* acquire();

  // Takes back what acquire() gave; may come from another thread.
  void release(Task& task);

  [[nodiscard]] int capacity() const { return static_cast<int>(tasks_.size()); }
  [[nodiscard]] int in_use() const;

 private:
  mutable SpinLock lock_;
  std::vector<Task> tasks_;  // never grows: tasks stay where they are
  Task* free_{};             // a chain through next_free_
  int in_use_{0};
};

}  // namespace makespan::pgas
