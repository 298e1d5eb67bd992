// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/task/task_pool.hpp"

#include <functional>
#include <mutex>

#include "makespan/base/checked_cast.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::pgas {

TaskPool::TaskPool(int capacity) : tasks_(checked_cast<std::size_t>(capacity)) {
  MAKESPAN_EXPECT(capacity >= 1);
  for (Task& task : tasks_) {
    task.next_free_ = free_;
    free_ = &task;
  }
}

Task* TaskPool::acquire() {
  std::scoped_lock const lock(lock_);
  Task* const task = free_;
  if (task == nullptr) return nullptr;
  free_ = task->next_free_;
  task->is_in_use_ = true;
  ++in_use_;
  return task;
}

void TaskPool::release(Task& task) {
  // std::less orders pointers that do not belong together, too.
  MAKESPAN_EXPECT(!std::less<>{}(&task, tasks_.data()));
  MAKESPAN_EXPECT(std::less<>{}(&task, tasks_.data() + tasks_.size()));
  std::scoped_lock const lock(lock_);
  MAKESPAN_EXPECT(task.is_in_use_);
  task.is_in_use_ = false;
  task.next_free_ = free_;
  free_ = &task;
  --in_use_;
}

int TaskPool::in_use() const {
  std::scoped_lock const lock(lock_);
  return in_use_;
}

}  // namespace makespan::pgas
