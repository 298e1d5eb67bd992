// SPDX-License-Identifier: Apache-2.0
// Goal: the library's parts have the right sizes, keep together what talks, and it is silent.
// Method: two cliques, chains.
#include "makespan/graph/balancer/metis.hpp"

#include <gtest/gtest.h>

#include "graph/small_graphs.hpp"

#include <algorithm>

#include "makespan/base/error.hpp"
#include "makespan/graph/balancer/metis_library.hpp"

namespace makespan::graph {
namespace {

class Metis : public testing::Test {
 protected:
  void SetUp() override {
    try {
      expect_metis();
    } catch (NotConfigured const& reason) {
      GTEST_SKIP() << reason.what();
    }
  }

  // The even ones of eight objects all talk to each other, and so do the odd ones; 0 talks to 1.
  static GraphColumns two_cliques() {
    GraphColumns columns = silent(std::vector<double>(8, 1.0));
    for (int a = 0; a < 8; ++a) {
      for (int b = a + 2; b < 8; b += 2) add_edge(columns, a, b, 1, 0);
    }
    add_edge(columns, 0, 1, 1, 0);
    return columns;
  }
  static Mapping mapped(GraphColumns const& columns, Places const& places) {
    return MetisBalancer({}).map(Graph(columns), places);
  }
};

TEST_F(Metis, does_not_cut_what_holds_together) {
  Mapping const mapping = mapped(two_cliques(), equal_places(2));

  EXPECT_NE(mapping[0], mapping[1]);
  for (std::size_t object = 2; object < 8; ++object) {
    EXPECT_EQ(mapping[object], mapping[object - 2]);
  }
}

TEST_F(Metis, gives_fast_places_more) {
  GraphColumns columns = silent(std::vector<double>(400, 1.0));
  for (int object = 0; object + 1 < 400; ++object) add_edge(columns, object, object + 1, 1, 0);

  auto const slow = std::ranges::count(mapped(columns, places_of_speeds({1, 3})), 0);

  EXPECT_NEAR(static_cast<double>(slow), 100, 8);
}

TEST_F(Metis, follows_objects_that_may_not_move) {
  GraphColumns columns = two_cliques();
  columns.is_fixed = {1, 1, 0, 0, 0, 0, 0, 0};
  columns.place = {1, 0, 0, 0, 0, 0, 0, 0};

  EXPECT_EQ(mapped(columns, equal_places(2)), (Mapping{1, 0, 1, 0, 1, 0, 1, 0}));
}

TEST_F(Metis, says_nothing) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  static_cast<void>(mapped(silent(std::vector<double>(3, 0.0)), equal_places(7)));
  static_cast<void>(mapped(random_graph(1, 300, 4, 12), domains_of_places(4, 3)));

  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace makespan::graph
