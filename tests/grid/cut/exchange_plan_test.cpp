// SPDX-License-Identifier: Apache-2.0
// Goal: what slabs send one another fills their halos' memory without gaps, and what others wait
// for is computed first, with no more beside it than layers need. Method: by hand, and on random
// cuts, halos and ends.
#include "makespan/grid/cut/exchange_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "makespan/base/random_draws.hpp"
#include "tiling.hpp"

namespace makespan::grid {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A cut, and the plan that follows from it.
struct World {
  std::vector<SlabPlace> slabs{};
  Halo halo{};
  ExchangePlan plan{};
};

World drawn_world(std::uint64_t seed) {
  RandomDraws draws(seed);
  Point const size{3 + draws.below(30), 3 + draws.below(10), 3 + draws.below(20)};
  ImageDevices images(1 + static_cast<std::size_t>(draws.below(6)));
  for (auto& devices : images) {
    for (int i = 0; i < 1 + draws.below(3); ++i) {
      devices.push_back({.speed = Speed{0.1 + draws.next()}});
    }
  }
  PeriodicBox const domain{.box = {{}, size},
                           .wraps = {draws.next() < 0.5, draws.next() < 0.5, draws.next() < 0.5}};
  World world;
  world.halo = {.width = 1 + draws.below(3),
                .shape = draws.next() < 0.5 ? HaloShape::faces : HaloShape::box};
  world.slabs = slabs_of(stacks_of(domain.box, images, static_cast<ImageCut>(draws.below(3))));
  world.plan = exchange_plan(world.slabs, domain, world.halo);
  return world;
}

Box box_of(World const& world, int slab) {
  return world.slabs[static_cast<std::size_t>(slab)].box;
}

// Boxes cut to `box`, so that what they cover of it can be counted; they share no point.
std::int64_t points_within(std::vector<Box> const& boxes, Box const& box) {
  std::int64_t points = 0;
  for (Box const& other : boxes) points += intersection(other, box).points();
  return points;
}

TEST(ExchangePlan, fills_each_receivers_room_without_gaps) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    World const world = drawn_world(seed);
    for (int slab = 0; slab < std::ssize(world.slabs); ++slab) {
      std::int64_t filled = 0;
      for (HaloMessage const& message : world.plan.received_by(slab)) {
        ASSERT_EQ(message.offset, filled) << "seed " << seed;
        filled += message.from.points();
      }
      ASSERT_EQ(filled, world.plan.points_of_slab[static_cast<std::size_t>(slab)]);
    }
  }
}

TEST(ExchangePlan, takes_points_of_the_sender_to_the_receivers_halo) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    World const world = drawn_world(seed);
    for (HaloMessage const& message : world.plan.messages) {
      Box const sender = box_of(world, message.from_slab);
      Box const receiver = box_of(world, message.to_slab);
      ASSERT_FALSE(message.from.is_empty());
      ASSERT_EQ(intersection(sender, message.from), message.from);
      ASSERT_TRUE(intersection(receiver, message.to()).is_empty());
      Box const around = grown(receiver, world.halo.width);
      ASSERT_EQ(intersection(around, message.to()), message.to());
    }
  }
}

TEST(ExchangePlan, names_each_message_once_at_both_ends) {
  World const world = drawn_world(7);
  std::vector<int> sent;
  std::vector<int> received;
  for (int slab = 0; slab < std::ssize(world.slabs); ++slab) {
    for (HaloMessage const& message : world.plan.sent_by(slab)) {
      EXPECT_EQ(message.from_slab, slab);
      sent.push_back(message.number);
    }
    for (HaloMessage const& message : world.plan.received_by(slab)) {
      EXPECT_EQ(message.to_slab, slab);
      received.push_back(message.number);
    }
  }
  std::ranges::sort(sent);

  ASSERT_EQ(std::ssize(world.plan.messages), std::ssize(sent));
  for (int number = 0; number < std::ssize(sent); ++number) {
    auto const at = static_cast<std::size_t>(number);
    EXPECT_EQ(world.plan.messages[at].number, number);
    EXPECT_EQ(sent[at], number);
    EXPECT_EQ(received[at], number);
  }
}

TEST(ExchangePlan, of_a_grid_that_wraps_onto_itself_is_to_itself) {
  PeriodicBox const domain{.box = {{}, {4, 4, 4}}, .wraps = {.z = true}};
  auto const plan =
      exchange_plan(std::vector<SlabPlace>{{.box = domain.box}}, domain, {.width = 2});

  ASSERT_EQ(plan.messages.size(), 2U);
  EXPECT_EQ(plan.messages[0].from, (Box{{0, 0, 2}, {4, 4, 4}}));
  EXPECT_EQ(plan.messages[0].to(), (Box{{0, 0, -2}, {4, 4, 0}}));
  EXPECT_EQ(plan.messages[1].offset, 32);
  EXPECT_THAT(plan.points_of_slab, ElementsAre(64));
}

