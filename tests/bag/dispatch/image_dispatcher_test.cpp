// SPDX-License-Identifier: Apache-2.0
// Goal: what a dispatcher tells of its workers when they come and go, which the bag after it counts
// on. Method: one image of one worker among two, with a bag state, a tracker and a pool that only
// keep what they are told. Between images: image_team_test.cpp; in worlds that are drawn:
// tests/swarm.
#include "makespan/bag/dispatch/image_dispatcher.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/bag/protocol/claim_word.hpp"
#include "makespan/bag/protocol/speed_table.hpp"
#include "makespan/bag/worker_board.hpp"

namespace makespan::bag {
namespace {

class KeptBagState final : public SharedBagState {
 public:
  void look(int /*thread*/, Look& look) override { look = {word, speeds}; }
  std::uint64_t look_word(int /*thread*/) override { return word; }
  std::uint64_t fetch_add(int /*thread*/, std::uint64_t value) override {
    return std::exchange(word, word + value);
  }
  std::uint64_t compare_swap(int /*thread*/, std::uint64_t expected,
                             std::uint64_t desired) override {
    return word == expected ? std::exchange(word, desired) : word;
  }
  void report_speed(int /*thread*/, int worker, Speed speed) override {
    speeds[static_cast<std::size_t>(worker)] = speed;
  }
  void look_at_all(int thread, Look& look, std::vector<WorkerView>& views) override {
    this->look(thread, look);
    views.assign(speeds.size(), {});
  }
  bool take_tail(int /*thread*/, int /*victim*/, ItemRange /*tail*/) override { return false; }
  void publish(int worker, ItemRange range) override { board.publish(worker, range); }
  void take_all(int worker) override { board.take_all(worker); }

  std::uint64_t word{0};
  std::vector<Speed> speeds{Speed{}, Speed{}};
  WorkerBoard board{1};
};

class KeptTracker final : public CompletionService {
 public:
  ClaimActions ask(int /*thread*/, WorkerFacts const& /*worker*/) override {
    return {.order = Order::leave};
  }
  bool may_steal(int /*thread*/, int /*worker*/, int /*victim*/) override { return false; }
  bool may_use_pool(int /*thread*/, int /*worker*/) override { return false; }
  void retire(int /*thread*/, int /*worker*/) override { ++retired; }
  void take_back(int /*worker*/) override { ++taken_back; }
  void give_up(int /*lost*/, int /*worker*/) override { ++given_up; }
  void end_chunk(int /*thread*/, ChunkReport const& /*report*/) override {}
  void finish(int /*thread*/, int /*first_thread*/, int /*threads*/,
              std::span<ItemRange const> /*items*/) override {
    ++told;
  }
  void settle(int /*thread*/) override { settled = told; }

  int told{0};
  int settled{0};  // of what was told
  int retired{0};
  int taken_back{0};
  int given_up{0};
};

class KeptPool final : public ItemPool {
 public:
  int workers() const override { return 2; }
  bool is_there() const override { return true; }
  Speed speed_together(int /*thread*/) override { return bag::speed_together(speeds); }
  void report_speed(int /*thread*/, int worker, Speed speed) override {
    speeds[static_cast<std::size_t>(worker)] = speed;
  }
  bool is_empty(int /*thread*/) override { return left.empty(); }
  std::optional<ItemRange> take(int /*thread*/, Chunk const& chunk) override {
    if (left.empty()) return std::nullopt;
    ItemRange const taken = chunk(left);
    left.begin = taken.end;
    return taken;
  }
  bool offer(int /*thread*/, ItemRange items) override {
    if (!left.empty()) return false;
    left = items;
    return true;
  }

  ItemRange left{};
  std::vector<Speed> speeds{Speed{}, Speed{}};
};

struct OneOfTwo {
  explicit OneOfTwo(Dispatcher kind) : dispatcher(bag, context(kind), state) {}

