// SPDX-License-Identifier: Apache-2.0
// Goal: a UCX link has a descriptor that tells of messages, and says when there is nothing to sleep
// for. Method: images that wait on it while another one sends.
#include <gtest/gtest.h>
#include <poll.h>

#include <array>
#include <atomic>
#include <thread>

#include "makespan/pgas/transport/ucx/detail/ucx_link.hpp"
#include "ucx_link_fixture.hpp"

namespace makespan::pgas {
namespace {

// A thread that sleeps on the descriptor is woken by a message that is sent later.
TEST_F(UcxLinkTest, Link_wakes_who_waits_for_its_descriptor) {
  open_all();
  ASSERT_GE(link->event_descriptor(), 0);
  if (job->images() == 1) GTEST_SKIP() << "an image that is alone gets no messages from others";
  send_to_all(*link, sink, 0, 8);  // so that connections stand
  expect_messages(*link, sink, 1);
  drain_all();
  if (here() == 0) {
    ASSERT_TRUE(eventually([&] { return link->arm(); }, [&] { link->poll(sink); }));
  }
  meet_all();  // image 0 is armed

  if (here() == 1) {
    ASSERT_TRUE(send_soon(*link, sink, ImageId{0}, header(1, 8), 8));
  }
  if (here() == 0) {
    int const before = sink.count();
    ASSERT_TRUE(eventually(
        [&] {
          pollfd descriptor{.fd = link->event_descriptor(), .events = POLLIN, .revents = 0};
          bool const is_woken = ::poll(&descriptor, 1, 5'000) == 1;
          EXPECT_TRUE(is_woken);
          while (link->poll(sink) > 0) {
          }
          return !is_woken || sink.count() > before;  // it may wake for nothing
        },
        [&] {
          EXPECT_TRUE(eventually([&] { return link->arm() || sink.count() > before; },
                                 [&] { link->poll(sink); }));
        }));
    EXPECT_EQ(sink.count(), before + 1);
  }
  drain_all();
}

TEST_F(UcxLinkTest, Link_does_not_arm_while_there_is_a_message) {
  open_all();
  send_to_all(*link, sink, 0, 8);  // so that connections stand
  expect_messages(*link, sink, 1);
  drain_all();

  // To image 0, which polls only after it has tried to arm.
  if (here() == job->images() - 1) {
    ASSERT_TRUE(send_soon(*link, sink, ImageId{0}, header(1, 8), 8));
  }
  if (here() == 0) {
    EXPECT_TRUE(eventually([&] { return !link->arm(); }, [] {}));
    EXPECT_EQ(sink.count(), job->images());
    EXPECT_TRUE(
        eventually([&] { return sink.count() == job->images() + 1; }, [&] { link->poll(sink); }));
  }

  drain_all();
  EXPECT_TRUE(eventually([&] { return link->arm(); }, [&] { link->poll(sink); }));
}

TEST_F(UcxLinkTest, Link_without_wakeup_has_no_descriptor) {
  open_all({.wakeup = UcxWakeup::none});

  EXPECT_EQ(link->event_descriptor(), -1);
  EXPECT_FALSE(link->arm());
  send_to_all(*link, sink, 0, 8);
  expect_messages(*link, sink, 1);
  drain_all();
}

}  // namespace
}  // namespace makespan::pgas
