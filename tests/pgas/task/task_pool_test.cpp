// SPDX-License-Identifier: Apache-2.0
// Goal: a task is with one user at a time, runs with the arguments it was given, and its memory is
// kept. Method: one thread at the limits, then several that acquire and release; under the thread
// sanitizer too.
#include "makespan/pgas/task/task_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <latch>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include "makespan/base/contracts.hpp"
#include "makespan/pgas/task/task.hpp"

namespace makespan::pgas {
namespace {

void do_nothing(Task&) {
}

TEST(Task, runs_with_the_arguments_that_it_was_given) {
  Task task;
  int sum = 0;
  struct Arguments {
    int* sum;
    int value;
  };
  Arguments const given{&sum, 7};
  std::memcpy(task.prepare(
                      [](Task& self) {
                        Arguments got;
                        std::memcpy(&got, self.arguments().data(), sizeof(got));
                        *got.sum += got.value;
                      },
                      sizeof(given))
                  .data(),
              &given, sizeof(given));

  task.run();
  task.run();

  EXPECT_EQ(sum, 14);
}

TEST(Task, gives_as_much_room_as_is_asked_for) {
  Task task;
  for (std::size_t const bytes : {0U, 1U, 192U, 193U, 1000U, 100'000U, 5U}) {
    std::span<std::byte> const room = task.prepare(do_nothing, bytes);
    std::ranges::fill(room, std::byte{1});  // an address sanitizer looks whether it is there

    EXPECT_EQ(room.size(), bytes);
    EXPECT_EQ(task.arguments().data(), room.data());
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(room.data()) % alignof(std::max_align_t), 0);
  }
}

TEST(Task, keeps_its_memory) {
  Task task;
  std::byte const* const large = task.prepare(do_nothing, 5000).data();
  std::byte const* const small = task.prepare(do_nothing, 10).data();

  EXPECT_EQ(task.prepare(do_nothing, 4000).data(), large);
  EXPECT_EQ(task.prepare(do_nothing, 192).data(), small);
  EXPECT_NE(large, small);
}

TEST(Task, lets_out_what_its_function_throws) {
  Task task;
  task.prepare([](Task&) { throw std::runtime_error("no"); }, 0);

  EXPECT_THROW(task.run(), std::runtime_error);
}

TEST(TaskPool, gives_out_as_many_as_it_has) {
  TaskPool pool(3);
  std::vector<Task*> out;
  for (int task = 0; task < 3; ++task) out.push_back(pool.acquire());

  EXPECT_EQ(pool.acquire(), nullptr);
  EXPECT_EQ(pool.in_use(), 3);
  for (Task* const task : out) EXPECT_EQ(std::ranges::count(out, task), 1);

  pool.release(*out[1]);
  EXPECT_EQ(pool.in_use(), 2);
  EXPECT_EQ(pool.acquire(), out[1]);
}

TEST(TaskPool, wants_a_task_back_once) {
  TaskPool pool(2);
  TaskPool other(1);
  Task* const task = pool.acquire();
  pool.release(*task);

  EXPECT_THROW(pool.release(*task), ContractViolated);
  EXPECT_THROW(pool.release(*other.acquire()), ContractViolated);
  EXPECT_THROW(TaskPool(0), ContractViolated);
}

TEST(TaskPool, never_gives_a_task_to_two_threads) {
  constexpr int threads = 4;
  constexpr int rounds = 20'000;
  TaskPool pool(3);  // fewer than threads, so that it is spent now and then
  std::atomic<int> served{0};
  std::atomic<int> disturbed{0};
  std::latch everyone(threads);
  std::vector<std::jthread> users;
  for (int user = 0; user < threads; ++user) {
    users.emplace_back([&, user] {
      everyone.arrive_and_wait();
      for (int round = 0; round < rounds; ++round) {
        Task* const task = pool.acquire();
        if (task == nullptr) {
          std::this_thread::yield();
          continue;
        }
        std::span<std::byte> const room = task->prepare(do_nothing, sizeof(user));
        std::memcpy(room.data(), &user, sizeof(user));
        int found{};
        std::memcpy(&found, task->arguments().data(), sizeof(found));
        if (found != user) ++disturbed;
        ++served;
        pool.release(*task);
      }
    });
  }
  users.clear();

  EXPECT_EQ(disturbed, 0);
  EXPECT_GE(served, rounds);
  EXPECT_EQ(pool.in_use(), 0);
}

}  // namespace
}  // namespace makespan::pgas
