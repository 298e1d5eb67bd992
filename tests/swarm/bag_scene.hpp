// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is there in a world of bags: images with their devices and links, a tracker, bags and what
// comes of them; and how an image works on a bag, as DeviceTeam::run() does.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "makespan/bag/claim_cost.hpp"
#include "makespan/bag/detail/team_run.hpp"
#include "makespan/bag/dispatch/image_dispatcher.hpp"
#include "makespan/bag/image/detail/completion_server.hpp"
#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/bag/team_options.hpp"
#include "swarm/bag_links.hpp"
#include "swarm/bag_plan.hpp"
#include "swarm/bag_results.hpp"
#include "swarm/faults.hpp"

namespace makespan::swarm {

// One bag on one image, for as long as the world is there: fibers may still be in it.
struct BagRun {
  explicit BagRun(SwarmRunner&& its_runner) : runner{std::move(its_runner)} {}
  SwarmRunner runner;
  std::unique_ptr<bag::ClaimSource> source{};
  std::stop_source stop{};
  std::optional<bag::TeamRun> run{};
  int inside{0};
};

// What an image has, from bag to bag.
struct SceneImage {
  explicit SceneImage(bag::TeamOptions const& options)
      : layout{options.devices},
        state{.policy = bag::make_policy(options.policy, options.policy_options),
              .speeds = bag::SpeedTable(layout.workers()),
              .claim_costs = std::vector<Seconds>(static_cast<std::size_t>(layout.workers()),
                                                  bag::claim_cost_at_first),
              .failed = std::vector<bool>(static_cast<std::size_t>(layout.devices()))} {}

  bag::TeamLayout layout;
  bag::TeamState state;
  std::unique_ptr<SwarmBagState> bag_state{};
  std::unique_ptr<SwarmTracker> tracker{};
  std::unique_ptr<SwarmPool> pool{};
  std::vector<std::unique_ptr<BagRun>> runs{};
  VirtualWorld::FiberId main{};
  std::size_t ordered{0};  // bags that it was told to begin
  std::size_t stopped{0};  // the last bag that it was told to stop, from 1
  bool is_shut_down{false};
};

struct BagScene {
  BagScene(BagPlan const& its_plan, Fault its_fault, Story story);
  // Fibers first: they are in what goes after them.
  ~BagScene() { world.unwind(); }
  BagScene(BagScene const&) = delete;
  BagScene& operator=(BagScene const&) = delete;

  [[nodiscard]] SceneImage& at(int image) { return *images[static_cast<std::size_t>(image)]; }

  // Puts in place what the image needs for a bag.
  BagRun& run_of(int image, std::size_t bag);
  // An image's part in a bag, from its main fiber; `meanwhile` is called again and again on image
  // 0. Throws ImageFailed without image 0, and what the part threw but DeviceFailed.
  bag::ImageOutcome outcome_of(int image, std::size_t bag, std::function<void()> const& meanwhile);

  BagPlan const& plan;
  Fault fault;
  VirtualWorld world;
  WorldClock clock;
  bag::ImageRoster roster{};
  BagMemory memory{};
  std::vector<std::unique_ptr<PoolMemory>> pools{};  // by node
  std::vector<std::unique_ptr<SceneImage>> images{};
  std::optional<bag::CompletionServer> server{};
  std::unique_ptr<bag::ChunkPolicy> tracker_policy{};
  bag::ClaimWay way{};
  std::vector<bag::Bag> bags{};
  std::vector<BagResults> results{};

 private:
  void make_images();
  void remember_speeds();
  void make_links(int image);
  // Of the bag that image 0 is in.
  void expect_without_result(bag::ItemRange items);
  [[nodiscard]] std::unique_ptr<bag::ClaimSource> make_source(int image, std::size_t bag);
  bag::TeamReport run_team(int image, std::size_t bag, std::function<void()> const& meanwhile);
  void look_for_overdue(int image, BagRun& run);
  [[nodiscard]] static bag::TeamReport idle_report(SceneImage const& image);
};

}  // namespace makespan::swarm
