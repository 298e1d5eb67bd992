// SPDX-License-Identifier: Apache-2.0
// Goal: nothing that is put in is lost, or freed twice, and envelopes of one thread come in its
// order, within a segment and over its end. Method: several threads that put, while the owner
// takes.
#include "makespan/graph/object/message/mailbox.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace makespan::graph {
namespace {

constexpr int more_than_a_segment = 100;

TEST(Mailbox, has_message_until_it_is_taken) {
  Mailbox mailbox;
  EXPECT_FALSE(mailbox.has_message());
  EXPECT_EQ(mailbox.front(), nullptr);

  mailbox.put({.number = 1});
  mailbox.put({.number = 2});
  EXPECT_TRUE(mailbox.has_message());
  EXPECT_EQ(mailbox.front()->number, 1);
  mailbox.pop();
  EXPECT_EQ(mailbox.front()->number, 2);
  mailbox.pop();

  EXPECT_FALSE(mailbox.has_message());
}

TEST(Mailbox, goes_on_from_segment_to_segment_filled_by_any_number) {
  Mailbox mailbox;
  std::int64_t put = 0;
  std::int64_t taken = 0;
  for (int each = 0; each < more_than_a_segment; ++each) {
    for (int more = 0; more < each; ++more) mailbox.put({.number = put++});
    for (; mailbox.has_message(); mailbox.pop()) ASSERT_EQ(mailbox.front()->number, taken++);
    ASSERT_EQ(taken, put);
  }
}

// A mailbox that was as full before allocates nothing.
TEST(Mailbox, writes_again_to_segments_that_were_read_through) {
  constexpr std::size_t segments = 5;
  Mailbox mailbox;
  auto const fill = [&](std::size_t full) {
    for (std::size_t at = 0; at < full * Mailbox::slots_each; ++at) mailbox.put({.number = 1});
  };
  auto const empty = [&] {
    while (mailbox.front() != nullptr) mailbox.pop();
  };
  fill(segments);
  EXPECT_EQ(mailbox.spares(), 0U);
  empty();
  EXPECT_EQ(mailbox.spares(), segments - 1) << "all but that in which the next is put";

  fill(segments);
  EXPECT_EQ(mailbox.spares(), 0U) << "the sender has come for them";
  empty();
  EXPECT_EQ(mailbox.spares(), segments) << "none was left over, and one was new";

  fill(Mailbox::spares_max + 2 * segments);
  empty();
  EXPECT_EQ(mailbox.spares(), Mailbox::spares_max) << "no more are kept";
}

// What an envelope holds is let go of when it is taken, or with the mailbox.
TEST(Mailbox, keeps_nothing_of_what_was_taken) {
  for (int const taken : {0, 1, 40, more_than_a_segment}) {
    auto const object = std::make_shared<int>(7);
    {
      Mailbox mailbox;
      for (int each = 0; each < more_than_a_segment; ++each) mailbox.put({.object = object});
      for (int each = 0; each < taken; ++each) {
        ASSERT_NE(mailbox.front(), nullptr);
        mailbox.pop();
      }
      // front() goes on to the next segment.
      EXPECT_EQ(mailbox.front() == nullptr, taken == more_than_a_segment);
      EXPECT_EQ(object.use_count(), 1 + more_than_a_segment - taken);
    }
    EXPECT_EQ(object.use_count(), 1);
  }
}

TEST(Mailbox, loses_nothing_and_keeps_the_order_of_each_thread) {
  constexpr int threads = 3;
  constexpr std::int64_t each = 5000;
  Mailbox mailbox;
  std::vector<std::jthread> others;
  for (int thread = 0; thread < threads; ++thread) {
    others.emplace_back([&mailbox, thread] {
      for (std::int64_t number = 0; number < each; ++number) {
        mailbox.put({.from = thread, .number = number, .bytes = std::vector<std::byte>(3)});
      }
    });
  }

  // What has_message() does not see now it sees next time: so this ends.
  std::vector<std::int64_t> next(threads, 0);
  for (std::int64_t taken = 0; taken < threads * each;) {
    if (!mailbox.has_message()) {
      std::this_thread::yield();
      continue;
    }
    Envelope const& envelope = *mailbox.front();
    ASSERT_EQ(envelope.number, next[static_cast<std::size_t>(envelope.from)]++);
    ASSERT_EQ(envelope.bytes.size(), 3U);
    mailbox.pop();
    ++taken;
  }

  EXPECT_EQ(next, std::vector<std::int64_t>(threads, each));
  EXPECT_FALSE(mailbox.has_message());
}

}  // namespace
}  // namespace makespan::graph
