// SPDX-License-Identifier: Apache-2.0
#pragma once

// A bag whose items give what no other item gives, and count where they arrive.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "makespan/bag/image/distributed_item_runner.hpp"
#include "makespan/bag/image/image_team.hpp"
#include "makespan/bag/protocol/bag.hpp"

namespace makespan::bag {

// Tasks of unequal items and costs.
inline std::vector<Segment> some_tasks(int tasks) {
  std::vector<Segment> segments;
  for (int task = 0; task < tasks; ++task) {
    segments.push_back({TaskId{task}, 1 + 7 * task % 40, Work{1.0 + task % 5}});
  }
  return segments;
}

inline std::int64_t result_of(TaskId task, std::int64_t item) {
  return task.value() * 1'000'003 + item;
}

// Runs items, and counts them on image 0.
class CountingRunner final : public DistributedItemRunner {
 public:
  // Of an image, at an item of a task.
  using Work = std::function<void(int, TaskId, std::int64_t)>;

  CountingRunner(int image, int threads, Work work = {})
      : image_(image), work_(std::move(work)), results_(static_cast<std::size_t>(threads)) {}

  void run(int thread, TaskId task, std::int64_t item_begin, std::int64_t item_end) override {
    if (before) before(thread);
    {
      std::scoped_lock const lock(mutex_);
      for (std::int64_t item = item_begin; item < item_end; ++item) ++runs_[{task.value(), item}];
    }
    for (std::int64_t item = item_begin; item < item_end; ++item) {
      if (work_) work_(image_, task, item);
      Result const result{task.value(), item, result_of(task, item)};
      results_[static_cast<std::size_t>(thread)].push_back(result);
    }
  }

  void keep(int thread) override {
    for (Result const& result : results_[static_cast<std::size_t>(thread)]) add(result);
    drop(thread);
  }
  void drop(int thread) override { results_[static_cast<std::size_t>(thread)].clear(); }

  void pack(int thread, std::vector<std::byte>& bytes) override {
    auto& mine = results_[static_cast<std::size_t>(thread)];
    auto const data = std::as_bytes(std::span(mine));
    bytes.insert(bytes.end(), data.begin(), data.end());
    mine.clear();
  }

  void unpack(std::span<std::byte const> bytes) override {
    for (; !bytes.empty(); bytes = bytes.subspan(sizeof(Result))) {
      Result result{};
      if (bytes.size() < sizeof result) throw std::out_of_range("half a result");
      std::memcpy(&result, bytes.data(), sizeof result);
      add(result);
    }
  }

  // On image 0: what is wrong with the results of a bag; empty if each item's came once.
  [[nodiscard]] std::string trouble(Bag const& bag) {
    std::scoped_lock const lock(mutex_);
    for (Segment const& segment : bag.segments()) {
      for (std::int64_t item = 0; item < segment.items; ++item) {
        int const count = counts_[{segment.task.value(), item}];
        if (count == 1) continue;
        return "item " + std::to_string(item) + " of task " + std::to_string(segment.task.value()) +
               " came " + std::to_string(count) + " times";
      }
    }
    if (wrong_ > 0) return std::to_string(wrong_) + " wrong results";
    return std::ssize(counts_) == bag.items() ? "" : "results of items that there are not";
  }
  void forget() { counts_.clear(); }

  // On this image: how often the item ran that ran most often, in all bags so far.
  [[nodiscard]] int runs_max() const {
    int most = 0;
    for (auto const& [item, runs] : runs_) most = std::max(most, runs);
    return most;
  }

  std::function<void(int thread)> before{};  // before a piece, of which nothing runs if it throws

 private:
  struct Result {
    std::int64_t task;
    std::int64_t item;
    std::int64_t result;
  };

  void add(Result const& result) {
    std::scoped_lock const lock(mutex_);
    if (result.result != result_of(TaskId{result.task}, result.item)) ++wrong_;
    ++counts_[{result.task, result.item}];
  }

  int image_;
  Work work_;
  std::vector<std::vector<Result>> results_;  // by thread
  std::mutex mutex_;                          // of what follows
  std::map<std::pair<std::int64_t, std::int64_t>, int> counts_;
  std::map<std::pair<std::int64_t, std::int64_t>, int> runs_;
  int wrong_{0};
};

// An order begins with the number of tasks.
class Service final : public ImageService {
 public:
  explicit Service(DistributedItemRunner& runner) : runner_(runner) {}

  void receive(std::span<std::byte const> message) override {
    if (message.size() == 1) throw std::invalid_argument("a message of one byte");
    received_ += message.size();
  }
  Bag begin(std::span<std::byte const> order) override {
    int tasks = 0;
    if (order.size() < sizeof tasks) throw std::invalid_argument("an order without a number");
    std::memcpy(&tasks, order.data(), sizeof tasks);
    return Bag(some_tasks(tasks));
  }
  DistributedItemRunner& runner() override { return runner_; }

  [[nodiscard]] std::size_t received() const { return received_; }

 private:
  DistributedItemRunner& runner_;
  std::size_t received_{0};
};

}  // namespace makespan::bag