  ImageContext context(Dispatcher kind) {
    state.speeds.remember(0, Speed{100.0});
    return {.image = 0,
            .bag_state = bag_state,
            .roster = roster,
            .tracker = tracker,
            .pool = kind == Dispatcher::hierarchical ? &pool : nullptr,
            .clock = clock,
            .layout = layout,
            .modes = roster.modes,
            .dispatcher = kind,
            .way = claim_way(kind, PolicyForm::memoryless, roster.modes)};
  }
  // Claims, and finishes what it got.
  void run_chunk() {
    auto const grant = dispatcher.claim(0, Seconds{1e-6});
    ASSERT_TRUE(grant);
    dispatcher.finish(0, std::array{grant->items}, Seconds{0.01}, Seconds{});
  }

  Bag bag{{{TaskId{0}, 100, Work{1.0}}}};
  TeamLayout layout{{TeamDevice{.threads = 1}}};
  ImageRoster roster{.first_worker = {0, 1, 2},
                     .first_device = {0, 1, 2},
                     .first_thread = {0, 1, 2},
                     .modes = {Mode::automatic, Mode::automatic}};
  TeamState state{.policy = make_policy("equal_time", {}),
                  .speeds = SpeedTable(1),
                  .claim_costs = {},
                  .failed = {}};
  KeptBagState bag_state;
  KeptTracker tracker;
  KeptPool pool;
  SystemClock clock;
  ImageDispatcher dispatcher;
};

TEST(ImageDispatcher, claims_for_its_node_by_a_speed_of_an_earlier_run) {
  OneOfTwo image(Dispatcher::hierarchical);

  auto const grant = image.dispatcher.claim(0, Seconds{1e-6});

  ASSERT_TRUE(grant);
  EXPECT_FALSE(grant->items.empty());
  EXPECT_EQ(image.pool.speeds.front(), Speed{100.0});
  // A chunk for each of the node's two workers, of which the other may have what it leaves.
  ClaimWord const word(image.bag_state.word);
  EXPECT_EQ(word.step(), 2);
  EXPECT_FALSE(image.pool.left.empty());
  EXPECT_EQ(image.pool.left, (ItemRange{grant->items.end, word.cursor()}));
}

TEST(ImageDispatcher, is_complete_when_all_have_left_a_bag_that_was_not_stopped) {
  for (bool const is_stopped : {false, true}) {
    OneOfTwo image(Dispatcher::steal);
    if (is_stopped) image.dispatcher.stop();
    EXPECT_FALSE(image.dispatcher.complete());

    image.dispatcher.leave(0);

    EXPECT_EQ(image.dispatcher.complete(), !is_stopped);
  }
}

// Sent later it would come into the next bag.
TEST(ImageDispatcher, leaves_a_stopped_bag_when_all_it_told_is_there) {
  OneOfTwo image(Dispatcher::steal);
  image.run_chunk();
  image.dispatcher.stop();

  EXPECT_FALSE(image.dispatcher.claim(0, Seconds{}));
  image.dispatcher.leave(0);

  EXPECT_EQ(image.tracker.told, 1);
  EXPECT_EQ(image.tracker.settled, 1);
}

TEST(ImageDispatcher, does_not_call_who_leaves_a_stopped_bag_gone) {
  OneOfTwo image(Dispatcher::steal);
  image.run_chunk();
  image.dispatcher.stop();

  image.dispatcher.leave(0);

  EXPECT_EQ(image.tracker.retired, 1);
  EXPECT_GT(image.bag_state.speeds.front(), Speed{});
}

TEST(ImageDispatcher, calls_who_fails_gone) {
  OneOfTwo image(Dispatcher::steal);
  image.run_chunk();

  image.dispatcher.leave(0);

  EXPECT_EQ(image.tracker.retired, 1);
  EXPECT_EQ(image.bag_state.speeds.front(), speed_of_the_gone);
}

}  // namespace
}  // namespace makespan::bag
