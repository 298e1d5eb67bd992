// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/rebalance/place_layout.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace makespan::graph {
namespace {

TEST(PlaceLayout, that_is_assumed_has_a_domain_for_each_image) {
  PlaceLayout const layout =
      assumed_layout(2, std::vector<int>{0, 0, 1},
                     {.image_message_s = 1.0, .node_message_s = 2.0, .network_message_s = 3.0});

  EXPECT_EQ(layout.domain, (std::vector{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(layout.domains, (std::vector<Domain>{{.node = 0}, {.node = 0}, {.node = 1}}));
  EXPECT_EQ(layout.costs.latency_s, (std::vector{1.0, 2.0, 3.0, 2.0, 1.0, 3.0, 3.0, 3.0, 1.0}));
}

TEST(PlaceLayout, of_places_says_what_they_say) {
  PlaceLayout const layout{
      .domain = {0, 1, 1},
      .domains = {{.node = 0, .groups = {0, 1}}, {.node = 0, .groups = {0, 2}}},
      .costs = {.latency_s = {1.0, 2.0, 3.0, 4.0},
                .bandwidth_bytes_s = {8.0, 4.0, 2.0, 1.0},
                .receive_s = {0.25, 0.5, 0.5, 0.25}}};
  std::vector<Place> places;
  for (int const domain : layout.domain) places.push_back({.domain = domain});

  EXPECT_EQ(layout_of(Places(places, layout.domains, layout.costs)), layout);
}

}  // namespace
}  // namespace makespan::graph
