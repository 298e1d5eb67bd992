// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the dispatcher of a simulated image reaches the others by: the same interfaces as a real
// one's, in virtual time.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "makespan/bag/dispatch/completion_service.hpp"
#include "makespan/bag/dispatch/image_roster.hpp"
#include "makespan/bag/dispatch/item_pool.hpp"
#include "makespan/bag/dispatch/shared_bag_state.hpp"
#include "makespan/bag/protocol/completion_tracker.hpp"
#include "makespan/sim/detail/virtual_clock.hpp"
#include "makespan/sim/detail/virtual_network.hpp"
#include "makespan/sim/detail/worker_table.hpp"

namespace makespan::sim {

// What lies on image 0.
struct SharedWords {
  std::uint64_t word{0};
  std::vector<Speed> speeds{};  // by worker
};

// Keep references, all of them.

class VirtualBagState final : public bag::SharedBagState {
 public:
  VirtualBagState(int image, bag::ImageRoster const& roster, SharedWords& shared,
                  WorkerTable& workers, VirtualNetwork& network)
      : image_{image}, roster_{roster}, shared_{shared}, workers_{workers}, network_{network} {}

  void look(int thread, Look& look) override;
  [[nodiscard]] std::uint64_t look_word(int thread) override;
  [[nodiscard]] std::uint64_t fetch_add(int thread, std::uint64_t value) override;
  [[nodiscard]] std::uint64_t compare_swap(int thread, std::uint64_t expected,
                                           std::uint64_t desired) override;
  void report_speed(int thread, int worker, Speed speed) override;
  void look_at_all(int thread, Look& look, std::vector<bag::WorkerView>& views) override;
  [[nodiscard]] bool take_tail(int thread, int victim, bag::ItemRange tail) override;
  void publish(int worker, bag::ItemRange range) override;
  void take_all(int worker) override;

 private:
  [[nodiscard]] int global(int worker) const {
    return roster_.first_worker[static_cast<std::size_t>(image_)] + worker;
  }

  int image_;
  bag::ImageRoster const& roster_;
  SharedWords& shared_;
  WorkerTable& workers_;
  VirtualNetwork& network_;
};

// A node's pool as its images share it.
struct PoolWords {
  int image{};  // that keeps it
  std::vector<int> members{};
  bag::ItemRange left{};
  std::vector<Speed> speeds{};  // by worker of all images
};

class VirtualPool final : public bag::ItemPool {
 public:
  VirtualPool(int image, PoolWords& words, VirtualNetwork& network)
      : image_{image}, words_{words}, network_{network} {}

  [[nodiscard]] int workers() const override { return static_cast<int>(words_.members.size()); }
  [[nodiscard]] bool is_there() const override { return !network_.is_known_lost(words_.image); }
  [[nodiscard]] Speed speed_together(int thread) override;
  void report_speed(int thread, int worker, Speed speed) override;
  [[nodiscard]] bool is_empty(int thread) override;
  [[nodiscard]] std::optional<bag::ItemRange> take(int thread, Chunk const& chunk) override;
  [[nodiscard]] bool offer(int thread, bag::ItemRange items) override;

 private:
  int image_;
  PoolWords& words_;
  VirtualNetwork& network_;
};

class VirtualTracker final : public bag::CompletionService {
 public:
  VirtualTracker(int image, bag::CompletionTracker& tracker, VirtualClock& clock,
                 VirtualNetwork& network, double result_bytes)
      : image_{image},
        tracker_{tracker},
        clock_{clock},
        network_{network},
        result_bytes_{result_bytes} {}

  [[nodiscard]] bag::ClaimActions ask(int thread, bag::WorkerFacts const& worker) override;
  [[nodiscard]] bool may_steal(int thread, int worker, int victim) override;
  [[nodiscard]] bool may_use_pool(int thread, int worker) override;
  void retire(int thread, int worker) override;
  void take_back(int worker) override;
  void give_up(int lost, int worker) override;
  void end_chunk(int thread, bag::ChunkReport const& report) override;
  void finish(int thread, int first_thread, int threads,
              std::span<bag::ItemRange const> items) override;
  void settle(int /*thread*/) override {}

  // When the last result of this image is where it belongs.
  [[nodiscard]] Seconds results_there() const { return results_there_; }

 private:
  int image_;
  bag::CompletionTracker& tracker_;
  VirtualClock& clock_;
  VirtualNetwork& network_;
  double result_bytes_;  // of an item
  Seconds results_there_{};
};

}  // namespace makespan::sim
