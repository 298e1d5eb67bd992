// SPDX-License-Identifier: Apache-2.0
// Goal: a message reaches its object wherever that has gone. Method: single rules; then places
// whose envelopes arrive in random order, objects that move at random, and every message counted.
#include "makespan/graph/protocol/location_table.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <variant>
#include <vector>

namespace makespan::graph {
namespace {

TEST(LocationTable, A_place_that_knows_nothing_asks_the_home) {
  LocationTable const table(0, 3, {9});

  EXPECT_EQ(table.home(0), 0);
  EXPECT_EQ(table.home(3), 1);
  EXPECT_EQ(table.home(8), 2);
  Route const route = table.route(8, 0);
  EXPECT_EQ(route.routing, Routing::forward);
  EXPECT_EQ(route.to, (Location{.place = 2, .moves = 0}));
}

TEST(LocationTable, A_home_keeps_messages_for_what_has_not_been_made) {
  LocationTable const home(2, 3, {9});

  EXPECT_EQ(home.route(8, 0).routing, Routing::keep);
}

TEST(LocationTable, A_place_that_an_object_has_left_knows_where_it_went) {
  LocationTable table(0, 3, {9});
  table.arrive(5, 1);
  EXPECT_EQ(table.route(5, 1).routing, Routing::deliver);

  Location const next = table.depart(5, 2);

  EXPECT_EQ(next, (Location{.place = 2, .moves = 2}));
  Route const route = table.route(5, 1);
  EXPECT_EQ(route.routing, Routing::forward);
  EXPECT_EQ(route.to, next);
}

TEST(LocationTable, A_message_that_is_faster_than_its_object_waits_for_it) {
  LocationTable table(2, 3, {9});
  table.learn(5, {.place = 0, .moves = 1});

  EXPECT_EQ(table.route(5, 2).routing, Routing::keep);
  table.arrive(5, 2);
  EXPECT_EQ(table.route(5, 2).routing, Routing::deliver);
}

TEST(LocationTable, Old_news_is_no_news) {
  LocationTable table(0, 3, {9});

  EXPECT_TRUE(table.learn(4, {.place = 2, .moves = 3}));
  EXPECT_FALSE(table.learn(4, {.place = 1, .moves = 2}));
  EXPECT_EQ(table.believed(4), (Location{.place = 2, .moves = 3}));
}

TEST(LocationTable, What_is_elsewhere_and_silent_takes_no_memory) {
  LocationTable table(0, 1000, {1'000'000});
  EXPECT_EQ(table.bytes(), 0U);

  EXPECT_EQ(table.believed(999'999), (Location{.place = 999, .moves = 0}));
  EXPECT_EQ(table.route(999'999, 0).routing, Routing::forward);
  EXPECT_EQ(table.bytes(), 0U) << "to ask leaves nothing";
  for (int object = 0; object < 10; ++object) table.arrive(object, 1);
  table.learn(500'000, {.place = 7, .moves = 2});

  EXPECT_EQ(table.known(), 11U);
  EXPECT_LE(table.bytes(), 1024U);
  EXPECT_EQ(table.here().size(), 10U);
}

TEST(LocationTable, Homes_are_blocks_of_equal_length) {
  LocationTable const table(0, 3, {7});

  std::vector<int> homes;
  for (int object = 0; object < 7; ++object) homes.push_back(table.home(object));

  EXPECT_EQ(homes, (std::vector<int>{0, 0, 0, 1, 1, 2, 2}));
}

TEST(LocationTable, The_heir_of_a_lost_place_is_the_next_that_is_there) {
  LocationTable table(0, 4, {8});
  EXPECT_EQ(table.heir(3), 3);

  table.lose(3);
  table.lose(1);

  EXPECT_TRUE(table.is_lost(1));
  EXPECT_FALSE(table.is_lost(2));
  EXPECT_EQ(table.heir(0), 0);
  EXPECT_EQ(table.heir(1), 2);
  EXPECT_EQ(table.heir(3), 0) << "after the last comes the first";
  EXPECT_EQ(table.home(2), 2);
  EXPECT_EQ(table.home(7), 0);
}

TEST(LocationTable, The_last_place_has_all_homes) {
  LocationTable table(1, 3, {9});
  table.lose(0);
  table.lose(2);
  table.clear();

  for (int object = 0; object < 9; ++object) {
    EXPECT_EQ(table.home(object), 1);
    EXPECT_EQ(table.route(object, 0).routing, Routing::keep);
  }
}

TEST(LocationTable, That_is_cleared_knows_homes_and_no_more) {
  LocationTable table(0, 3, {9});
  table.arrive(1, 4);
  table.learn(8, {.place = 1, .moves = 5});
  table.lose(2);

  table.clear();

  EXPECT_FALSE(table.is_here(1));
  EXPECT_EQ(table.believed(1), (Location{.place = 0, .moves = 0}));
  EXPECT_EQ(table.believed(8), (Location{.place = 0, .moves = 0})) << "its home is lost";
  EXPECT_TRUE(table.is_lost(2));
  table.arrive(8, 1);
  EXPECT_EQ(table.route(8, 0).routing, Routing::deliver);
}

// --- places whose envelopes come in any order

struct Message {
  int object;
  std::uint32_t moves;
};
struct Arrival {
  int object;
  std::uint32_t moves;
};
struct News {
  int object;
  Location said;
};
struct Envelope {
  int to;
  std::variant<Message, Arrival, News> content;
};

class PostWorld {
 public:
  PostWorld(int places, int objects, std::uint32_t seed) : random_(seed) {
    for (int place = 0; place < places; ++place) {
      tables_.emplace_back(place, places, std::vector<int>{objects});
      kept_.emplace_back();
    }
    for (int object = 0; object < objects; ++object) {
      int const place = draw(places);
      where_.push_back(-1);
      come(place, object, 1);
    }
  }

  void send(int object) {
    int const from = draw(places());
    ++sent_;
    take(from, Message{.object = object, .moves = table(from).believed(object).moves});
  }

  // If it is anywhere: it may be under way.
  void move(int object) {
    int const from = where_[static_cast<std::size_t>(object)];
    int const to = draw(places());
    if (from < 0 || from == to) return;
    Location const next = table(from).depart(object, to);
    where_[static_cast<std::size_t>(object)] = -1;
    post(to, Arrival{.object = object, .moves = next.moves});
  }

  // Any envelope that is under way arrives.
  bool deliver_one() {
    if (envelopes_.empty()) return false;
    auto const which = static_cast<std::size_t>(draw(static_cast<int>(envelopes_.size())));
    Envelope const envelope = envelopes_[which];
    envelopes_[which] = envelopes_.back();
    envelopes_.pop_back();
    ++steps_;
    std::visit([&](auto const& content) { take(envelope.to, content); }, envelope.content);
    return true;
  }

  int draw(int below) { return static_cast<int>(random_() % static_cast<std::uint32_t>(below)); }
  [[nodiscard]] int sent() const { return sent_; }
  [[nodiscard]] int delivered() const { return delivered_; }
  [[nodiscard]] int steps() const { return steps_; }

 private:
  [[nodiscard]] int places() const { return static_cast<int>(tables_.size()); }
  LocationTable& table(int place) { return tables_[static_cast<std::size_t>(place)]; }
  void post(int to, auto content) { envelopes_.push_back({.to = to, .content = content}); }

  void take(int at, Message const& message) {
    Route const route = table(at).route(message.object, message.moves);
    switch (route.routing) {
      case Routing::deliver:
        EXPECT_EQ(where_[static_cast<std::size_t>(message.object)], at) << "it is not there";
        ++delivered_;
        break;
      case Routing::keep:
        kept_[static_cast<std::size_t>(at)].push_back(message);
        break;
      case Routing::forward:
        post(route.to.place, Message{.object = message.object, .moves = route.to.moves});
        break;
    }
  }
  void take(int at, Arrival const& arrival) { come(at, arrival.object, arrival.moves); }
  void take(int at, News const& news) {
    if (table(at).learn(news.object, news.said)) look_again(at);
  }

  void come(int at, int object, std::uint32_t moves) {
    table(at).arrive(object, moves);
    where_[static_cast<std::size_t>(object)] = at;
    post(table(at).home(object), News{.object = object, .said = {.place = at, .moves = moves}});
    look_again(at);
  }

  void look_again(int at) {
    std::vector<Message> waiting;
    std::swap(waiting, kept_[static_cast<std::size_t>(at)]);
    for (Message const& message : waiting) take(at, message);
  }

  std::mt19937 random_;
  std::vector<LocationTable> tables_;
  std::vector<std::vector<Message>> kept_;
  std::vector<Envelope> envelopes_;
  std::vector<int> where_;
  int sent_{0};
  int delivered_{0};
  int steps_{0};
};

class RandomMoves : public testing::TestWithParam<int> {};

TEST_P(RandomMoves, lose_no_message_and_end) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    PostWorld world(GetParam(), 7, seed);
    for (int round = 0; round < 300; ++round) {
      world.send(world.draw(7));
      if (round % 3 == 0) world.move(world.draw(7));
      for (int arrivals = world.draw(4); arrivals > 0; --arrivals) world.deliver_one();
    }
    while (world.deliver_one()) {
      ASSERT_LT(world.steps(), 100'000) << "envelopes go round for ever";
    }
    ASSERT_EQ(world.delivered(), world.sent());
  }
}

INSTANTIATE_TEST_SUITE_P(LocationTable, RandomMoves, testing::Values(1, 2, 3, 5));

}  // namespace
}  // namespace makespan::graph
