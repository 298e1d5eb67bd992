// SPDX-License-Identifier: Apache-2.0
// Goal: nothing that is put in is lost, and envelopes of one thread come in its order. Method:
// several threads that put, while the owner takes.
#include "makespan/graph/object/message/mailbox.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace makespan::graph {
namespace {

TEST(Mailbox, has_message_until_it_is_taken) {
  Mailbox mailbox;
  std::vector<Envelope> envelopes;
  EXPECT_FALSE(mailbox.has_message());

  mailbox.put({.number = 1});
  mailbox.put({.number = 2});
  EXPECT_TRUE(mailbox.has_message());
  mailbox.take_all(envelopes);

  EXPECT_FALSE(mailbox.has_message());
  ASSERT_EQ(envelopes.size(), 2U);
  EXPECT_EQ(envelopes[0].number, 1);
  EXPECT_EQ(envelopes[1].number, 2);
}

TEST(Mailbox, that_is_empty_gives_nothing) {
  Mailbox mailbox;
  std::vector<Envelope> envelopes;

  mailbox.take_all(envelopes);

  EXPECT_TRUE(envelopes.empty());
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
  std::int64_t taken = 0;
  std::vector<Envelope> envelopes;
  while (taken < threads * each) {
    if (!mailbox.has_message()) {
      std::this_thread::yield();
      continue;
    }
    envelopes.clear();
    mailbox.take_all(envelopes);
    for (Envelope const& envelope : envelopes) {
      ASSERT_EQ(envelope.number, next[static_cast<std::size_t>(envelope.from)]++);
      ASSERT_EQ(envelope.bytes.size(), 3U);
    }
    taken += std::ssize(envelopes);
  }

  EXPECT_EQ(next, std::vector<std::int64_t>(threads, each));
  EXPECT_FALSE(mailbox.has_message());
}

}  // namespace
}  // namespace makespan::graph
