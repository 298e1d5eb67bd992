// SPDX-License-Identifier: Apache-2.0
// Goal: balancers that cut graphs make parts of the right size, keep together what talks, and are
// silent. Method: two cliques, chains.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>

#include "graph/balancer/two_cliques.hpp"
#include "makespan/base/error.hpp"
#include "makespan/graph/balancer/balancer_registry.hpp"

namespace makespan::graph {
namespace {

class Partitioners : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    try {
      balancer_ = make_balancer(GetParam(), {});
    } catch (NotConfigured const& reason) {
      GTEST_SKIP() << reason.what();
    }
  }

  [[nodiscard]] Mapping mapped(GraphColumns const& columns, Places const& places) const {
    return balancer_->map(Graph(columns), places);
  }

 private:
  std::unique_ptr<Balancer> balancer_;
};

INSTANTIATE_TEST_SUITE_P(Every, Partitioners,
                         testing::Values("metis", "recursive_bisection", "scotch"),
                         [](auto const& tested) { return tested.param; });

TEST_P(Partitioners, do_not_cut_what_holds_together) {
  Mapping const mapping = mapped(two_cliques(), equal_places(2));

  EXPECT_NE(mapping[0], mapping[1]);
  for (std::size_t object = 2; object < 8; ++object) {
    EXPECT_EQ(mapping[object], mapping[object - 2]);
  }
}

TEST_P(Partitioners, give_fast_places_more) {
  auto const slow = std::ranges::count(mapped(chain(400, 0), places_of_speeds({1, 3})), 0);

  EXPECT_NEAR(static_cast<double>(slow), 100, 8);
}

TEST_P(Partitioners, follow_objects_that_may_not_move) {
  GraphColumns columns = chain(400, 8);
  columns.is_fixed.resize(400);
  columns.is_fixed.front() = 1;
  columns.is_fixed.back() = 1;
  columns.place.front() = 1;

  Mapping const mapping = mapped(columns, equal_places(2));

  EXPECT_EQ(mapping.front(), 1);
  EXPECT_EQ(mapping.back(), 0);
  EXPECT_EQ(mapping[20], 1);
  EXPECT_EQ(mapping[380], 0);
}

TEST_P(Partitioners, say_nothing) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  static_cast<void>(mapped(silent(std::vector<double>(3, 0.0)), equal_places(7)));
  static_cast<void>(mapped(silent({1, 1}), equal_places(7)));
  static_cast<void>(mapped(silent({1000, 1, 1, 1, 1, 1, 1, 1, 1}), equal_places(8)));
  static_cast<void>(mapped(random_graph(1, 300, 4, 12), domains_of_places(4, 3)));

  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_P(Partitioners, lose_nothing_that_others_say) {
  testing::internal::CaptureStdout();
  std::printf("before\n");
  static_cast<void>(mapped(silent({1, 1}), equal_places(7)));
  std::printf("after\n");

  EXPECT_EQ(testing::internal::GetCapturedStdout(), "before\nafter\n");
}

TEST_P(Partitioners, take_the_least_work_that_there_is) {
  Mapping const mapping = mapped(silent({1e-320, 1e-320, 1e-320}), equal_places(2));

  for (std::int32_t const place : mapping) {
    EXPECT_GE(place, 0);
    EXPECT_LT(place, 2);
  }
}

}  // namespace
}  // namespace makespan::graph
