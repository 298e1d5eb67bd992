// SPDX-License-Identifier: Apache-2.0
#pragma once

// What dispatchers reach other images by, in a virtual world: the interfaces of bag/image over
// messages that take their time. As PgasBagState, NodePool and CompletionProxy do it step by step
// over the runtime.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "makespan/bag/dispatch/completion_service.hpp"
#include "makespan/bag/dispatch/image_roster.hpp"
#include "makespan/bag/dispatch/item_pool.hpp"
#include "makespan/bag/dispatch/shared_bag_state.hpp"
#include "makespan/bag/image/detail/completion_server.hpp"
#include "makespan/bag/image/distributed_item_runner.hpp"
#include "makespan/bag/worker_board.hpp"
#include "swarm/faults.hpp"
#include "swarm/virtual_world.hpp"

namespace makespan::swarm {

// What lies in the memory of images.
struct BagMemory {
  std::uint64_t word{0};                                    // of claims, on image 0
  std::vector<Speed> speeds{};                              // by worker, there too
  std::vector<std::unique_ptr<bag::WorkerBoard>> boards{};  // by image
};

// Keep references, all of them.

class SwarmBagState final : public bag::SharedBagState {
 public:
  SwarmBagState(VirtualWorld& world, int image, bag::ImageRoster const& roster, BagMemory& memory,
                Fault fault)
      : world_{world}, image_{image}, roster_{roster}, memory_{memory}, fault_{fault} {}

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
  void view_board(int image, std::vector<bag::WorkerView>& views) const;
  [[nodiscard]] bag::WorkerBoard& board(int image) const {
    return *memory_.boards[static_cast<std::size_t>(image)];
  }

  VirtualWorld& world_;
  int image_;
  bag::ImageRoster const& roster_;
  BagMemory& memory_;
  Fault fault_;
};

// In the memory of a node's first image.
struct PoolMemory {
  int image{};
  std::vector<int> members{};                // workers of the node
  std::vector<bag::ItemRange> left{{}, {}};  // of bags in turn
  std::vector<Speed> speeds{};               // by worker of all images
};

class SwarmPool final : public bag::ItemPool {
 public:
  SwarmPool(VirtualWorld& world, int image, PoolMemory& memory)
      : world_{world}, image_{image}, memory_{memory} {}

  void begin(std::size_t bag);

  [[nodiscard]] int workers() const override { return static_cast<int>(memory_.members.size()); }
  [[nodiscard]] bool is_there() const override { return !world_.knows_loss(image_, memory_.image); }
  [[nodiscard]] Speed speed_together(int thread) override;
  void report_speed(int thread, int worker, Speed speed) override;
  [[nodiscard]] bool is_empty(int thread) override;
  [[nodiscard]] std::optional<bag::ItemRange> take(int thread, Chunk const& chunk) override;
  [[nodiscard]] bool offer(int thread, bag::ItemRange items) override;

 private:
  [[nodiscard]] bag::ItemRange load();
  [[nodiscard]] bool replace(bag::ItemRange& seen, bag::ItemRange with);
  [[nodiscard]] bag::ItemRange& left() { return memory_.left[bag_ % 2]; }

  VirtualWorld& world_;
  int image_;
  PoolMemory& memory_;
  std::size_t bag_{0};
};

// On image 0 a call, elsewhere messages to it.
class SwarmTracker final : public bag::CompletionService {
 public:
  SwarmTracker(VirtualWorld& world, int image, int threads, bag::CompletionServer& server,
               std::size_t part_bytes, Fault fault);

  void begin(bag::DistributedItemRunner& runner) { runner_ = &runner; }
  // What image 0 does with items that its tracker hands out.
  void on_hand_out(std::function<void(bag::ItemRange)> then) { on_hand_out_ = std::move(then); }

  [[nodiscard]] bag::ClaimActions ask(int thread, bag::WorkerFacts const& worker) override;
  [[nodiscard]] bool may_steal(int thread, int worker, int victim) override;
  [[nodiscard]] bool may_use_pool(int thread, int worker) override;
  void retire(int thread, int worker) override;
  void take_back(int worker) override;
  void give_up(int lost, int worker) override;
  void end_chunk(int thread, bag::ChunkReport const& report) override;
  void finish(int thread, int first_thread, int threads,
              std::span<bag::ItemRange const> items) override;

  void settle(int thread) override { settle(sender(thread)); }

  // Tells image 0, in parts, what this image's part in a bag has come to; waits until it is there.
  void end(std::uint64_t bag, bag::ImageOutcome const& outcome);

 private:
  // Of one thread, and one for the image.
  struct Sender {
    int under_way{0};
    std::uint64_t messages{0};
    std::optional<VirtualWorld::FiberId> waits{};
  };
  using Take = std::function<void()>;

  void settle(Sender& sender);
  // `take` runs on image 0, in a fiber of its own.
  void post(Sender& sender, Take take);
  void answer(Sender& sender);
  void send_finished(Sender& sender, int thread, std::span<std::byte const> message);
  Sender& sender(int thread) { return senders_[static_cast<std::size_t>(thread)]; }
  template <class Function>
  [[nodiscard]] auto call(Function const& function) {
    decltype(function()) answer{};
    world_.ask(image_, 0, VirtualWorld::Reach::function, [&] { answer = function(); });
    return answer;
  }

  VirtualWorld& world_;
  int image_;
  bag::CompletionServer& server_;
  std::size_t part_bytes_;
  Fault fault_;
  bag::DistributedItemRunner* runner_{};
  std::function<void(bag::ItemRange)> on_hand_out_{};
  std::vector<Sender> senders_;  // by thread, then the image's
};

}  // namespace makespan::swarm