TEST(Regions, are_the_slab_and_cover_what_is_sent) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    World const world = drawn_world(seed);
    for (int slab = 0; slab < std::ssize(world.slabs); ++slab) {
      auto const sent = world.plan.sent_by(slab);
      SlabRegions const regions = regions_of(box_of(world, slab), sent, world.halo.width);
      std::vector<Box> all = regions.boundary;
      all.push_back(regions.interior);

      ASSERT_TRUE(are_tiles_of(box_of(world, slab), all)) << "seed " << seed;
      for (HaloMessage const& message : sent) {
        ASSERT_EQ(points_within(regions.boundary, message.from), message.from.points());
      }
      for (Box const& layer : regions.boundary) {
        bool const is_asked_for = std::ranges::any_of(sent, [&](HaloMessage const& message) {
          return !intersection(message.from, layer).is_empty();
        });
        ASSERT_TRUE(is_asked_for) << "seed " << seed;
      }
    }
  }
}

TEST(Blocks, are_the_messages_in_parts) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    World const world = drawn_world(seed);
    int const blocks = 1 + static_cast<int>(seed % 5);
    ExchangePlan const parts = in_blocks(world.plan, blocks);

    EXPECT_EQ(parts.points_of_slab, world.plan.points_of_slab);
    std::size_t at = 0;
    for (HaloMessage const& whole : world.plan.messages) {
      std::vector<Box> boxes;
      std::int64_t offset = whole.offset;
      while (at < parts.messages.size() && offset < whole.offset + whole.from.points()) {
        HaloMessage const& part = parts.messages[at];
        ASSERT_EQ(part.number, static_cast<int>(at));
        ASSERT_EQ(part.from_slab, whole.from_slab);
        ASSERT_EQ(part.to_slab, whole.to_slab);
        ASSERT_EQ(part.shift, whole.shift);
        ASSERT_EQ(part.offset, offset);
        ASSERT_EQ(part.from.extent().x, whole.from.extent().x);  // rows stay whole
        offset += part.from.points();
        boxes.push_back(part.from);
        ++at;
      }
      ASSERT_LE(std::ssize(boxes), blocks);
      ASSERT_TRUE(are_tiles_of(whole.from, boxes)) << "seed " << seed;
    }
    ASSERT_EQ(at, parts.messages.size());
  }
}

TEST(Stages, send_each_message_as_soon_as_it_is_there) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    World const world = drawn_world(seed);
    int const blocks = 1 + static_cast<int>(seed % 5);
    ExchangePlan const plan = in_blocks(world.plan, blocks);
    for (int slab = 0; slab < std::ssize(world.slabs); ++slab) {
      auto const sent = plan.sent_by(slab);
      SlabRegions const regions = regions_of(box_of(world, slab), sent, world.halo.width);
      std::vector<bool> is_far(world.slabs.size());
      for (std::size_t other = 0; other < is_far.size(); ++other) {
        is_far[other] = world.slabs[other].owner.image !=
                        world.slabs[static_cast<std::size_t>(slab)].owner.image;
      }
      auto const stages = stages_of(regions, sent, blocks, BlockOrder::far_first, is_far);
      std::vector<Box> done{regions.interior};
      std::int64_t messages = 0;
      for (Stage const& stage : stages) {
        std::vector<Box> const before = done;
        done.insert(done.end(), stage.boxes.begin(), stage.boxes.end());
        for (HaloMessage const& message : stage.messages) {
          ASSERT_EQ(points_within(done, message.from), message.from.points());
          ASSERT_LT(points_within(before, message.from), message.from.points()) << "seed " << seed;
          ++messages;
        }
      }
      ASSERT_TRUE(are_tiles_of(box_of(world, slab), done)) << "seed " << seed;
      ASSERT_EQ(messages, std::ssize(sent));
    }
  }
}

// Three slabs, of which the middle one's lower neighbour is of another image.
TEST(Stages, are_in_the_order_that_is_asked_for) {
  std::vector<SlabPlace> const slabs{{.owner = {1, 0}, .box = {{}, {9, 8, 4}}},
                                     {.owner = {0, 0}, .box = {{0, 0, 4}, {9, 8, 10}}},
                                     {.owner = {0, 1}, .box = {{0, 0, 10}, {9, 8, 14}}}};
  auto const plan = in_blocks(exchange_plan(slabs, {.box = {{}, {9, 8, 14}}}, {.width = 1}), 2);
  auto const sent = plan.sent_by(1);
  SlabRegions const regions = regions_of(slabs[1].box, sent, 1);
  auto const boxes = [&](BlockOrder order) {
    std::vector<Box> found;
    for (Stage const& stage : stages_of(regions, sent, 2, order, {true, false, false})) {
      EXPECT_EQ(stage.messages.size(), 1U);
      found.push_back(stage.boxes.front());
    }
    return found;
  };
  Box const low_a{{0, 0, 4}, {9, 4, 5}};
  Box const low_b{{0, 4, 4}, {9, 8, 5}};
  Box const high_a{{0, 0, 9}, {9, 4, 10}};
  Box const high_b{{0, 4, 9}, {9, 8, 10}};
  EXPECT_THAT(boxes(BlockOrder::far_first), ElementsAre(low_a, low_b, high_a, high_b));
  EXPECT_THAT(boxes(BlockOrder::near_first), ElementsAre(high_a, high_b, low_a, low_b));
}

