// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tasks that wait for one thread.
//
// The thread that drives progress puts in what has arrived for the owner, the owner takes tasks
// out, and idle threads steal. Putting in and taking from the same end are the owner's part in a
// Chase-Lev deque, so they take turns with a lock; stealing needs none.

#include <cstdint>

#include "makespan/pgas/task/detail/chase_lev_deque.hpp"
#include "makespan/pgas/task/spin_lock.hpp"
#include "makespan/pgas/task/task.hpp"

namespace makespan::pgas {

// Which end the thread itself takes from; thieves get the oldest in both cases.
enum class TakeOrder : std::uint8_t {
  oldest_first,  // calls are served as they came: none waits for ever while others keep coming
  newest_first,  // what was pushed last is still in the cache; the thieves' end is left to them
};

// Callable from any thread. Allocates at construction only.
class TaskQueue {
 public:
  // Room for `capacity` tasks, a power of two.
  TaskQueue(std::int64_t capacity, TakeOrder order) : order_{order}, tasks_{capacity} {}

  // False: full, nothing was done.
  [[nodiscard]] bool push(Task& task);

  // For the thread whose queue this is. Null if there is none.
  [[nodiscard]] Task* take();

  // For other threads, once for each look: after `busy`, look elsewhere first.
  [[nodiscard]] StealOutcome steal(Task*& task) { return tasks_.steal(task); }

  // An upper bound; exact while no other thread uses the queue.
  [[nodiscard]] std::int64_t size() const { return tasks_.size(); }
  [[nodiscard]] std::int64_t capacity() const { return tasks_.capacity(); }

 private:
  TakeOrder order_;
  SpinLock owner_;  // who holds it is the deque's owner
  ChaseLevDeque<Task> tasks_;
};

}  // namespace makespan::pgas
