// SPDX-License-Identifier: Apache-2.0
#pragma once

// The tracker as the workers of images other than 0 reach it: by remote calls.

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "makespan/bag/dispatch/completion_service.hpp"
#include "makespan/bag/image/distributed_item_runner.hpp"
#include "makespan/pgas/operation/future.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::bag {

// Thread t of the team calls by endpoint t + 1. Tested through tests/bag/image/image_team_test.cpp.
class CompletionProxy final : public CompletionService {
 public:
  // Keeps a reference. `team` is what image 0 knows the team by.
  CompletionProxy(pgas::Runtime& runtime, std::uint64_t team, int threads);

  // From here on, finish() sends the results of `runner`. Between two bags, from the main thread.
  void begin(DistributedItemRunner& runner);

  ClaimActions ask(int thread, WorkerFacts const& worker) override;
  bool may_steal(int thread, int worker, int victim) override;
  bool may_use_pool(int thread, int worker) override;
  void retire(int thread, int worker) override;
  void take_back(int worker) override;
  void give_up(int lost, int worker) override;
  void end_chunk(int thread, ChunkReport const& report) override;
  void finish(int thread, int first_thread, int threads, std::span<ItemRange const> items) override;
  void settle(int thread) override;

 private:
  // Of one thread.
  struct alignas(64) Sender {
    std::deque<pgas::Future<void>> under_way;
    std::uint64_t messages{0};

    // Off the queue before it is asked: one that failed throws each time that it is.
    pgas::Future<void> take_first();
  };

  [[nodiscard]] pgas::Endpoint& here(int thread) const { return runtime_.endpoint(1 + thread); }
  Sender& sender(int thread) { return senders_[static_cast<std::size_t>(thread)]; }

  pgas::Runtime& runtime_;
  std::uint64_t team_;
  DistributedItemRunner* runner_{};
  std::vector<Sender> senders_;  // by thread
};

}  // namespace makespan::bag
