// SPDX-License-Identifier: Apache-2.0
// Goal: an image that is dead or stopped is known to all others, by name, within 2 s, and no other
// image is taken for lost, for any number of images, delays and moment. Method: all machines in
// virtual time, with a transport that delays; no thread, no clock.
#include "makespan/pgas/job/detail/heartbeat_ring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <set>
#include <string>

#include "makespan/base/contracts.hpp"
#include "makespan/pgas/job/detail/heartbeat_message.hpp"

namespace makespan::pgas {
namespace {

constexpr double tick = 0.05;  // [s], as the monitor looks
// An image that was never heard gets longer; one that was heard by any image does not.
constexpr HeartbeatTimes ring_times{.first_limit = Seconds{10.0}};
// How long the news of a loss may take, from the last beat to the last to know.
constexpr double news_limit = 2.0;

std::vector<ImageId> in_order(int images) {
  std::vector<ImageId> order;
  for (int image = 0; image < images; ++image) order.emplace_back(image);
  return order;
}

// Images that run the machine, and what is on its way between them.
class World {
 public:
  World(std::span<ImageId const> order, std::uint64_t seed) : random_{seed} {
    for (int image = 0; image < std::ssize(order); ++image) {
      images_.push_back({.ring = HeartbeatRing(ImageId{image}, order, ring_times, Seconds{0.0}),
                         .next_tick = tick * chance()});
    }
  }
  World(int images, std::uint64_t seed) : World(in_order(images), seed) {}

  void run_until(double end) {
    for (; now_ < end; now_ += 0.01) {
      deliver();
      for (std::size_t image = 0; image < images_.size(); ++image) look(static_cast<int>(image));
    }
  }

  void run_for(double seconds) { run_until(now_ + seconds); }

  void kill(int image) { at(image).fate = Fate::dead; }
  void stop(int image) { at(image).fate = Fate::stopped; }
  void let_go_on(int image) { at(image).fate = Fate::runs; }
  void leave(int image) { at(image).leaves = true; }
  void suspect(int image, int other) {
    act(image, HeartbeatSuspect{.image = ImageId{other}, .cause = LossCause::unreachable});
  }
  // Drops messages that `drop` wants to, as they are sent.
  void drop_if(std::function<bool(int from, HeartbeatSend const&)> drop) {
    drop_ = std::move(drop);
  }
  // Nothing runs, and time passes.
  void pause(double seconds) { now_ += seconds; }
  void set_delay_max(double seconds) { delay_max_ = seconds; }

  [[nodiscard]] std::set<int> losses_known_to(int image) const {
    return images_[static_cast<std::size_t>(image)].lost;
  }
  [[nodiscard]] bool has_left(int image) const {
    return images_[static_cast<std::size_t>(image)].ring.has_left();
  }
  [[nodiscard]] int size() const { return static_cast<int>(images_.size()); }
  [[nodiscard]] double now() const { return now_; }

  // What all that run know to be lost must be this.
  void expect_known(std::set<int> const& lost) const {
    for (int image = 0; image < size(); ++image) {
      if (images_[static_cast<std::size_t>(image)].fate != Fate::runs) continue;
      EXPECT_EQ(losses_known_to(image), lost) << "on image " << image << " at " << now_ << " s";
    }
  }

 private:
  enum class Fate { runs, stopped, dead };
  struct Image {
    HeartbeatRing ring;
    double next_tick;
    Fate fate{Fate::runs};
    bool leaves{false};
    std::set<int> lost{};
    std::vector<HeartbeatHeard> waiting{};  // while it is stopped
  };
  struct OnItsWay {
    double arrives;
    int to;
    HeartbeatHeard heard;
  };

  Image& at(int image) { return images_[static_cast<std::size_t>(image)]; }
  double chance() { return std::uniform_real_distribution<double>(0.0, 1.0)(random_); }

  void deliver() {
    std::vector<OnItsWay> const pending = std::exchange(on_their_way_, {});
    for (OnItsWay const& message : pending) {
      if (message.arrives > now_) {
        on_their_way_.push_back(message);
      } else {
        at(message.to).waiting.push_back(message.heard);
      }
    }
  }

  void look(int number) {
    Image& image = at(number);
    if (image.fate != Fate::runs || now_ < image.next_tick) return;
    image.next_tick = now_ + tick;
    for (HeartbeatHeard const& heard : std::exchange(image.waiting, {})) act(number, heard);
    if (image.leaves) act(number, HeartbeatLeave{});
    act(number, HeartbeatTick{});
  }

