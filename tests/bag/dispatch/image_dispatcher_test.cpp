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
#include "makespan/base/image_errors.hpp"

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
    views.assign(speeds.size(), {.not_begun = others, .speed = Speed{1.0}});
  }
  bool take_tail(int /*thread*/, int /*victim*/, ItemRange /*tail*/) override { return false; }
  void publish(int worker, ItemRange range) override { board.publish(worker, range); }
  void take_all(int worker) override { board.take_all(worker); }

  ItemRange others{};  // what others' boards show
  std::uint64_t word{0};
  std::vector<Speed> speeds{Speed{}, Speed{}};
  WorkerBoard board{1};
};

class KeptTracker final : public CompletionService {
 public:
  ClaimActions ask(int /*thread*/, WorkerFacts const& /*worker*/) override {
    return std::exchange(answer, {.order = Order::leave});
  }
  bool may_steal(int /*thread*/, int /*worker*/, int /*victim*/) override {
    ++asked_to_steal;
    return false;
  }
  bool may_use_pool(int /*thread*/, int /*worker*/) override { return true; }
  void retire(int /*thread*/, int /*worker*/) override { ++retired; }
  void take_back(int /*worker*/) override { ++taken_back; }
  void give_up(int /*lost*/, int /*worker*/) override { ++given_up; }
  void end_chunk(int /*thread*/, ChunkReport const& /*report*/) override {}
  void finish(int /*thread*/, int /*first_thread*/, int /*threads*/,
              std::span<ItemRange const> /*items*/) override {
    ++told;
  }
  void settle(int /*thread*/) override { settled = told; }

  ClaimActions answer{.order = Order::leave};  // the next; then it leaves
  int told{0};
  int settled{0};  // of what was told
  int asked_to_steal{0};
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

// Of a bag of which all has been claimed.
struct SpentOneOfTwo : OneOfTwo {
  explicit SpentOneOfTwo(Dispatcher kind) : OneOfTwo(kind) {
    bag_state.word = ClaimWord::spent(bag.items()).bits();
  }
};

TEST(ImageDispatcher, refuses_items_that_the_bag_has_not_and_orders_that_are_none) {
  std::int64_t const far = std::int64_t{1} << 50;
  for (ItemRange const items : {ItemRange{5, far}, ItemRange{-3, 2}, ItemRange{0, 101},
                                ItemRange{50, 50}, ItemRange{50, 40}}) {
    SpentOneOfTwo image(Dispatcher::steal);
    image.tracker.answer = {.order = Order::run, .items = items};
    EXPECT_THROW(image.dispatcher.claim(0, Seconds{}), BadMessage) << items.begin;
  }
  for (Order const order : {Order::none, static_cast<Order>(4), static_cast<Order>(-1)}) {
    SpentOneOfTwo image(Dispatcher::steal);
    image.tracker.answer = {.order = order};
    EXPECT_THROW(image.dispatcher.claim(0, Seconds{}), BadMessage);
  }
  SpentOneOfTwo image(Dispatcher::steal);
  image.tracker.answer = {.order = Order::run, .items = {0, 100}};
  auto const grant = image.dispatcher.claim(0, Seconds{});
  ASSERT_TRUE(grant);
  EXPECT_EQ(grant->items, (ItemRange{0, 100}));
}

TEST(ImageDispatcher, steals_nothing_that_the_bag_has_not) {
  for (std::int64_t const end : {std::int64_t{100}, std::int64_t{101}, std::int64_t{1} << 40}) {
    SpentOneOfTwo image(Dispatcher::steal);
    image.tracker.answer.order = Order::wait;
    image.bag_state.others = {10, end};
    EXPECT_FALSE(image.dispatcher.claim(0, Seconds{}));
    EXPECT_EQ(image.tracker.asked_to_steal, end == 100 ? 1 : 0) << end;
  }
}

TEST(ImageDispatcher, refuses_items_in_the_pool_that_the_bag_has_not) {
  SpentOneOfTwo image(Dispatcher::hierarchical);
  image.tracker.answer.order = Order::wait;
  image.pool.left = {90, 101};

  EXPECT_THROW(image.dispatcher.claim(0, Seconds{}), BadMessage);
}

}  // namespace
}  // namespace makespan::bag
