// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the workers of one image get items of a bag that several images work on.
//
// As long as the word of claims is not spent they claim off it by themselves, where the policy lets
// them: one atomic where the chunk follows from the number of the claim, a look and a
// compare-exchange where it follows from what is left, and a fetch-and-add where that is lost to
// another. After that they ask the tracker, and between
// two asks look for a tail to take, on all images.
//
// With a pool they claim off the word for their whole node, as many chunks at once as it has
// workers, and divide that among themselves in chunks of equal time, by atomics of the node.

#include <atomic>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "makespan/bag/claim_source.hpp"
#include "makespan/bag/dispatch/completion_service.hpp"
#include "makespan/bag/dispatch/image_roster.hpp"
#include "makespan/bag/dispatch/item_pool.hpp"
#include "makespan/bag/dispatch/shared_bag_state.hpp"
#include "makespan/bag/dispatcher.hpp"
#include "makespan/bag/policy/equal_time.hpp"
#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/bag/protocol/bag.hpp"
#include "makespan/bag/protocol/claim_word.hpp"
#include "makespan/bag/protocol/step_positions.hpp"
#include "makespan/bag/team_clock.hpp"
#include "makespan/bag/team_layout.hpp"
#include "makespan/bag/team_state.hpp"
#include "makespan/base/image_errors.hpp"

namespace makespan::bag {

// How a claim is made while the bag is not spent.
enum class ClaimWay {
  by_step,       // one fetch-and-add: its number says which items
  by_remaining,  // a look and a compare-exchange
  by_tracker,    // a call
};

[[nodiscard]] ClaimWay claim_way(Dispatcher dispatcher, PolicyForm form,
                                 std::vector<Mode> const& modes);

// What the dispatchers of an image have to do with, the same for all bags.
struct ImageContext {
  int image;
  SharedBagState& bag_state;
  ImageRoster const& roster;
  CompletionService& tracker;
  ItemPool* pool;  // of the dispatcher `hierarchical`; null: none
  TeamClock const& clock;
  TeamLayout const& layout;
  std::vector<Mode> const& modes;  // of all workers
  Dispatcher dispatcher;
  ClaimWay way;
};

// One bag. Tested by tests/bag/dispatch/image_dispatcher_test.cpp, between images through
// image_team_test.cpp, and in worlds that are drawn by tests/swarm.
class ImageDispatcher final : public ClaimSource {
 public:
  // Keeps references.
  ImageDispatcher(Bag const& bag, ImageContext const& context, TeamState& state);

  std::optional<Grant> claim(int worker, Seconds claim_cost) override;
  void finish(int worker, std::span<ItemRange const> done, Seconds taken, Seconds claim) override;
  void forget(int worker) override { at(worker).unreported.clear(); }
  void give_back(int worker) override;
  void leave(int worker) override;
  void take_back(int worker) override;
  void give_up(int worker) override;
  [[nodiscard]] Speed speed_to_go_by(int worker) override;
  void stop() override { stopped_ = true; }

  [[nodiscard]] bool complete() const override { return !stopped_ && at_work_ == 0; }
  [[nodiscard]] std::int64_t claims() const override { return claims_; }
  [[nodiscard]] std::int64_t steals() const override { return steals_; }

 private:
  // Touched by the worker's own thread alone.
  struct alignas(64) Worker {
    std::optional<StepPositions> positions;  // of claims by step
    SharedBagState::Look look{};
    std::chrono::steady_clock::time_point next_speed_read{};  // next, and not before
    ChunkReport report{};                 // of the chunk at hand, for a tracker that hands out all
    std::vector<ItemRange> unreported{};  // finished, and not reported yet; rising
    std::chrono::steady_clock::time_point reported_at{};
    std::chrono::steady_clock::duration report_interval{};  // before it tells again
    bool knows_end{};                                       // the word of claims is spent
    bool has_asked{};  // the tracker: from then on it takes from others only with its permission
    bool is_released{};
    bool is_known{};  // others have been told how fast it is, if anything is known
  };

  [[nodiscard]] std::optional<ItemRange> claim_unspent(int worker, Seconds claim_cost);
  [[nodiscard]] std::optional<ItemRange> claim_by_step(int worker);
  [[nodiscard]] std::optional<ItemRange> claim_by_remaining(int worker, Seconds claim_cost);
  [[nodiscard]] WorkerFacts of_node(int worker, WorkerFacts facts) const;
  std::nullopt_t end_of_claims(int worker);
  [[nodiscard]] bool may_add(int worker) const;
  [[nodiscard]] std::optional<ItemRange> claim_as_many(int worker, WorkerFacts const& claimer,
                                                       ClaimWord seen);
  [[nodiscard]] ItemRange next_chunks(int worker, WorkerFacts const& facts, ClaimWord word) const;
  // What `use` makes of the pool; `otherwise` where there is none, or its image is lost meanwhile.
  // The tracker finds what was in it.
  template <class Result, std::invocable<ItemPool&> Use>
  Result with_pool(Result otherwise, Use use) const {
    if (!has_pool()) return otherwise;
    try {
      return use(*context_.pool);
    } catch (ImageFailed const&) {
      return otherwise;
    }
  }
  [[nodiscard]] std::optional<ItemRange> take_from_pool(int worker, Seconds claim_cost);
  [[nodiscard]] bool pool_has_items(int worker);
  [[nodiscard]] ItemRange share_with_node(int worker, ItemRange batch, Seconds claim_cost);
  [[nodiscard]] ItemRange part_within_node(int worker, ItemRange left, Seconds claim_cost);
  [[nodiscard]] std::optional<ItemRange> steal(int worker, Seconds claim_cost);
  void introduce(int worker);
  void look(int worker);
  [[nodiscard]] WorkerFacts read_facts(int worker, Seconds claim_cost);
  [[nodiscard]] Grant grant(int worker, ItemRange items, bool waited, bool stolen);
  void end_chunk(int worker);
  void note(int worker, std::span<ItemRange const> done);
  void report_finished(int worker);
  void report_speed(int worker, Speed speed);

  [[nodiscard]] bool has_pool() const {
    return context_.pool != nullptr && context_.pool->is_there();
  }
  [[nodiscard]] int chunks_at_once(WorkerFacts const& facts) const;
  [[nodiscard]] Speed speed_of(int worker);
  [[nodiscard]] Speed speed_seen(int worker);  // 0 while it is only remembered
  void record(int worker, Work work, Seconds taken);

  [[nodiscard]] int global(int worker) const { return first_worker_ + worker; }
  [[nodiscard]] int thread_of(int worker) const;
  Worker& at(int worker) { return workers_[static_cast<std::size_t>(worker)]; }

  Bag const& bag_;
  ImageContext context_;
  TeamState& state_;
  LoopFacts loop_;
  int first_worker_;
  std::vector<Worker> workers_;
  EqualTimePolicy within_node_{OptionValues{}};
  std::mutex speeds_lock_;  // of state_.speeds
  std::atomic<bool> stopped_{false};
  std::atomic<int> at_work_;
  std::atomic<std::int64_t> claims_{0};
  std::atomic<std::int64_t> steals_{0};
};

}  // namespace makespan::bag