  void act(int number, HeartbeatEvent const& event) {
    HeartbeatActions const actions = at(number).ring.step(event, Seconds{now_});
    for (HeartbeatLoss const& loss : actions.losses) {
      EXPECT_TRUE(at(number).lost.insert(static_cast<int>(loss.image.value())).second)
          << "image " << number << " lost " << loss.image.value() << " twice";
    }
    for (HeartbeatSend const& send : actions.sends) {
      EXPECT_NE(send.to, ImageId{number});
      if (drop_ && drop_(number, send)) continue;
      on_their_way_.push_back({.arrives = now_ + delay_max_ * chance(),
                               .to = static_cast<int>(send.to.value()),
                               .heard = {ImageId{number}, send.message}});
    }
  }

  std::vector<Image> images_;
  std::vector<OnItsWay> on_their_way_;
  std::function<bool(int, HeartbeatSend const&)> drop_;
  std::mt19937_64 random_;
  double now_{0.0};
  double delay_max_{0.02};
};

class HeartbeatRingTest : public testing::TestWithParam<int> {};

TEST_P(HeartbeatRingTest, Ring_of_well_images_loses_none) {
  World world(GetParam(), 1);
  world.set_delay_max(0.5);

  world.run_for(60.0);

  world.expect_known({});
}

TEST_P(HeartbeatRingTest, Ring_knows_a_dead_image_within_2_s) {
  for (int dead = 0; dead < GetParam(); ++dead) {
    World world(GetParam(), static_cast<std::uint64_t>(dead));
    world.run_for(3.0 + 0.03 * dead);

    world.kill(dead);
    world.run_for(news_limit);

    if (GetParam() > 1) world.expect_known({dead});
  }
}

TEST_P(HeartbeatRingTest, Ring_knows_two_side_by_side_within_2_s) {
  int const images = GetParam();
  if (images < 3) return;  // needs a survivor
  for (int dead = 0; dead < images; ++dead) {
    World world(images, static_cast<std::uint64_t>(dead));
    world.run_for(3.0);

    world.kill(dead);
    world.kill((dead + 1) % images);
    world.run_for(news_limit);

    world.expect_known({dead, (dead + 1) % images});
  }
}

TEST_P(HeartbeatRingTest, Ring_knows_in_the_end_that_one_alone_is_left) {
  int const images = GetParam();
  World world(images, 7);
  world.run_for(1.0);
  std::set<int> dead;
  for (int image = 1; image < images; ++image) {
    world.kill(image);
    dead.insert(image);
  }

  // Two at a time.
  world.run_for(news_limit * (images / HeartbeatRing::watchers + 1));

  world.expect_known(dead);
}

TEST_P(HeartbeatRingTest, Ring_bears_a_short_stop_and_not_a_long_one) {
  int const images = GetParam();
  if (images < 2) return;  // no image watches
  World world(images, 3);
  world.run_for(2.0);

  world.stop(1);
  world.run_for(0.9);
  world.let_go_on(1);
  world.run_for(3.0);
  world.expect_known({});

  world.stop(1);
  world.run_for(news_limit);
  world.expect_known({1});
}

TEST_P(HeartbeatRingTest, Ring_tells_one_that_wakes_up_that_it_is_lost) {
  int const images = GetParam();
  if (images < 2) return;  // no image watches
  World world(images, 3);
  world.run_for(2.0);
  world.stop(1);
  world.run_for(10.0);

  world.let_go_on(1);
  world.run_for(1.0);

  EXPECT_EQ(world.losses_known_to(1), std::set{1});
  world.run_for(20.0);
  world.stop(1);  // so that only the others are asked
  world.expect_known({1});
}

// A machine that is suspended, or a debugger that stops all images.
TEST_P(HeartbeatRingTest, Ring_of_which_all_slept_loses_none) {
  World world(GetParam(), 5);
  world.run_for(2.0);

  world.pause(100.0);
  world.run_for(10.0);

  world.expect_known({});
}

TEST_P(HeartbeatRingTest, Ring_spreads_what_a_transport_found) {
  int const images = GetParam();
  if (images < 3) return;  // no image to tell
  World world(images, 5);
  world.run_for(2.0);

  world.kill(2);
  world.suspect(0, 2);
  world.run_for(0.2);

  world.expect_known({2});
}

// The news must not depend on the image that brings it.
TEST_P(HeartbeatRingTest, Ring_knows_though_the_witness_told_only_one) {
  int const images = GetParam();
  if (images < 4) return;  // needs a witness, one that is told and others
  World world(images, 9);
  world.run_for(2.0);
  int told = 0;
  world.drop_if([&](int from, HeartbeatSend const& send) {
    return from == 0 && send.message.kind == HeartbeatKind::loss && told++ > 0;
  });

  world.kill(2);
  world.suspect(0, 2);
  world.kill(0);
  world.run_for(news_limit);

  world.expect_known({0, 2});
}

TEST_P(HeartbeatRingTest, Ring_leaves_in_peace_though_some_are_late) {
  int const images = GetParam();
  World world(images, 11);
  world.run_for(1.0);

  // The barrier has let all images go, but the last of them sleeps nearly long enough to be lost.
  for (int image = 0; image < images; ++image) {
    world.leave(image);
    world.run_for(0.9 / images);
  }
  world.run_for(0.2);

  world.expect_known({});
  for (int image = 0; image < images; ++image) EXPECT_TRUE(world.has_left(image));
}

TEST_P(HeartbeatRingTest, Ring_does_not_leave_one_that_has_not_said_that_it_leaves) {
  int const images = GetParam();
  if (images < 2) return;  // no image to wait for
  World world(images, 11);
  for (int image = 1; image < images; ++image) world.leave(image);

  world.run_for(30.0);

  EXPECT_FALSE(world.has_left(1));  // image 0 is before it
  world.expect_known({});
}

TEST_P(HeartbeatRingTest, Ring_finds_one_that_dies_while_all_leave) {
  int const images = GetParam();
  if (images < 2) return;  // no image watches
  World world(images, 11);
  world.run_for(1.0);
  world.kill(0);
  for (int image = 1; image < images; ++image) world.leave(image);

  world.run_for(news_limit);

  EXPECT_EQ(world.losses_known_to(1), std::set{0});
}

INSTANTIATE_TEST_SUITE_P(Images, HeartbeatRingTest, testing::Values(1, 2, 3, 4, 5, 8, 17),
                         testing::PrintToStringParamName());

// Deaths and stops at any time, in any order.
TEST(HeartbeatRingRandom, Ring_knows_the_lost_and_no_others) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    int const images = 2 + static_cast<int>(random() % 9);
    World world(images, seed);
    world.set_delay_max(0.001 * static_cast<double>(random() % 100));
    std::set<int> lost;
    while (std::ssize(lost) < images - 1) {
      world.run_for(0.01 * static_cast<double>(random() % 300));
      int const victim = static_cast<int>(random() % static_cast<std::uint64_t>(images));
      if (!lost.insert(victim).second) continue;
      random() % 2 == 0 ? world.kill(victim) : world.stop(victim);
    }
    world.run_for(news_limit * images);

