// SPDX-License-Identifier: Apache-2.0
// Goal: what every balancer must keep. Method: the registry's balancers on graphs and machines of
// all sorts; a balancer that is added is tested here without being named.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/small_graphs.hpp"
#include "makespan/base/error.hpp"
#include "makespan/graph/balancer/balancer_registry.hpp"
#include "makespan/graph/balancer/within_memory.hpp"
#include "makespan/graph/model/phase_time.hpp"
#include "makespan/graph/times/memory_use.hpp"

namespace makespan::graph {
namespace {

struct Case {
  std::string name;
  GraphColumns columns;
  Places places;
};

GraphColumns with_fixed(GraphColumns columns) {
  columns.is_fixed.resize(columns.place.size());
  for (std::size_t i = 0; i < columns.place.size(); i += 3) columns.is_fixed[i] = 1;
  return columns;
}

GraphColumns with_two_kinds(GraphColumns columns) {
  columns.kinds = 2;
  std::vector<double> work;
  for (std::size_t i = 0; i < columns.work.size(); ++i) {
    work.push_back(columns.work[i]);
    work.push_back(columns.work[i] * (i % 2 == 0 ? 0.1 : 2.0));
  }
  columns.work = std::move(work);
  return columns;
}

Places with_a_gpu() {
  return Places(
      {{}, {}, {.kind = 1, .domain = 1}}, {Domain{}, Domain{}},
      {.latency_s = {1e-7, 5e-6, 5e-6, 1e-7}, .bandwidth_bytes_s = {4e10, 2e10, 2e10, 1e12}});
}

std::vector<Case> cases() {
  std::vector<Case> all;
  all.push_back({"nothing", GraphColumns{}, equal_places(3)});
  all.push_back({"one_object", silent({1.0}), equal_places(3)});
  all.push_back({"one_place", random_graph(1, 20, 3, 1), equal_places(1)});
  all.push_back({"no_work", silent({0, 0, 0, 0, 0}), equal_places(2)});
  all.push_back({"fewer_objects_than_places", random_graph(2, 3, 2, 7), equal_places(7)});
  all.push_back({"random", random_graph(3, 300, 4, 12), domains_of_places(4, 3)});
  all.push_back(
      {"uneven_speeds", random_graph(4, 200, 3, 5), places_of_speeds({1, 1, 1, 0.25, 10})});
  all.push_back({"fixed", with_fixed(random_graph(5, 200, 3, 6)), domains_of_places(3, 2)});
  all.push_back({"two_kinds", with_two_kinds(random_graph(6, 150, 3, 3)), with_a_gpu()});
  return all;
}

class EveryBalancer : public testing::TestWithParam<std::string_view> {
 protected:
  void SetUp() override {
    try {
      static_cast<void>(make_balancer(GetParam(), {}));
    } catch (NotConfigured const& reason) {
      GTEST_SKIP() << reason.what();
    }
  }

  static Mapping mapped(Case const& one) {
    return make_balancer(GetParam(), {})->map(Graph(one.columns), one.places);
  }
};

std::vector<std::string_view> names() {
  std::vector<std::string_view> all;
  for (BalancerEntry const& entry : balancers()) all.push_back(entry.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryBalancer, testing::ValuesIn(names()),
                         [](auto const& tested) { return std::string(tested.param); });

TEST_P(EveryBalancer, places_every_object_once) {
  for (Case const& one : cases()) {
    Mapping const mapping = mapped(one);
    ASSERT_EQ(mapping.size(), one.columns.place.size()) << one.name;
    for (std::int32_t const place : mapping) {
      EXPECT_GE(place, 0) << one.name;
      EXPECT_LT(place, one.places.count()) << one.name;
    }
  }
}

TEST_P(EveryBalancer, leaves_fixed_objects_where_they_are) {
  for (Case const& one : cases()) {
    Mapping const mapping = mapped(one);
    for (std::size_t object = 0; object < one.columns.is_fixed.size(); ++object) {
      if (one.columns.is_fixed[object] != 0) {
        EXPECT_EQ(mapping[object], one.columns.place[object]) << one.name << " " << object;
      }
    }
  }
}

TEST_P(EveryBalancer, decides_the_same_for_the_same) {
  for (Case const& one : cases()) EXPECT_EQ(mapped(one), mapped(one)) << one.name;
}

// All work at one of four places, and nothing is said: who does nothing fails. (Rotate only moves.)
TEST_P(EveryBalancer, takes_work_off_a_place_that_has_it_all) {
  Case const one{"all_at_one", silent(std::vector<double>(64, 1.0)), equal_places(4)};
  Graph const graph(one.columns);
  Mapping const mapping = mapped(one);
  if (GetParam() == "rotate") {
    EXPECT_EQ(mapping, Mapping(64, 1));
    return;
  }

  EXPECT_LE(phase_times(graph, one.places, mapping).longest_s(), 0.5 * 64.0);
}

// Alike objects at so many of four places in two nodes, each of which says much to the one whose
// number differs in this bit.
Case talking_pairs(int bit, int begun_at) {
  GraphColumns columns = silent(std::vector<double>(16, 1e-3));
  for (int object = 0; object < 16; ++object) {
    columns.place[static_cast<std::size_t>(object)] = object % begun_at;
    add_edge(columns, object, object ^ bit, 1000.0, 1e6);
  }
  return {"talking_pairs", std::move(columns), domains_of_places(4, 1)};
}

// Four places that have room for 1.2 times their share, of objects that share blocks by four.
TEST_P(EveryBalancer, is_kept_within_memory) {
  GraphColumns columns = random_graph(7, 120, 3, 4);
  for (int object = 0; object < 120; ++object) {
    columns.block.push_back(object / 4);
    columns.footprint.push_back(10.0);
  }
  columns.block_bytes.assign(30, 1000.0);
  Graph const graph(columns);
  double const share = (120 * 10.0 + 30 * 1000.0) / 4;
  Places const places = equal_places(4).with_memories(
      {.of = {0, 1, 2, 3}, .limit_bytes = std::vector<double>(4, 1.2 * share)});

  Mapping const mapping =
      within_memory(graph, places, make_balancer(GetParam(), {})->map(graph, places));

  EXPECT_EQ(MemoryUse(graph, places, mapping).excess_bytes(), 0.0);
}

TEST_P(EveryBalancer, reads_messages_if_it_says_so_and_else_does_not) {
  bool const reads = make_balancer(GetParam(), {})->reads_messages();
  bool has_changed = false;
  for (int const begun_at : {4, 3}) {  // some touch nothing that is even
    Mapping const expected = mapped(talking_pairs(1, begun_at));
    for (int const bit : {2, 8}) {
      has_changed = has_changed || mapped(talking_pairs(bit, begun_at)) != expected;
    }
  }
  EXPECT_EQ(has_changed, reads);
  if (reads) return;
  for (Case one : cases()) {
    Mapping const with_messages = mapped(one);
    one.columns.from.clear();
    one.columns.to.clear();
    one.columns.messages.clear();
    one.columns.edge_bytes.clear();
    EXPECT_EQ(mapped(one), with_messages) << one.name;
  }
}

}  // namespace
}  // namespace makespan::graph
