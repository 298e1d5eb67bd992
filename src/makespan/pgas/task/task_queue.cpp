// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/task/task_queue.hpp"

#include <mutex>

namespace makespan::pgas {

bool TaskQueue::push(Task& task) {
  std::scoped_lock const lock(owner_);
  return tasks_.push(task);
}

Task* TaskQueue::take() {
  if (order_ == TakeOrder::newest_first) {
    std::scoped_lock const lock(owner_);
    return tasks_.take();
  }
  // The oldest end is that of thieves, who need no lock: push(), which the thread that drives
  // progress calls, never keeps the owner waiting here.
  Task* task = nullptr;
  // Ends: each `busy` is a task that another thread got.
  while (tasks_.steal(task) == StealOutcome::busy) {
  }
  return task;
}

}  // namespace makespan::pgas