    world.expect_known(lost);
  }
}

TEST(HeartbeatRingSpread, Spread_puts_node_mates_apart) {
  std::vector<int> const nodes{0, 0, 0, 1, 1, 1};

  auto const order = spread_over_nodes(nodes);

  EXPECT_EQ(order,
            (std::vector{ImageId{0}, ImageId{3}, ImageId{1}, ImageId{4}, ImageId{2}, ImageId{5}}));
}

TEST(HeartbeatRingSpread, Spread_of_uneven_nodes_has_each_image_once) {
  std::vector<int> const nodes{4, 4, 9, 4, 2, 2, 4};

  auto order = spread_over_nodes(nodes);

  std::ranges::sort(order);
  EXPECT_EQ(order, in_order(7));
}

TEST(HeartbeatRingSpread, Ring_knows_a_whole_node_within_2_s) {
  std::vector<int> const nodes{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2};
  World world(spread_over_nodes(nodes), 1);
  world.run_for(2.0);

  for (int image = 4; image < 8; ++image) world.kill(image);
  world.run_for(news_limit);

  world.expect_known({4, 5, 6, 7});
}

TEST(HeartbeatRingContract, Ring_wants_each_image_once) {
  std::vector const twice{ImageId{0}, ImageId{0}};

  EXPECT_THROW(HeartbeatRing(ImageId{0}, twice, ring_times, Seconds{0.0}), ContractViolated);
  EXPECT_THROW(HeartbeatRing(ImageId{2}, in_order(2), ring_times, Seconds{0.0}), ContractViolated);
}

TEST(HeartbeatRingContract, Ring_wants_time_to_go_on) {
  HeartbeatRing ring(ImageId{0}, in_order(2), ring_times, Seconds{1.0});

  EXPECT_THROW(static_cast<void>(ring.step(HeartbeatTick{}, Seconds{0.5})), ContractViolated);
}

TEST(HeartbeatRingAtFirst, gives_one_that_was_never_heard_more_time) {
  HeartbeatRing ring(ImageId{0}, in_order(2), ring_times, Seconds{0.0});
  auto const losses_at = [&](double now) {
    return ring.step(HeartbeatTick{}, Seconds{now}).losses.size();
  };
  for (double now = 0.0; now < 9.9; now += 0.125) EXPECT_EQ(losses_at(now), 0U);
  static_cast<void>(ring.step(HeartbeatHeard{ImageId{1}, {}}, Seconds{9.9}));
  for (double now = 9.9; now < 11.1; now += 0.125) EXPECT_EQ(losses_at(now), 0U);
  EXPECT_EQ(losses_at(11.2), 1U);
}

}  // namespace
}  // namespace makespan::pgas