// Slabs of 4, 6 and 2 planes.
SlabRegions region_in_stack(int slab, std::int64_t width) {
  std::vector<SlabPlace> const slabs{{.owner = {0, 0}, .box = {{}, {9, 5, 4}}},
                                     {.owner = {0, 1}, .box = {{0, 0, 4}, {9, 5, 10}}},
                                     {.owner = {1, 0}, .box = {{0, 0, 10}, {9, 5, 12}}}};
  auto const plan = exchange_plan(slabs, {.box = {{}, {9, 5, 12}}}, {.width = width});
  return regions_of(slabs[static_cast<std::size_t>(slab)].box, plan.sent_by(slab), width);
}

TEST(Regions, of_a_stack_are_as_thick_as_the_halo) {
  EXPECT_THAT(region_in_stack(0, 1).boundary, ElementsAre(Box{{0, 0, 3}, {9, 5, 4}}));
  EXPECT_EQ(region_in_stack(0, 1).interior, (Box{{}, {9, 5, 3}}));
  EXPECT_THAT(region_in_stack(1, 2).boundary,
              ElementsAre(Box{{0, 0, 4}, {9, 5, 6}}, Box{{0, 0, 8}, {9, 5, 10}}));
  EXPECT_EQ(region_in_stack(1, 2).interior, (Box{{0, 0, 6}, {9, 5, 8}}));
}

TEST(Regions, of_thin_slabs_are_all_boundary) {
  EXPECT_THAT(region_in_stack(2, 2).boundary, ElementsAre(Box{{0, 0, 10}, {9, 5, 12}}));
  EXPECT_TRUE(region_in_stack(2, 2).interior.is_empty());
  // Of the middle slab the third plane from below goes both ways.
  EXPECT_EQ(points_within(region_in_stack(1, 3).boundary, {{0, 0, 4}, {9, 5, 10}}), 9 * 5 * 6);
  EXPECT_THAT(region_in_stack(2, 3).boundary, ElementsAre(Box{{0, 0, 10}, {9, 5, 12}}));
}

TEST(Regions, of_a_slab_without_neighbours_are_all_interior) {
  Box const slab{{}, {9, 5, 4}};

  EXPECT_THAT(regions_of(slab, {}, 2).boundary, IsEmpty());
  EXPECT_EQ(regions_of(slab, {}, 2).interior, slab);
}

TEST(Regions, along_x_end_at_whole_lines) {
  Box const slab{{5, 0, 0}, {26, 9, 9}};  // 21 points wide
  std::vector<HaloMessage> const low{{.from = {{5, 0, 0}, {6, 9, 9}}}};
  std::vector<HaloMessage> const high{{.from = {{24, 0, 0}, {26, 9, 9}}}};

  EXPECT_THAT(regions_of(slab, low, 1).boundary, ElementsAre(Box{{5, 0, 0}, {13, 9, 9}}));
  EXPECT_THAT(regions_of(slab, high, 2).boundary, ElementsAre(Box{{21, 0, 0}, {26, 9, 9}}));
  EXPECT_EQ(regions_of(slab, high, 2).interior, (Box{{5, 0, 0}, {21, 9, 9}}));
  // Wide enough to reach into the line before the last.
  std::vector<HaloMessage> const wide{{.from = {{19, 0, 0}, {26, 9, 9}}}};
  EXPECT_THAT(regions_of(slab, wide, 7).boundary, ElementsAre(Box{{13, 0, 0}, {26, 9, 9}}));
}

TEST(PartsForThreads, are_the_box_in_groups_of_four_planes) {
  for (std::int64_t planes = 1; planes < 40; ++planes) {
    for (int count = 1; count < 6; ++count) {
      Box const box{{1, 2, 3}, {4, 9, 3 + planes}};
      auto const parts = parts_for_threads(box, count);
      ASSERT_EQ(std::ssize(parts), count);
      ASSERT_TRUE(are_tiles_of(box, parts)) << planes << " planes, " << count << " threads";
      if (planes < 4 * count) continue;
      for (Box const& part : parts) {
        ASSERT_FALSE(part.is_empty());
        ASSERT_TRUE(part.extent().z % 4 == 0 || part.end.z == box.end.z);
      }
    }
  }
}

TEST(PartsForThreads, are_along_y_where_planes_are_few) {
  EXPECT_THAT(parts_for_threads({{}, {5, 6, 7}}, 2),
              ElementsAre(Box{{}, {5, 3, 7}}, Box{{0, 3, 0}, {5, 6, 7}}));
  EXPECT_THAT(parts_for_threads({{}, {5, 6, 8}}, 2),
              ElementsAre(Box{{}, {5, 6, 4}}, Box{{0, 0, 4}, {5, 6, 8}}));
}

}  // namespace
}  // namespace makespan::grid
