// SPDX-License-Identifier: Apache-2.0
// Goal: time passes for fibers that sleep, messages come or a loss is heard of, and what does not
// end is found. Method: worlds of two images with one or two fibers.
#include "swarm/virtual_world.hpp"

#include <gtest/gtest.h>

#include "makespan/base/image_errors.hpp"

namespace makespan::swarm {
namespace {

constexpr Nanoseconds late = 10 * second;

TEST(VirtualWorld, lets_time_pass_for_who_sleeps) {
  VirtualWorld world(1, {}, 1, {});
  Nanoseconds woken = 0;
  world.spawn(0, "sleeper", [&] {
    world.sleep(millisecond);
    woken = world.now();
  });

  world.run(late);

  EXPECT_EQ(woken, second + millisecond);
  EXPECT_TRUE(world.unfinished().empty());
}

TEST(VirtualWorld, names_who_waits_in_vain) {
  VirtualWorld world(1, {}, 1, {});
  world.spawn(0, "waiter", [&] { world.wait(); });

  world.run(late);

  EXPECT_EQ(world.unfinished(), std::vector<std::string>{"waiter"});
}

TEST(VirtualWorld, answers_or_tells_of_a_loss) {
  VirtualWorld world(2, {.losses = {{.image = 1, .at = millisecond}}}, 1, {});
  int answers = 0;
  bool has_failed = false;
  world.spawn(0, "asker", [&] {
    try {
      for (;;) {
        world.ask(0, 1, VirtualWorld::Reach::function, [&] { ++answers; });
      }
    } catch (ImageFailed const& failure) {
      has_failed = failure.image() == ImageId{1};
    }
  });

  world.run(late);

  EXPECT_GT(answers, 0);
  EXPECT_TRUE(has_failed);
}

TEST(VirtualWorld, does_nothing_on_an_image_that_pauses) {
  VirtualWorld world(1, {.pauses = {{.image = 0, .from = microsecond, .until = millisecond}}}, 1,
                     {});
  Nanoseconds woken = 0;
  world.spawn(0, "sleeper", [&] {
    world.sleep(2 * microsecond);
    woken = world.now();
  });

  world.run(late);

  EXPECT_EQ(woken, second + millisecond);
}

TEST(VirtualWorld, finds_what_goes_on_for_ever) {
  VirtualWorld world(1, {}, 1, {});
  world.spawn(0, "runner", [&] {
    for (;;) world.sleep(millisecond);
  });

  EXPECT_THROW(world.run(late), Broken);
}

TEST(WorldClock, wakes_who_waits_at_a_condition) {
  VirtualWorld world(1, {}, 1, {});
  WorldClock const clock(world);
  auto const condition = clock.make_condition();
  std::mutex mutex;
  bool is_set = false;
  world.spawn(0, "waiter", [&] {
    std::unique_lock lock(mutex);
    while (!is_set) condition->wait(lock);
  });
  world.spawn(0, "setter", [&] {
    world.sleep(millisecond);
    std::scoped_lock const lock(mutex);
    is_set = true;
    condition->notify_all();
  });

  world.run(late);

  EXPECT_TRUE(world.unfinished().empty());
}

}  // namespace
}  // namespace makespan::swarm
