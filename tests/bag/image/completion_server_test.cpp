// SPDX-License-Identifier: Apache-2.0
// Goal: what an image has told before it was lost is counted once, and is waited for. Method: a
// server for three images of one worker, and a runner that is slow to take in a result.
#include "makespan/bag/image/detail/completion_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <exception>
#include <memory>
#include <semaphore>
#include <thread>
#include <vector>

#include "bag/watched_clock.hpp"
#include "makespan/bag/policy/policy_registry.hpp"
#include "makespan/base/image_errors.hpp"

namespace makespan::bag {
namespace {

constexpr std::chrono::seconds limit{10};

// The first result that comes is taken in when it may be.
class SlowRunner final : public DistributedItemRunner {
 public:
  void run(int /*thread*/, TaskId /*task*/, std::int64_t /*begin*/, std::int64_t /*end*/) override {
  }
  void pack(int /*thread*/, std::vector<std::byte>& /*bytes*/) override {}
  void unpack(std::span<std::byte const> /*bytes*/) override {
    begun.release();
    if (taken++ == 0) static_cast<void>(may_go_on.try_acquire_for(limit));
  }

  std::binary_semaphore begun{0};
  std::binary_semaphore may_go_on{0};
  int taken{0};
};

struct ThreeImages {
  ThreeImages() { server.open(bag, *policy, FirstClaims::by_workers, roster.modes, runner); }

  // Of a whole message, from a thread of its own.
  std::jthread deliver(int image, ItemRange items) {
    return std::jthread([this, image, items] {
      server.deliver({.image = image, .thread = 0, .number = 0, .part = 0, .parts = 1},
                     CompletionServer::delivery(std::array{items}));
    });
  }

  Bag bag{{{TaskId{0}, 10, Work{1.0}}}};
  std::unique_ptr<ChunkPolicy> policy{make_policy("self", {})};
  ImageRoster roster{.first_worker = {0, 1, 2, 3},
                     .first_device = {0, 1, 2, 3},
                     .first_thread = {0, 1, 2, 3},
                     .modes = std::vector<Mode>(3, Mode::automatic)};
  WatchedClock clock;
  SlowRunner runner;
  CompletionServer server{roster, clock};
};

TEST(CompletionServer, waits_for_a_result_whose_image_is_lost) {
  ThreeImages images;
  images.server.end(2, {});
  std::jthread const delivery = images.deliver(1, {0, 10});
  ASSERT_TRUE(images.runner.begun.try_acquire_for(limit));

  images.server.lose(1);

  EXPECT_FALSE(images.server.others_have_ended());
  EXPECT_FALSE(images.server.complete());
  images.runner.may_go_on.release();
}

TEST(CompletionServer, is_through_when_that_result_is_taken_in) {
  ThreeImages images;
  images.server.end(2, {});
  images.runner.may_go_on.release();

  images.deliver(1, {0, 10}).join();
  images.server.lose(1);

  EXPECT_TRUE(images.server.others_have_ended());
  EXPECT_TRUE(images.server.complete());
}

// Its items are handed out again as soon as it is lost, and image 0 may have run them meanwhile.
TEST(CompletionServer, does_not_count_a_result_that_waits_while_its_image_is_lost) {
  ThreeImages images;
  std::jthread first = images.deliver(2, {0, 5});
  ASSERT_TRUE(images.runner.begun.try_acquire_for(limit));
  std::jthread second = images.deliver(1, {5, 10});
  ASSERT_TRUE(images.clock.waiting.try_acquire_for(limit));

  images.server.lose(1);
  images.runner.may_go_on.release();
  first.join();
  second.join();

  EXPECT_EQ(images.runner.taken, 1);
  EXPECT_FALSE(images.server.complete());
}

// It has stopped the bag, and without it the run would seem to have been stopped by its caller.
TEST(CompletionServer, keeps_what_an_image_failed_by_when_it_is_lost) {
  ThreeImages images;
  images.server.end(1, ImageOutcome{.report = {}, .failure = "item 3: no such area"});
  EXPECT_EQ(images.server.error(), nullptr);

  images.server.lose(1);

  ASSERT_NE(images.server.error(), nullptr);
  EXPECT_THAT([&] { std::rethrow_exception(images.server.error()); },
              testing::ThrowsMessage<RemoteError>(testing::HasSubstr("item 3: no such area")));
}

}  // namespace
}  // namespace makespan::bag
