// SPDX-License-Identifier: Apache-2.0
// Goal: each channel has its own credits for each image, and threads never take more than there
// are.
#include "makespan/pgas/channel/call_credits.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace makespan::pgas {
namespace {

TEST(CallCreditsTest, Credits_end_and_come_back) {
  CallCredits credits(1, 1, 2);

  EXPECT_TRUE(credits.take(0, ImageId{0}));
  EXPECT_TRUE(credits.take(0, ImageId{0}));
  EXPECT_FALSE(credits.take(0, ImageId{0}));
  EXPECT_FALSE(credits.take(0, ImageId{0}));
  credits.give_back(0, ImageId{0});
  EXPECT_TRUE(credits.take(0, ImageId{0}));
  EXPECT_FALSE(credits.take(0, ImageId{0}));
}

TEST(CallCreditsTest, Channels_and_images_have_credits_of_their_own) {
  CallCredits credits(2, 3, 1);

  for (int channel = 0; channel < 2; ++channel) {
    for (int image = 0; image < 3; ++image) {
      EXPECT_TRUE(credits.take(channel, ImageId{image})) << channel << ' ' << image;
      EXPECT_FALSE(credits.take(channel, ImageId{image})) << channel << ' ' << image;
    }
  }
  credits.give_back(1, ImageId{2});
  EXPECT_FALSE(credits.take(0, ImageId{2}));
  EXPECT_FALSE(credits.take(1, ImageId{1}));
  EXPECT_TRUE(credits.take(1, ImageId{2}));
}

TEST(CallCreditsTest, Threads_take_no_more_than_there_are) {
  constexpr int each = 3;
  CallCredits credits(1, 1, each);
  std::atomic<int> out{0};
  std::atomic<int> most{0};

  std::vector<std::jthread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int round = 0; round < 2000; ++round) {
        if (!credits.take(0, ImageId{0})) continue;
        int const now = ++out;
        for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
        }
        --out;
        credits.give_back(0, ImageId{0});
      }
    });
  }
  threads.clear();

  EXPECT_LE(most, each);
  EXPECT_GE(most, 1);
  for (int left = 0; left < each; ++left) EXPECT_TRUE(credits.take(0, ImageId{0}));
  EXPECT_FALSE(credits.take(0, ImageId{0}));
}

TEST(CallCredits, are_home_when_all_were_given_back) {
  CallCredits credits(2, 3, 4);
  auto const none = [](ImageId) { return false; };
  EXPECT_TRUE(credits.are_home(none));
  ASSERT_TRUE(credits.take(1, ImageId{2}));
  ASSERT_TRUE(credits.take(0, ImageId{0}));
  EXPECT_FALSE(credits.are_home(none));
  credits.give_back(0, ImageId{0});
  EXPECT_FALSE(credits.are_home(none));
  credits.give_back(1, ImageId{2});
  EXPECT_TRUE(credits.are_home(none));
}

TEST(CallCredits, of_a_lost_image_are_not_waited_for) {
  CallCredits credits(2, 3, 4);
  ASSERT_TRUE(credits.take(1, ImageId{2}));
  EXPECT_FALSE(credits.are_home([](ImageId image) { return image == ImageId{1}; }));
  EXPECT_TRUE(credits.are_home([](ImageId image) { return image == ImageId{2}; }));
  ASSERT_TRUE(credits.take(1, ImageId{1}));
  EXPECT_FALSE(credits.are_home([](ImageId image) { return image == ImageId{2}; }));
}

}  // namespace
}  // namespace makespan::pgas
