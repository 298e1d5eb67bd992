// SPDX-License-Identifier: Apache-2.0
// Goal: each point around a box is received once, from the box that holds it. Method: point by
// point, for random cuts, widths and ends.
#include "makespan/grid/cut/halo_parts.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <string>
#include <tuple>

#include "makespan/base/contracts.hpp"
#include "makespan/base/random_draws.hpp"
#include "makespan/grid/cut/detail/box_cut.hpp"

namespace makespan::grid {
namespace {

// A coordinate within the domain, or -1 where there is nothing.
std::int64_t wrapped(std::int64_t at, std::int64_t extent, bool wraps) {
  if (at >= 0 && at < extent) return at;
  return wraps ? (at % extent + extent) % extent : -1;
}

int coordinates_outside(Box const& box, Point at) {
  return (at.x < box.begin.x || at.x >= box.end.x ? 1 : 0) +
         (at.y < box.begin.y || at.y >= box.end.y ? 1 : 0) +
         (at.z < box.begin.z || at.z >= box.end.z ? 1 : 0);
}

template <class Function>
void for_each_point(Box const& box, Function&& function) {
  for (std::int64_t z = box.begin.z; z < box.end.z; ++z) {
    for (std::int64_t y = box.begin.y; y < box.end.y; ++y) {
      for (std::int64_t x = box.begin.x; x < box.end.x; ++x) function(Point{x, y, z});
    }
  }
}

using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

// From whom, and which of their points, each point around the box comes.
std::map<Key, std::pair<int, Key>> points_of(std::vector<HaloPart> const& parts) {
  std::map<Key, std::pair<int, Key>> points;
  for (HaloPart const& part : parts) {
    for_each_point(part.from, [&](Point from) {
      Point const to = from + part.shift;
      bool const is_new =
          points.insert({{to.x, to.y, to.z}, {part.owner, {from.x, from.y, from.z}}}).second;
      EXPECT_TRUE(is_new) << "twice";
    });
  }
  return points;
}

TEST(HaloParts, have_each_point_around_a_box_once) {
  RandomDraws draws(3);
  for (int world = 0; world < 200; ++world) {
    Box const domain{{}, {1 + draws.below(7), 1 + draws.below(7), 1 + draws.below(7)}};
    std::vector<double> weights;
    for (int at = 0; at < 1 + world % 6; ++at) weights.push_back(0.1 + draws.next());
    auto const boxes = boxes_by_weight(domain, weights);
    Wraps const wraps{draws.next() < 0.5, draws.next() < 0.5, draws.next() < 0.5};
    Point const size = domain.extent();
    std::int64_t const width =
        1 + draws.below(static_cast<int>(std::min({size.x, size.y, size.z})));
    auto const shape = draws.next() < 0.5 ? HaloShape::faces : HaloShape::box;
    SCOPED_TRACE("world " + std::to_string(world));

    for (int receiver = 0; receiver < std::ssize(boxes); ++receiver) {
      Box const& mine = boxes[static_cast<std::size_t>(receiver)];
      auto points = points_of(halo_parts(boxes, receiver, {.box = domain, .wraps = wraps},
                                         {.width = width, .shape = shape}));
      if (mine.is_empty()) {
        EXPECT_TRUE(points.empty());
        continue;
      }
      for_each_point(grown(mine, width), [&](Point at) {
        int const outside = coordinates_outside(mine, at);
        bool const is_asked_for = outside == 1 || (outside > 1 && shape == HaloShape::box);
        Point const home{wrapped(at.x, size.x, wraps.x), wrapped(at.y, size.y, wraps.y),
                         wrapped(at.z, size.z, wraps.z)};
        auto const found = points.find({at.x, at.y, at.z});
        if (!is_asked_for || !domain.holds(home)) {
          EXPECT_EQ(found, points.end());
          return;
        }
        ASSERT_NE(found, points.end());
        auto const& [owner, from] = found->second;
        EXPECT_EQ(from, Key(home.x, home.y, home.z));
        EXPECT_TRUE(boxes[static_cast<std::size_t>(owner)].holds(home));
        points.erase(found);
      });
      EXPECT_TRUE(points.empty()) << "points that were not asked for";
    }
  }
}

TEST(HaloParts, of_one_box_come_from_its_other_end) {
  Box const domain{{}, {4, 4, 4}};
  auto const parts =
      halo_parts(std::vector<Box>{domain}, 0, {.box = domain, .wraps = {.z = true}}, {.width = 1});

  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0], (HaloPart{.owner = 0, .from = {{0, 0, 3}, {4, 4, 4}}, .shift = {0, 0, -4}}));
  EXPECT_EQ(parts[1], (HaloPart{.owner = 0, .from = {{0, 0, 0}, {4, 4, 1}}, .shift = {0, 0, 4}}));
}

TEST(HaloParts, of_a_thin_slab_come_from_several) {
  Box const domain{{}, {2, 2, 6}};
  std::vector<Box> const slabs{
      {{0, 0, 0}, {2, 2, 1}}, {{0, 0, 1}, {2, 2, 2}}, {{0, 0, 2}, {2, 2, 6}}};

  auto const parts = halo_parts(slabs, 0, {.box = domain}, {.width = 3});

  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].from, slabs[1]);
  EXPECT_EQ(parts[1].from, (Box{{0, 0, 2}, {2, 2, 4}}));
}

TEST(HaloParts, refuse_to_wrap_twice) {
  Box const domain{{}, {2, 2, 2}};
  EXPECT_THROW(static_cast<void>(halo_parts(std::vector<Box>{domain}, 0,
                                            {.box = domain, .wraps = {.x = true}}, {.width = 3})),
               ContractViolated);
}

}  // namespace
}  // namespace makespan::grid
