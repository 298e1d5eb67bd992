// SPDX-License-Identifier: Apache-2.0
// Goal: what objects took and sent is added up, each by itself, until it is cleared. Method:
// messages in the order that repeats, and in any other; against a map.
#include "makespan/graph/rebalance/load_book.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <utility>

namespace makespan::graph {
namespace {

TEST(LoadBook, adds_up_the_time_of_each) {
  LoadBook book(3);
  book.cpu_s(0) += 1.0;
  book.cpu_s(2) += 2.0;
  book.cpu_s(2) += 0.5;

  EXPECT_EQ(book.cpu_s(0), 1.0);
  EXPECT_EQ(book.cpu_s(1), 0.0);
  EXPECT_EQ(book.cpu_s(2), 2.5);
}

TEST(LoadBook, tells_receivers_in_the_order_of_their_first_messages) {
  LoadBook book(4);
  for (int round = 0; round < 3; ++round) {
    for (int const to : {3, 0, 1}) book.note_message(2, to, 10.0);
  }

  auto const traffic = book.traffic_of(2);

  ASSERT_EQ(traffic.size(), 3U);
  for (std::size_t at = 0; at < 3; ++at) {
    EXPECT_EQ(traffic[at].from, 2);
    EXPECT_EQ(traffic[at].to, (std::vector<int>{3, 0, 1})[at]);
    EXPECT_EQ(traffic[at].messages, 3.0);
    EXPECT_EQ(traffic[at].bytes, 30.0);
  }
  EXPECT_TRUE(book.traffic_of(0).empty());
}

TEST(LoadBook, counts_messages_in_any_order) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    LoadBook book(5);
    std::map<std::pair<int, int>, std::pair<double, double>> expected;
    for (int message = 0; message < 200; ++message) {
      int const from = static_cast<int>(random() % 5);
      int const to = static_cast<int>(random() % 5);
      auto const bytes = static_cast<double>(random() % 100);
      book.note_message(from, to, bytes);
      expected[{from, to}].first += 1.0;
      expected[{from, to}].second += bytes;
    }

    std::map<std::pair<int, int>, std::pair<double, double>> got;
    for (int object = 0; object < 5; ++object) {
      for (ObjectTraffic const& each : book.traffic_of(object)) {
        EXPECT_TRUE(got.try_emplace({each.from, each.to}, each.messages, each.bytes).second)
            << "told twice";
      }
    }
    ASSERT_EQ(got, expected);
  }
}

TEST(LoadBook, forgets_what_was) {
  LoadBook book(3);
  for (int object = 0; object < 3; ++object) {
    book.cpu_s(object) = 1.0;
    book.note_message(object, 1, 8.0);
  }

  book.clear();

  for (int object = 0; object < 3; ++object) {
    EXPECT_EQ(book.cpu_s(object), 0.0);
    EXPECT_TRUE(book.traffic_of(object).empty());
  }
  book.note_message(0, 2, 1.0);
  ASSERT_EQ(book.traffic_of(0).size(), 1U);
  EXPECT_EQ(book.traffic_of(0).front().messages, 1.0);
}

}  // namespace
}  // namespace makespan::graph
