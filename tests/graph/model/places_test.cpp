// SPDX-License-Identifier: Apache-2.0
// Goal: places know their domain, and what it costs to go to another; invalid places and domains
// are refused by their number.
#include "makespan/graph/model/places.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "graph/small_graphs.hpp"
#include "makespan/base/error.hpp"

namespace makespan::graph {
namespace {

TEST(Places, know_their_domains) {
  Places const places = domains_of_places(3, 2);

  EXPECT_EQ(places.count(), 6);
  EXPECT_EQ(places.domains(), 3);
  EXPECT_EQ(std::vector<int>(places.in(1).begin(), places.in(1).end()), (std::vector{2, 3}));
  EXPECT_EQ(places.node(2), 1);
  EXPECT_EQ(places.speed_sum(), Speed{6});
}

TEST(Places, know_what_a_message_costs) {
  Places const places = domains_of_places(3, 2);
  Traffic const traffic{0, 3.0F, 1000.0};

  EXPECT_DOUBLE_EQ(places.message_s(0, 0, traffic), 3e-6 + 1e-6);
  EXPECT_DOUBLE_EQ(places.message_s(0, 2, traffic), 12e-6 + 4e-6);
  EXPECT_DOUBLE_EQ(places.nuco_factor(0, 1), 2.0);
  EXPECT_DOUBLE_EQ(places.nuco_factor(1, 1), 1.0);
}

TEST(Places, know_which_moves_change_links) {
  Places const even = domains_of_places(3, 1);  // domains 0 and 1 are one node
  EXPECT_FALSE(even.changes_links(0, 0));
  EXPECT_FALSE(even.changes_links(0, 1));
  EXPECT_TRUE(even.changes_links(1, 2));

  // The way from node 1 to domain 1 is wider than that to domain 0.
  Places const uneven({{.domain = 0}, {.domain = 1}, {.domain = 2}}, {{0}, {0}, {1}},
                      {.latency_s = std::vector(9, 1e-6),
                       .bandwidth_bytes_s = {1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 2e9, 1e9}});
  EXPECT_FALSE(uneven.changes_links(1, 1));
  EXPECT_TRUE(uneven.changes_links(0, 1));
  EXPECT_TRUE(uneven.with_speeds(std::vector<double>{1, 2, 3}).changes_links(1, 0));
}

TEST(Places, can_have_other_speeds) {
  Places const places = domains_of_places(3, 2).with_speeds(std::vector<double>{1, 2, 3, 4, 5, 6});

  EXPECT_EQ(places[4].speed, Speed{5});
  EXPECT_EQ(places.speed_sum(), Speed{21});
  EXPECT_EQ(places.domains(), 3);
}

TEST(Places, can_have_memories_with_limits) {
  Places const free = domains_of_places(1, 3);
  EXPECT_FALSE(free.has_memory_limits());

  Places const places = free.with_memories({.of = {0, 1, 0}, .limit_bytes = {100, 200}});

  ASSERT_TRUE(places.has_memory_limits());
  EXPECT_EQ(places.memory_of(1), 1);
  EXPECT_EQ(places.memories().limit_bytes[1], 200);
  EXPECT_EQ(places.memories().used_bytes, (std::vector<double>{0, 0}));
  EXPECT_TRUE(places.with_speeds(std::vector<double>{1, 2, 3}).has_memory_limits());
  EXPECT_FALSE(places.subset(std::vector<int>{0, 2}).has_memory_limits());
}

TEST(Places, refuse_memories_that_are_none) {
  Places const places = domains_of_places(1, 2);
  double const infinity = std::numeric_limits<double>::infinity();
  auto const with = [&](PlaceMemories memories) -> std::string {
    try {
      static_cast<void>(places.with_memories(std::move(memories)));
    } catch (InputError const& error) {
      return error.what();
    }
    return "accepted";
  };

  EXPECT_EQ(with({.of = {0, 0}, .limit_bytes = {infinity}, .used_bytes = {5}}), "accepted");
  EXPECT_NE(with({.of = {0}, .limit_bytes = {1}}).find("1 places of 2"), std::string::npos);
  EXPECT_NE(with({.of = {0, 1}, .limit_bytes = {1}}).find("place 1 (there is no memory 1)"),
            std::string::npos);
  EXPECT_NE(with({.of = {0, -1}, .limit_bytes = {1}}).find("place 1"), std::string::npos);
  EXPECT_NE(with({.of = {0, 0}, .limit_bytes = {-1}}).find("memory 0 (limit -1"),
            std::string::npos);
  EXPECT_NE(with({.of = {0, 0}, .limit_bytes = {1}, .used_bytes = {infinity}}).find("memory 0"),
            std::string::npos);
  EXPECT_NE(with({.of = {0, 0}, .limit_bytes = {1}, .used_bytes = {1, 2}}).find("2 values"),
            std::string::npos);
}

TEST(Places, have_subsets_with_the_same_costs) {
  Places const all = domains_of_places(4, 2);

  Places const some = all.subset(std::vector<int>{7, 2, 6});

  ASSERT_EQ(some.count(), 3);
  EXPECT_EQ(some.domains(), 2);
  EXPECT_EQ(some[0].domain, some[2].domain);
  EXPECT_NE(some[0].domain, some[1].domain);
  EXPECT_EQ(some.nodes(), 2);
  Traffic const traffic{0, 3.0F, 1000.0};
  EXPECT_EQ(some.message_s(some[0].domain, some[1].domain, traffic),
            all.message_s(all[7].domain, all[2].domain, traffic));
  EXPECT_EQ(some.message_s(some[1].domain, some[1].domain, traffic),
            all.message_s(all[2].domain, all[2].domain, traffic));
}

TEST(Places, take_messages_that_are_free) {
  Places const places(
      {Place{}}, {Domain{}},
      {.latency_s = {0.0}, .bandwidth_bytes_s = {std::numeric_limits<double>::infinity()}});

  EXPECT_EQ(places.message_s(0, 0, {0, 5.0F, 1e9}), 0.0);
  EXPECT_EQ(places.nuco_factor(0, 0), 1.0);
}

TEST(Places, take_work_over_speed) {
  Places const places = places_of_speeds({1.0, 4.0});
  Graph const graph(silent({2.0}));

  EXPECT_EQ(places.time_of(graph, 0, 0), Seconds{2.0});
  EXPECT_EQ(places.time_of(graph, 0, 1), Seconds{0.5});
}

std::string refusal(std::vector<Place> places, std::vector<Domain> domains, DomainCosts costs) {
  try {
    Places const made(std::move(places), std::move(domains), std::move(costs));
  } catch (InputError const& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Places, name_what_is_wrong) {
  DomainCosts const costs{.latency_s = {1e-6}, .bandwidth_bytes_s = {1e9}};
  auto const says = [](std::string const& said, char const* part) {
    return said.find(part) != std::string::npos;
  };

  EXPECT_TRUE(says(refusal({}, {Domain{}}, costs), "no place"));
  EXPECT_TRUE(says(refusal({{.speed = Speed{0}}}, {Domain{}}, costs), "place 0 (speed"));
  EXPECT_TRUE(says(refusal({{}, {.kind = -1}}, {Domain{}}, costs), "place 1 (kind -1)"));
  EXPECT_TRUE(says(refusal({{.domain = 1}}, {Domain{}}, costs), "place 0 (there is no domain 1)"));
  EXPECT_TRUE(says(refusal({{}}, {{.node = 1}}, costs), "domain 0 (there is no node 1)"));
  EXPECT_TRUE(says(refusal({{}}, {{.node = -1}}, costs), "domain 0 (there is no node -1)"));
  // With which times would be no numbers.
  EXPECT_TRUE(says(refusal({{.speed = Speed{1e-300}}}, {Domain{}}, costs), "place 0 (speed"));
  EXPECT_TRUE(says(refusal({{.speed = Speed{1e300}}}, {Domain{}}, costs), "place 0 (speed"));
  EXPECT_TRUE(says(refusal({{}}, {Domain{}}, {.latency_s = {1e-300}, .bandwidth_bytes_s = {1}}),
                   "latency from domain 0 to 0"));
  EXPECT_TRUE(says(refusal({{}}, {{}, {}}, costs), "latency of a machine (it has 1 values for 2"));
  EXPECT_TRUE(says(refusal({{}}, {Domain{}}, {.latency_s = {-1}, .bandwidth_bytes_s = {1}}),
                   "latency from domain 0 to 0"));
  EXPECT_TRUE(says(refusal({{}}, {Domain{}}, {.latency_s = {1}, .bandwidth_bytes_s = {0}}),
                   "bandwidth from domain 0 to 0"));
}

TEST(ExpectFits, names_objects_on_no_place_and_places_without_loads) {
  GraphColumns columns = silent({1, 1});
  columns.place = {0, 7};
  auto const said = [](GraphColumns const& given, Places const& places) -> std::string {
    try {
      expect_fits(Graph(given), places);
    } catch (InputError const& error) {
      return error.what();
    }
    return "accepted";
  };

  EXPECT_EQ(said(columns, equal_places(2)), "object 1 (there is no place 7): places are 0 to 1");
  columns.place = {0, 1};
  EXPECT_EQ(said(columns, equal_places(2)), "accepted");
  Places const with_gpu({{}, {.kind = 1}}, {Domain{}},
                        {.latency_s = {0}, .bandwidth_bytes_s = {1}});
  EXPECT_NE(said(columns, with_gpu).find("place 1 (its kind is 1"), std::string::npos);
}

}  // namespace
}  // namespace makespan::graph
