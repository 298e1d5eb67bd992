// SPDX-License-Identifier: Apache-2.0
// Goal: two sides of the right weights with little talk across. Method: chains and cliques, by
// hand.
#include "makespan/graph/balancer/bisection.hpp"

#include <gtest/gtest.h>

#include "graph/small_graphs.hpp"

#include <numeric>

namespace makespan::graph {
namespace {

std::vector<std::int32_t> first_numbers(int count) {
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

Bound free_all(std::int32_t /*object*/) {
  return Bound::to_neither;
}

// Objects of weight 1, each of which talks to the next.
TalkGraph chain(int objects) {
  GraphColumns columns = silent(std::vector<double>(static_cast<std::size_t>(objects), 1.0));
  for (int object = 0; object + 1 < objects; ++object) add_edge(columns, object, object + 1, 1, 0);
  return {Graph(columns), equal_places(2)};
}

// Two sets of four that all talk to each other: the even objects and the odd ones; 0 and 1 talk.
TalkGraph two_cliques() {
  GraphColumns columns = silent(std::vector<double>(8, 1.0));
  for (int a = 0; a < 8; ++a) {
    for (int b = a + 2; b < 8; b += 2) add_edge(columns, a, b, 1, 0);
  }
  add_edge(columns, 0, 1, 1, 0);
  return {Graph(columns), equal_places(2)};
}

TEST(Bisection, grows_from_the_rim) {
  // From 0 the last to be reached is 5, whence the first side grows.
  TalkGraph const talks = chain(6);
  std::vector<double> const weights(6, 1.0);
  Bisection bisection(talks, weights);
  std::vector<std::int32_t> objects = first_numbers(6);

  EXPECT_EQ(bisection.cut(objects, free_all, {.first = 0.5, .slack = 0.0}), 3U);
  EXPECT_EQ(objects, (std::vector<std::int32_t>{3, 4, 5, 0, 1, 2}));

  objects = first_numbers(6);
  EXPECT_EQ(bisection.cut(objects, free_all, {.first = 1.0 / 3.0, .slack = 0.0}), 2U);
  EXPECT_EQ(objects, (std::vector<std::int32_t>{4, 5, 0, 1, 2, 3}));
}

TEST(Bisection, keeps_objects_where_they_are_bound) {
  TalkGraph const talks = chain(6);
  std::vector<double> const weights(6, 1.0);
  Bisection bisection(talks, weights);
  std::vector<std::int32_t> objects = first_numbers(6);
  auto const bound = [](std::int32_t object) {
    if (object == 1) return Bound::to_first;
    return object == 0 ? Bound::to_second : Bound::to_neither;
  };

  EXPECT_EQ(bisection.cut(objects, bound, {.first = 0.5, .slack = 0.0}), 3U);
  EXPECT_EQ(objects, (std::vector<std::int32_t>{1, 2, 3, 0, 4, 5}));
}

TEST(Bisection, cuts_a_part_of_a_graph) {
  TalkGraph const talks = chain(6);
  std::vector<double> const weights(6, 1.0);
  Bisection bisection(talks, weights);
  std::vector<std::int32_t> objects{1, 2, 3, 5};

  // 3 is the rim of 1, 2, 3; 5 talks to none of them.
  EXPECT_EQ(bisection.cut(objects, free_all, {.first = 0.5, .slack = 0.0}), 2U);
  EXPECT_EQ(objects, (std::vector<std::int32_t>{2, 3, 1, 5}));
}

TEST(Bisection, does_not_cut_what_holds_together) {
  TalkGraph const talks = two_cliques();
  std::vector<double> const weights(8, 1.0);
  Bisection bisection(talks, weights);
  std::vector<std::int32_t> objects = first_numbers(8);

  ASSERT_EQ(bisection.cut(objects, free_all, {.first = 0.5, .slack = 0.0}), 4U);
  for (std::size_t at = 0; at < 4; ++at) EXPECT_EQ(objects[at] % 2, objects[0] % 2);
}

TEST(Bisection, mends_a_bad_beginning) {
  // 0 and 1 are bound to the first side, so that it grows into both cliques; 0 stands alone at
  // last.
  TalkGraph const talks = two_cliques();
  std::vector<double> const weights(8, 1.0);
  Bisection bisection(talks, weights);
  std::vector<std::int32_t> objects = first_numbers(8);
  auto const bound = [](std::int32_t object) {
    return object <= 1 ? Bound::to_first : Bound::to_neither;
  };

  ASSERT_EQ(bisection.cut(objects, bound, {.first = 5.0 / 8.0, .slack = 0.0}), 5U);
  int odd = 0;
  for (std::size_t at = 0; at < 5; ++at) odd += objects[at] % 2;
  EXPECT_TRUE(odd == 4 || odd == 1);
}

TEST(Bisection, weighs_objects) {
  TalkGraph const talks = chain(4);
  std::vector<double> const weights{1, 1, 1, 3};
  Bisection bisection(talks, weights);
  std::vector<std::int32_t> objects = first_numbers(4);

  EXPECT_EQ(bisection.cut(objects, free_all, {.first = 0.5, .slack = 0.0}), 1U);
  EXPECT_EQ(objects[0], 3);
}

}  // namespace
}  // namespace makespan::graph
