// SPDX-License-Identifier: Apache-2.0
#pragma once

// What comes of a bag's items: how often each was run, and how often its result was counted.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "makespan/bag/image/distributed_item_runner.hpp"
#include "swarm/bag_plan.hpp"
#include "swarm/faults.hpp"

namespace makespan::swarm {

// Of one bag, as image 0 has it.
class BagResults {
 public:
  BagResults(VirtualWorld& world, std::vector<bag::Segment> const& tasks);

  [[nodiscard]] std::int64_t number_of(TaskId task, std::int64_t item) const {
    return first_[static_cast<std::size_t>(task.value())] + item;
  }
  void note_run(std::int64_t item) { ++runs_[static_cast<std::size_t>(item)]; }
  // Reports the second of an item, and any after close().
  void count(std::int64_t item);
  void close() { is_closed_ = true; }
  // Of an item that is handed out; reports one that is counted.
  void expect_open(std::int64_t item);
  [[nodiscard]] bool is_closed() const { return is_closed_; }
  // Throws Broken unless each is counted, or run, once.
  void expect_all() const;
  void expect_run_once() const;

 private:
  VirtualWorld& world_;
  std::vector<std::int64_t> first_{};  // by task
  std::vector<int> runs_;
  std::vector<int> counts_;
  bool is_closed_{false};
};

// Of one image in one bag: its devices take their time for items, until they fail.
class SwarmRunner final : public bag::DistributedItemRunner {
 public:
  struct RunContext {
    int image{};
    std::size_t bag{};
    Nanoseconds begin{};  // of the world: when devices fail counts from there
    Fault fault{Fault::none};
  };

  SwarmRunner(VirtualWorld& world, BagPlan const& plan, std::vector<BagResults>& results,
              RunContext context);

  void run(int thread, TaskId task, std::int64_t item_begin, std::int64_t item_end) override;
  void keep(int thread) override;
  void drop(int thread) override;
  void on_overdue(bag::OverduePiece const& piece) override;
  void pack(int thread, std::vector<std::byte>& bytes) override;
  void unpack(std::span<std::byte const> bytes) override;

 private:
  // What travels.
  struct Result {
    std::uint64_t bag;
    std::int64_t item;
  };
  void hang_if_due(int thread);

  struct Thread {
    int device;
    std::vector<Result> untold{};
  };
  [[nodiscard]] bag::Segment const& task_of(TaskId task) const;

  VirtualWorld& world_;
  BagPlan const& plan_;
  std::vector<BagResults>& results_;
  RunContext context_;
  std::vector<Thread> threads_{};
  std::vector<bool> has_hung_{};  // by device
};

}  // namespace makespan::swarm
