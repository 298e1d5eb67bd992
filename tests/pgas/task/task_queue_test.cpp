// SPDX-License-Identifier: Apache-2.0
// Goal: tasks leave in the promised order, and each once, however many put in, take and steal.
// Method: one thread, then two that push, one that takes and 1 to 4 thieves; under the thread
// sanitizer too.
#include "makespan/pgas/task/task_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <latch>
#include <ostream>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "makespan/pgas/task/task_pool.hpp"

namespace makespan::pgas {
namespace {

TEST(TaskQueue, takes_the_oldest_first) {
  TaskQueue queue(4, TakeOrder::oldest_first);
  std::array<Task, 3> tasks;
  for (Task& task : tasks) EXPECT_TRUE(queue.push(task));
  EXPECT_EQ(queue.size(), 3);

  EXPECT_EQ(queue.take(), &tasks[0]);
  Task* stolen = nullptr;
  EXPECT_EQ(queue.steal(stolen), StealOutcome::got);
  EXPECT_EQ(stolen, &tasks[1]);
  EXPECT_EQ(queue.take(), &tasks[2]);
  EXPECT_EQ(queue.take(), nullptr);
  EXPECT_EQ(queue.steal(stolen), StealOutcome::empty);
}

TEST(TaskQueue, takes_the_newest_first_and_leaves_the_oldest_to_thieves) {
  TaskQueue queue(4, TakeOrder::newest_first);
  std::array<Task, 3> tasks;
  for (Task& task : tasks) EXPECT_TRUE(queue.push(task));

  EXPECT_EQ(queue.take(), &tasks[2]);
  Task* stolen = nullptr;
  EXPECT_EQ(queue.steal(stolen), StealOutcome::got);
  EXPECT_EQ(stolen, &tasks[0]);
  EXPECT_EQ(queue.take(), &tasks[1]);
  EXPECT_EQ(queue.take(), nullptr);
}

TEST(TaskQueue, says_when_it_is_full) {
  TaskQueue queue(2, TakeOrder::oldest_first);
  std::array<Task, 3> tasks;

  EXPECT_TRUE(queue.push(tasks[0]));
  EXPECT_TRUE(queue.push(tasks[1]));
  EXPECT_FALSE(queue.push(tasks[2]));
  EXPECT_EQ(queue.capacity(), 2);
}

struct Crowd {
  TakeOrder order;
  int thieves;
};

class EveryCrowd : public testing::TestWithParam<Crowd> {};

std::vector<Crowd> all_crowds() {
  std::vector<Crowd> crowds;
  for (TakeOrder const order : {TakeOrder::oldest_first, TakeOrder::newest_first}) {
    for (int thieves = 1; thieves <= 4; ++thieves) crowds.push_back({order, thieves});
  }
  return crowds;
}

// How a failed test names its parameters.
std::string name_of(Crowd const& crowd) {
  return std::to_string(crowd.thieves) +
         (crowd.order == TakeOrder::oldest_first ? "_thieves_oldest" : "_thieves_newest");
}

void PrintTo(Crowd const& crowd, std::ostream* out) {
  *out << name_of(crowd);
}

INSTANTIATE_TEST_SUITE_P(TaskQueue, EveryCrowd, testing::ValuesIn(all_crowds()),
                         [](auto const& test) { return name_of(test.param); });

// A number of calls that go through a pool and a queue, each marking its line in a table.
class Calls {
 public:
  explicit Calls(int count, TakeOrder order)
      : pool_(64), queue_(64, order), times_run_(static_cast<std::size_t>(count)) {}

  void push(int call) {
    Task* task = nullptr;
    while ((task = pool_.acquire()) == nullptr) std::this_thread::yield();
    struct Mark {
      Calls* calls;
      int call;
    } const mark{this, call};
    std::span<std::byte> const room = task->prepare(
        [](Task& self) {
          Mark made;
          std::memcpy(&made, self.arguments().data(), sizeof(made));
          ++made.calls->times_run_[static_cast<std::size_t>(made.call)];
        },
        sizeof(mark));
    std::memcpy(room.data(), &mark, sizeof(mark));
    // The queue is as long as the pool.
    EXPECT_TRUE(queue_.push(*task));
  }

  bool run_own() { return run(queue_.take()); }

  bool steal_and_run() {
    Task* task = nullptr;
    return queue_.steal(task) == StealOutcome::got && run(task);
  }

  [[nodiscard]] int calls_run() const { return calls_run_; }
  [[nodiscard]] bool each_ran_once() const {
    return std::ranges::all_of(times_run_, [](int times) { return times == 1; });
  }

 private:
  bool run(Task* task) {
    if (task == nullptr) return false;
    task->run();
    pool_.release(*task);
    ++calls_run_;
    return true;
  }

  TaskPool pool_;
  TaskQueue queue_;
  std::vector<int> times_run_;  // plain: a call runs once, so there is no race
  std::atomic<int> calls_run_{0};
};

TEST_P(EveryCrowd, runs_each_call_once) {
  constexpr int calls_each = 20'000;
  constexpr int pushers = 2;
  Calls calls(pushers * calls_each, GetParam().order);
  std::latch everyone(pushers + GetParam().thieves + 1);
  std::vector<std::jthread> threads;
  for (int pusher = 0; pusher < pushers; ++pusher) {
    threads.emplace_back([&, pusher] {
      everyone.arrive_and_wait();
      for (int call = 0; call < calls_each; ++call) calls.push(pusher * calls_each + call);
    });
  }
  for (int thief = 0; thief < GetParam().thieves; ++thief) {
    threads.emplace_back([&] {
      everyone.arrive_and_wait();
      while (calls.calls_run() < pushers * calls_each) {
        if (!calls.steal_and_run()) std::this_thread::yield();
      }
    });
  }

  everyone.arrive_and_wait();
  while (calls.calls_run() < pushers * calls_each) {
    if (!calls.run_own()) std::this_thread::yield();
  }
  threads.clear();

  EXPECT_TRUE(calls.each_ran_once());
  EXPECT_FALSE(calls.run_own());
}

}  // namespace
}  // namespace makespan::pgas
