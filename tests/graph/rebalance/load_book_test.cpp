// SPDX-License-Identifier: Apache-2.0
// Goal: what objects took and sent is added up, each by itself, until it is cleared. Method:
// messages in the order that repeats, and in any other; against a map.
#include "makespan/graph/rebalance/load_book.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace makespan::graph {
namespace {

TEST(LoadBook, adds_up_the_time_of_each) {
  LoadBook book;
  book.time_of(0) += 1.0;
  book.time_of(2) += 2.0;
  book.time_of(2) += 0.5;

  EXPECT_EQ(book.cpu_s(0), 1.0);
  EXPECT_EQ(book.cpu_s(1), 0.0);
  EXPECT_EQ(book.cpu_s(2), 2.5);
}

TEST(LoadBook, counts_messages_in_the_order_that_repeats) {
  LoadBook book;
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
    LoadBook book;
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

// A hub: receivers far beyond what is looked through, in orders that repeat and that do not, in
// phase after phase.
TEST(LoadBook, counts_messages_to_many_receivers) {
  constexpr int objects = 5000;
  LoadBook book;
  std::vector<int> order(objects);
  std::iota(order.begin(), order.end(), 0);
  std::mt19937 random(3);
  for (int phase = 0; phase < 3; ++phase) {
    std::ranges::shuffle(order, random);
    for (int const to : order) book.note_message(7, to, 1.0);
    std::ranges::shuffle(order, random);
    for (int const to : order) book.note_message(7, to, 2.0);

    auto traffic = book.traffic_of(7);
    ASSERT_EQ(traffic.size(), static_cast<std::size_t>(objects));
    std::ranges::sort(traffic, {}, &ObjectTraffic::to);
    for (int to = 0; to < objects; ++to) {
      ObjectTraffic const& edge = traffic[static_cast<std::size_t>(to)];
      EXPECT_EQ(edge.to, to);
      EXPECT_EQ(edge.messages, 2.0);
      EXPECT_EQ(edge.bytes, 3.0);
    }
    book.clear();
    EXPECT_TRUE(book.traffic_of(7).empty());
  }
}

// Receivers of the phase before are kept, and not told again where they got nothing.
TEST(LoadBook, tells_only_of_this_phase) {
  LoadBook book;
  for (int to = 0; to < 60; ++to) book.note_message(1, to, 1.0);
  book.clear();
  for (int to = 59; to >= 30; --to) book.note_message(1, to, 1.0);
  EXPECT_EQ(book.traffic_of(1).size(), 30U);
  book.clear();
  for (int to = 20; to < 40; ++to) book.note_message(1, to, 1.0);

  auto traffic = book.traffic_of(1);
  std::ranges::sort(traffic, {}, &ObjectTraffic::to);
  ASSERT_EQ(traffic.size(), 20U);
  for (std::size_t at = 0; at < 20; ++at) {
    EXPECT_EQ(traffic[at].to, 20 + static_cast<int>(at));
    EXPECT_EQ(traffic[at].messages, 1.0);
  }
}

TEST(LoadBook, counts_for_senders_that_come_and_go) {
  std::mt19937 random(4);
  LoadBook book;
  for (int phase = 0; phase < 40; ++phase) {
    std::map<int, double> expected;
    for (int message = 0; message < 30; ++message) {
      int const from = static_cast<int>((random() + static_cast<unsigned>(phase)) % 50);
      book.note_message(from, from + 1 < 50 ? from + 1 : 0, 1.0);
      expected[from] += 1.0;
    }
    for (int object = 0; object < 50; ++object) {
      auto const traffic = book.traffic_of(object);
      ASSERT_EQ(traffic.empty() ? 0.0 : traffic.front().messages, expected[object]);
    }
    book.clear();
  }
}

TEST(LoadBook, gives_away_what_an_object_did_and_takes_it) {
  LoadBook first;
  LoadBook second;
  first.time_of(1) = 2.0;
  first.time_of(2) = 7.0;
  for (int const to : {2, 3, 3}) first.note_message(1, to, 10.0);
  second.time_of(1) = 0.5;
  second.note_message(1, 3, 1.0);

  ObjectLoads const taken = first.take(1, 4);
  second.add(taken);

  ASSERT_EQ(taken.objects.size(), 1U);
  EXPECT_EQ(taken.objects.front().moves, 4U);
  EXPECT_EQ(first.cpu_s(1), 0.0);
  EXPECT_TRUE(first.traffic_of(1).empty());
  EXPECT_EQ(first.cpu_s(2), 7.0);
  EXPECT_EQ(second.cpu_s(1), 2.5);
  auto traffic = second.traffic_of(1);
  std::ranges::sort(traffic, {}, &ObjectTraffic::to);
  ASSERT_EQ(traffic.size(), 2U);
  EXPECT_EQ(traffic[0].messages, 1.0);
  EXPECT_EQ(traffic[1].messages, 3.0);
  EXPECT_EQ(traffic[1].bytes, 21.0);
  // All that each place did is known to it.
  EXPECT_EQ(first.whole_cpu_s(1), 2.0);
  EXPECT_EQ(second.whole_cpu_s(1), 0.5);
}

TEST(LoadBook, counts_for_an_object_that_comes_back) {
  LoadBook book;
  book.time_of(1) = 2.0;
  book.note_message(1, 3, 10.0);
  ObjectLoads const taken = book.take(1, 2);
  book.add(taken);
  book.time_of(1) += 1.0;
  book.note_message(1, 3, 10.0);

  EXPECT_EQ(book.cpu_s(1), 3.0);
  ASSERT_EQ(book.traffic_of(1).size(), 1U);
  EXPECT_EQ(book.traffic_of(1).front().messages, 2.0);

  book.clear();
  EXPECT_EQ(book.cpu_s(1), 0.0);
  EXPECT_EQ(book.whole_cpu_s(1), 3.0);
  EXPECT_TRUE(book.take(5, 1).traffic.empty()) << "it has done nothing";
}

TEST(LoadBook, forgets_what_was) {
  LoadBook book;
  for (int object = 0; object < 3; ++object) {
    book.time_of(object) = 1.0;
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
