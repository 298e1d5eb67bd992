// SPDX-License-Identifier: Apache-2.0
// Goal: an event for each sleep, and none missed. Method: two images in one thread, then images
// that sleep until the other one sends, as threads (also under the thread sanitizer) and as
// processes.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

#include "image_crowd.hpp"
#include "link_parts.hpp"
#include "makespan/pgas/transport/shm/detail/shm_link.hpp"

namespace makespan::pgas {
namespace {

using namespace ::makespan::pgas::fake;

class ShmLinkEvent : public TwoImages {};

TEST_F(ShmLinkEvent, has_no_events_unless_asked) {
  open(Wakeup::none);

  EXPECT_EQ(link0->event_descriptor(), -1);
  EXPECT_FALSE(link0->arm());
}

TEST_F(ShmLinkEvent, tells_of_a_message_once_for_each_time_it_is_armed) {
  open(Wakeup::doorbell);
  ASSERT_EQ(link0->send(image1, {}, {}), SendOutcome::sent);
  EXPECT_FALSE(is_readable(*link1, 0));  // it was not armed
  EXPECT_FALSE(link1->arm());            // it is there already
  EXPECT_EQ(link1->poll(inbox), 1);

  for (int round = 0; round < 3; ++round) {
    EXPECT_TRUE(link1->arm());
    EXPECT_FALSE(is_readable(*link1, 0));
    ASSERT_EQ(link0->send(image1, {}, {}), SendOutcome::sent);
    ASSERT_EQ(link1->send(image1, {}, {}), SendOutcome::sent);
    EXPECT_TRUE(is_readable(*link1, 0));
    EXPECT_FALSE(link1->arm());
    EXPECT_EQ(link1->poll(inbox), 2);
  }
  EXPECT_TRUE(link1->arm());
  EXPECT_FALSE(is_readable(*link1, 0));  // arming has silenced it
}

class EveryKind : public ::testing::TestWithParam<ImagesAre> {};

INSTANTIATE_TEST_SUITE_P(ShmLinkEvent, EveryKind,
                         ::testing::Values(ImagesAre::threads, ImagesAre::processes),
                         [](auto const& test) {
                           return test.param == ImagesAre::threads ? "threads" : "processes";
                         });

// Two images send one message there and back, and sleep in between: a wake-up that is missed would
// last for ever.
TEST_P(EveryKind, wakes_a_sleeping_image) {
  constexpr std::uint64_t rounds = 2000;
  constexpr int patience_ms = 10'000;
  FakeNode node(2, segment_bytes(layout_for(2)));
  run_images(GetParam(), node, [&](FakeJob& job) {
    Member member(job, node, Wakeup::doorbell);
    auto const link = member.transport.open_link_all(0, LinkThreading::serialized);
    std::int64_t const own = job.image().value();
    Inbox inbox;
    std::uint64_t naps = 0;
    for (std::uint64_t round = 0; round < rounds; ++round) {
      if (own == static_cast<std::int64_t>(round % 2)) {
        ASSERT_EQ(link->send(ImageId{1 - own}, header_of(own, round), {}), SendOutcome::sent);
        continue;
      }
      inbox.messages.clear();
      while (link->poll(inbox) == 0) {
        if (!link->arm()) continue;
        ++naps;
        ASSERT_TRUE(is_readable(*link, patience_ms)) << "round " << round;
      }
      ASSERT_EQ(inbox.messages.front().header.offset, round);
    }

    EXPECT_GT(naps, 0U);
    job.exchange_all({});
  });
}

// Lets two threads go on together, as nearly as can be.
class StartLine {
 public:
  void wait() {
    std::uint64_t const mine = arrived_.fetch_add(1) + 1;
    std::uint64_t const all = (mine + 1) / 2 * 2;
    for (int spin = 0; arrived_.load() < all; ++spin) {
      if (spin % 1000 == 999) std::this_thread::yield();
    }
  }

 private:
  std::atomic<std::uint64_t> arrived_{0};
};

// Each round one image arms while the other one sends: it sees the message, or its bell rings. As
// many rounds as a second has, since the order that this is about goes wrong once in thousands.
TEST_F(ShmLinkEvent, never_misses_a_message_that_is_sent_while_it_arms) {
  open(Wakeup::doorbell);
  StartLine line;
  std::atomic<bool> is_over{false};
  std::jthread const sender([&] {
    for (std::uint64_t round = 0; !is_over; ++round) {
      line.wait();
      EXPECT_EQ(link0->send(image1, header_of(0, round), {}), SendOutcome::sent);
      line.wait();
    }
  });

  auto const end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  std::uint64_t missed = 0;
  while (!is_over) {
    line.wait();
    bool const is_armed = link1->arm();
    is_over = std::chrono::steady_clock::now() >= end;
    line.wait();
    if (is_armed && !is_readable(*link1, 0)) ++missed;
    EXPECT_EQ(link1->poll(inbox), 1);
  }
  EXPECT_EQ(missed, 0U);
}

// Several threads of an image poll, arm and sleep on one link while another image sends.
TEST(ShmLinkEvents, wake_one_of_several_threads) {
  constexpr std::uint64_t messages = 1000;
  FakeNode node(2, segment_bytes(layout_for(2)));
  run_images(ImagesAre::threads, node, [&](FakeJob& job) {
    Member member(job, node, Wakeup::doorbell);
    auto const link = member.transport.open_link_all(0, LinkThreading::concurrent);
    if (job.image() == ImageId{0}) {
      for (std::uint64_t message = 0; message < messages; ++message) {
        std::vector<std::byte> const payload = bytes_of(message, Checker::size_of(message));
        WireHeader header = header_of(0, message);
        header.thread = 0;
        while (link->send(ImageId{1}, header, payload) != SendOutcome::sent) {
          std::this_thread::yield();
        }
        if (message % 16 == 0) std::this_thread::yield();
      }
      job.exchange_all({});
      return;
    }
    Checker checker(2, 1);
    {
      std::vector<std::jthread> sleepers;
      for (int sleeper = 0; sleeper < 3; ++sleeper) {
        sleepers.emplace_back([&] {
          while (checker.received() < messages) {
            // With a bound, since of several sleepers the others are not woken at the end.
            if (link->poll(checker) == 0 && link->arm()) is_readable(*link, 2);
          }
        });
      }
    }
    EXPECT_EQ(checker.received(), messages);
    job.exchange_all({});
  });
}

}  // namespace
}  // namespace makespan::pgas
