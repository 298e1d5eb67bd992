// SPDX-License-Identifier: Apache-2.0
// Goal: messages are told apart by what their ends have in common, and what is not known of a class
// comes from what is most like it.
#include "makespan/graph/message_classes.hpp"

#include <gtest/gtest.h>

#include "makespan/graph/model/assumed_message_costs.hpp"

namespace makespan::graph {
namespace {

// On a host of two packages, each of two L3 of two cores; an image for each package.
std::vector<ThreadPlace> threads_of(int hosts) {
  std::vector<ThreadPlace> threads;
  for (std::int32_t core = 0; core < 8 * hosts; ++core) {
    std::int32_t const here = core % 8;
    threads.push_back({.host = core / 8,
                       .image = core / 4,
                       .within = {here / 4, here / 4, here / 2, here, here}});
  }
  return threads;
}

constexpr MessageClass near{.nearness = Nearness::l3, .is_in_image = true};
constexpr MessageClass far{.nearness = Nearness::numa_node, .is_in_image = true};
constexpr MessageClass across{.nearness = Nearness::host};

MessageCost cost_like(double seconds) {
  return {.latency_s = seconds, .send_s = seconds, .receive_s = seconds, .byte_s = seconds};
}

TEST(MessageClasses, are_what_two_threads_have_in_common) {
  auto const threads = threads_of(2);

  EXPECT_EQ(class_of(threads[0], threads[1]), near);
  EXPECT_EQ(class_of(threads[0], threads[2]), far);
  EXPECT_EQ(class_of(threads[0], threads[4]), across);
  EXPECT_EQ(class_of(threads[9], threads[0]),
            (MessageClass{.nearness = Nearness::network, .host = 0, .other_host = 1}));
}

TEST(MessageClasses, have_nothing_in_common_that_is_not_known) {
  ThreadPlace const anywhere{.image = 1};
  ThreadPlace const other{.image = 1};

  EXPECT_EQ(class_of(anywhere, other),
            (MessageClass{.nearness = Nearness::host, .is_in_image = true}));
}

TEST(MessageClasses, have_labels) {
  EXPECT_EQ(label_of(near), "threads of an image, same L3");
  EXPECT_EQ(label_of({.nearness = Nearness::core}), "images of a host, same core");
  EXPECT_EQ(label_of({.nearness = Nearness::package}), "images of a host, same package");
  EXPECT_EQ(label_of(across), "images of a host");
  EXPECT_EQ(label_of({.nearness = Nearness::network, .host = 0, .other_host = 2}), "hosts 0 and 2");
}

TEST(PairsToMeasure, are_one_of_each_class) {
  EXPECT_EQ(pairs_to_measure(threads_of(1), 10), (std::vector<ThreadPair>{{0, 1}, {0, 2}, {0, 4}}));
  EXPECT_EQ(pairs_to_measure(threads_of(2), 10).back(), (ThreadPair{0, 8}));
}

TEST(PairsToMeasure, are_of_some_hosts_of_many) {
  auto const pairs = pairs_to_measure(threads_of(5), 4);  // 10 pairs of hosts

  ASSERT_EQ(pairs.size(), 3 + 4);
  EXPECT_EQ(pairs[3], (ThreadPair{0, 8}));
  EXPECT_EQ(pairs[6], (ThreadPair{16, 24}));
}

TEST(CostFound, is_that_of_the_class) {
  CostFound const found = cost_of({{near, cost_like(1.0)}, {far, cost_like(2.0)}}, far);

  EXPECT_EQ(found.cost, cost_like(2.0));
  EXPECT_TRUE(found.is_own);
}

TEST(CostFound, is_that_of_the_nearest_class_else) {
  ClassCosts const known{{near, cost_like(1.0)},
                         {{.nearness = Nearness::package, .is_in_image = true}, cost_like(3.0)},
                         {across, cost_like(5.0)}};

  CostFound const found = cost_of(known, {.nearness = Nearness::host, .is_in_image = true});

  EXPECT_EQ(found.cost, cost_like(3.0));
  EXPECT_FALSE(found.is_own);
  EXPECT_FALSE(found.is_assumed);
}

TEST(CostFound, is_the_median_of_other_hosts) {
  ClassCosts known;
  for (int other = 1; other < 4; ++other) {
    known[{.nearness = Nearness::network, .host = 0, .other_host = other}] = cost_like(other);
  }

  EXPECT_EQ(cost_of(known, {.nearness = Nearness::network, .host = 2, .other_host = 3}).cost,
            cost_like(2.0));
}

TEST(CostFound, is_assumed_where_nothing_like_it_is_known) {
  CostFound const found = cost_of({{near, cost_like(1.0)}}, across);

  EXPECT_TRUE(found.is_assumed);
  EXPECT_EQ(found.cost.receive_s, AssumedMessageCosts{}.node_message_s);
}

TEST(CostsBetween, are_those_of_the_classes_of_domains) {
  auto const threads = threads_of(1);
  ThreadDomains const domains = domains_of(threads);
  ASSERT_EQ(domains.domains.size(), 4);

  DomainCosts const costs = costs_between(
      domains, threads, {{near, cost_like(1.0)}, {far, cost_like(2.0)}, {across, cost_like(4.0)}});

  EXPECT_EQ(costs.receive_s, (std::vector{1.0, 2.0, 4.0, 4.0,  //
                                          2.0, 1.0, 4.0, 4.0,  //
                                          4.0, 4.0, 1.0, 2.0,  //
                                          4.0, 4.0, 2.0, 1.0}));
  EXPECT_EQ(costs.bandwidth_bytes_s[1], 0.5);
}

}  // namespace
}  // namespace makespan::graph
