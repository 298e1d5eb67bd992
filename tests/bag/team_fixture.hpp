// SPDX-License-Identifier: Apache-2.0
#pragma once

// What tests of teams share: a bag, and runners that count.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "makespan/bag/device_team.hpp"

namespace makespan::bag {

inline Bag mixed_bag() {
  std::vector<Segment> segments;
  for (std::int64_t task = 0; task < 40; ++task) {
    segments.push_back(
        {TaskId{task}, 1 + task * 7 % 13, Work{1.0 + static_cast<double>(task % 5)}});
  }
  return Bag(std::move(segments));
}

// A runner made of a function, with what every call must keep.
template <class Function>
class Runner final : public ItemRunner {
 public:
  explicit Runner(Function function) : function_(std::move(function)) {}

  void run(int worker, TaskId task, std::int64_t item_begin, std::int64_t item_end) override {
    EXPECT_LT(item_begin, item_end);
    function_(worker, task, ItemRange{item_begin, item_end});
  }

 private:
  Function function_;
};

// How often each item of each task ran. Safe from several threads: each counter is atomic.
class Counters {
 public:
  explicit Counters(Bag const& bag) {
    for (Segment const& segment : bag.segments()) {
      counts_.emplace(segment.task,
                      std::vector<std::atomic<int>>(static_cast<std::size_t>(segment.items)));
    }
  }

  void count(TaskId task, ItemRange items) {
    for (std::int64_t item = items.begin; item < items.end; ++item) {
      ++counts_.at(task)[static_cast<std::size_t>(item)];
    }
  }

  [[nodiscard]] bool all_are(int times) const {
    return std::ranges::all_of(counts_, [times](auto const& task) {
      return std::ranges::all_of(task.second,
                                 [times](auto const& count) { return count == times; });
    });
  }

  [[nodiscard]] bool task_is_done(TaskId task) const {
    return std::ranges::all_of(counts_.at(task), [](auto const& count) { return count > 0; });
  }

 private:
  std::map<TaskId, std::vector<std::atomic<int>>> counts_;
};

inline TeamOptions one_device(int threads, Mode mode = Mode::automatic,
                              std::string_view policy = "equal_time") {
  return {.devices = {{.threads = threads, .mode = mode}}, .policy = std::string(policy)};
}

}  // namespace makespan::bag
