// SPDX-License-Identifier: Apache-2.0
// Goal: the slabs of all devices are the grid, each as thick as its device's speed and the host's
// share say. Method: by hand, and for random speeds.
#include "makespan/grid/cut/layout.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/random_draws.hpp"
#include "tiling.hpp"

namespace makespan::grid {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<SlabDevice> slab_devices_of(std::vector<double> const& speeds) {
  std::vector<SlabDevice> devices;
  for (double const speed : speeds) devices.push_back({.speed = Speed{speed}});
  return devices;
}

ImageDevices images_of(std::vector<std::vector<double>> const& speeds) {
  ImageDevices images;
  for (auto const& of_image : speeds) images.push_back(slab_devices_of(of_image));
  return images;
}

std::vector<Box> boxes_of(std::vector<SlabPlace> const& slabs) {
  std::vector<Box> boxes;
  for (SlabPlace const& slab : slabs) boxes.push_back(slab.box);
  return boxes;
}

constexpr Box domain{{2, 3, 4}, {10, 13, 16}};  // 8 x 10 x 12

TEST(Layout, resolves_automatic_by_the_number_of_images) {
  EXPECT_EQ(resolved(ImageCut::automatic, 5), ImageCut::stack);
  EXPECT_EQ(resolved(ImageCut::automatic, 6), ImageCut::boxes);
  EXPECT_EQ(resolved(ImageCut::stack, 6), ImageCut::stack);
  EXPECT_EQ(resolved(ImageCut::boxes, 1), ImageCut::boxes);
}

TEST(Layout, gives_no_image_more_than_its_memories_hold) {
  ImageDevices images = images_of({{1, 1}, {1, 1}});
  images[0][1].planes_max = 3;
  auto const planes_of_first = [&](HostLayers const& layers) {
    return stacks_of(domain, images, ImageCut::stack, layers)[0].box.extent().z;
  };

  EXPECT_EQ(planes_of_first({.share = HostShare::none}), 3);
  // Two layers besides.
  EXPECT_EQ(planes_of_first({.share = HostShare::front_back, .thickness = 1}), 5);
  // Beside layers along x a plane is half as large.
  EXPECT_EQ(planes_of_first({.share = HostShare::front_back, .thickness_x = 2}), 6);
  EXPECT_EQ(planes_of_first({.share = HostShare::front_back, .thickness = 1, .is_free = true}), 6);
}

TEST(Layout, refuses_grids_that_memories_do_not_hold_together) {
  ImageDevices images = images_of({{1, 1}, {1, 1}});
  images[0][1].planes_max = 3;
  images[1][1].planes_max = 8;
  EXPECT_THAT(
      [&] { return stacks_of(domain, images, ImageCut::stack, {.share = HostShare::none}); },
      ThrowsMessage<InputError>(HasSubstr("the memories of all devices hold 11")));
}

TEST(Layout, stacks_the_devices_of_all_images) {
  auto const stacks = stacks_of(domain, images_of({{1, 1}, {2}}), ImageCut::stack);

  ASSERT_EQ(stacks.size(), 1U);
  EXPECT_EQ(stacks[0].box, domain);
  EXPECT_THAT(stacks[0].devices, ElementsAre(DeviceName{0, 0}, DeviceName{0, 1}, DeviceName{1, 0}));
  EXPECT_THAT(stacks[0].planes, ElementsAre(3, 3, 6));
  EXPECT_THAT(slabs_of(stacks), ElementsAre(SlabPlace{{0, 0}, {{2, 3, 4}, {10, 13, 7}}},
                                            SlabPlace{{0, 1}, {{2, 3, 7}, {10, 13, 10}}},
                                            SlabPlace{{1, 0}, {{2, 3, 10}, {10, 13, 16}}}));
}

TEST(Layout, gives_each_image_a_box_by_the_speeds_of_its_devices) {
  auto const stacks = stacks_of(domain, images_of({{1, 1}, {2, 2}}), ImageCut::boxes);

  // The longest axis is z: 4 and 8 planes.
  ASSERT_EQ(stacks.size(), 2U);
  EXPECT_EQ(stacks[0].box, (Box{{2, 3, 4}, {10, 13, 8}}));
  EXPECT_EQ(stacks[1].box, (Box{{2, 3, 8}, {10, 13, 16}}));
  EXPECT_THAT(stacks[1].devices, ElementsAre(DeviceName{1, 0}, DeviceName{1, 1}));
  EXPECT_THAT(stacks[1].planes, ElementsAre(4, 4));
}

TEST(Layout, leaves_out_devices_and_images_without_planes) {
  auto const thin = stacks_of({{}, {4, 4, 2}}, images_of({{1, 9}, {9, 1}}), ImageCut::stack);
  EXPECT_THAT(thin[0].planes, ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(slabs_of(thin), ElementsAre(SlabPlace{{0, 1}, {{}, {4, 4, 1}}},
                                          SlabPlace{{1, 0}, {{0, 0, 1}, {4, 4, 2}}}));

  auto const one_point = stacks_of({{}, {1, 1, 1}}, images_of({{1}, {9}}), ImageCut::boxes);
  ASSERT_EQ(one_point.size(), 1U);
  EXPECT_EQ(one_point[0].devices[0], (DeviceName{1, 0}));
}

TEST(Layout, leaves_a_host_without_share_out_of_the_speeds) {
  HostLayers const none{.share = HostShare::none};
  auto const alone = stacks_of(domain, images_of({{99, 1, 2}}), ImageCut::stack, none);
  ASSERT_EQ(alone.size(), 1U);
  EXPECT_THAT(alone[0].planes, ElementsAre(0, 4, 8, 0));
  EXPECT_THAT(alone[0].devices,
              ElementsAre(DeviceName{0, 0}, DeviceName{0, 1}, DeviceName{0, 2}, DeviceName{0, 0}));

  auto const two = stacks_of(domain, images_of({{99, 1}, {1, 2}}), ImageCut::stack, none);
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[0].box.extent().z, 4);
  EXPECT_EQ(two[1].box.extent().z, 8);
}

TEST(Layout, puts_the_host_at_both_ends_of_each_other_device) {
  auto const stacks = stacks_of(domain, images_of({{1, 1, 1}}), ImageCut::stack,
                                {.share = HostShare::all, .thickness = 2});

  EXPECT_THAT(stacks[0].planes, ElementsAre(2, 2, 2, 2, 2, 2));
  EXPECT_THAT(stacks[0].devices, ElementsAre(DeviceName{0, 0}, DeviceName{0, 1}, DeviceName{0, 0},
                                             DeviceName{0, 0}, DeviceName{0, 2}, DeviceName{0, 0}));
  EXPECT_EQ(slabs_of(stacks).size(), 6U);
}

TEST(Layout, puts_the_host_at_both_ends_of_the_image) {
  auto const stacks = stacks_of(domain, images_of({{1, 1, 3}}), ImageCut::boxes,
                                {.share = HostShare::front_back, .thickness = 2});

  EXPECT_THAT(stacks[0].planes, ElementsAre(2, 2, 6, 2));
  EXPECT_EQ(stacks[0].devices.front(), (DeviceName{0, 0}));
  EXPECT_EQ(stacks[0].devices.back(), (DeviceName{0, 0}));
}

TEST(Layout, is_the_grid_for_any_speeds) {
  RandomDraws draws(5);
  for (int world = 0; world < 300; ++world) {
    Box const grid{{1, 2, 3}, {2 + draws.below(9), 3 + draws.below(9), 4 + draws.below(20)}};
    std::vector<std::vector<double>> speeds(1 + static_cast<std::size_t>(world) % 7);
    for (auto& of_image : speeds) {
      for (int i = 0; i < 2 + draws.below(3); ++i) of_image.push_back(0.1 + draws.next());
    }
    HostLayers const layers{.share = static_cast<HostShare>(draws.below(4)),
                            .thickness = draws.below(4),
                            .thickness_y = draws.below(4),
                            .thickness_x = draws.below(4),
                            .is_free = draws.next() < 0.3};
    std::vector<double> weights;
    if (draws.next() < 0.5) {
      for (std::int64_t z = grid.begin.z; z < grid.end.z; ++z)
        weights.push_back(0.1 + draws.next());
    }
    auto const stacks = stacks_of(grid, images_of(speeds), static_cast<ImageCut>(draws.below(3)),
                                  layers, PlaneWeights(weights, grid.begin.z));
    auto const slabs = slabs_of(stacks);

    ASSERT_TRUE(are_tiles_of(grid, boxes_of(slabs))) << world;
    for (SlabPlace const& slab : slabs) {
      auto const image = static_cast<std::size_t>(slab.owner.image);
      ASSERT_LT(image, speeds.size());
      ASSERT_LT(static_cast<std::size_t>(slab.owner.device), speeds[image].size());
      ASSERT_TRUE(layers.share != HostShare::none || slab.owner.device != 0);
    }
  }
}

TEST(Layout, counts_planes_by_their_weights) {
  // The upper half costs three times as much: two thirds of the planes for half of the work.
  std::vector<double> const weights{1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3};
  PlaneWeights const dear(weights, domain.begin.z);
  auto const stacks = stacks_of(domain, images_of({{1}, {1}}), ImageCut::stack, {}, dear);
  EXPECT_THAT(stacks[0].planes, ElementsAre(8, 4));

  Box const tall{{}, {2, 2, 12}};
  auto const boxes =
      stacks_of(tall, images_of({{1}, {1}}), ImageCut::boxes, {}, PlaneWeights(weights));
  EXPECT_EQ(boxes[0].box.extent().z, 8);
  EXPECT_EQ(boxes[1].box.extent().z, 4);
}

TEST(Layout, lays_the_host_beside_the_other_devices_across_y_and_x) {
  auto const stacks = stacks_of(
      domain, images_of({{1, 1, 1}}), ImageCut::stack,
      {.share = HostShare::front_back, .thickness = 1, .thickness_y = 2, .thickness_x = 3});
  auto const slabs = slabs_of(stacks);

  auto const box_of = [&](DeviceName const& owner) {
    std::vector<Box> boxes;
    for (SlabPlace const& slab : slabs) {
      if (slab.owner == owner) boxes.push_back(slab.box);
    }
    return boxes;
  };
  EXPECT_THAT(box_of({0, 1}), ElementsAre(Box{{5, 5, 5}, {7, 11, 10}}));
  EXPECT_THAT(box_of({0, 2}), ElementsAre(Box{{5, 5, 10}, {7, 11, 15}}));
  // Whole planes at both ends, rows beside all other devices at once, and what is left of rows.
  EXPECT_THAT(box_of({0, 0}), testing::UnorderedElementsAre(
                                  Box{{2, 3, 4}, {10, 13, 5}}, Box{{2, 3, 15}, {10, 13, 16}},
                                  Box{{2, 3, 5}, {10, 5, 15}}, Box{{2, 11, 5}, {10, 13, 15}},
                                  Box{{2, 5, 5}, {5, 11, 15}}, Box{{7, 5, 5}, {10, 11, 15}}));
}

TEST(Layout, counts_points_that_move) {
  DeviceStack const a{.box = domain, .devices = {{0, 0}, {0, 1}}, .planes = {4, 8}};
  DeviceStack b = a;
  b.planes = {6, 6};
  auto const moved_between = [](DeviceStack const& from, DeviceStack const& to) {
    return points_moved(std::span(&from, 1), std::span(&to, 1));
  };
  EXPECT_EQ(moved_between(a, b), 2 * 8 * 10);
  b.planes = a.planes;
  b.host_y = 1;
  EXPECT_EQ(moved_between(a, b), 2 * 8 * 8);
  EXPECT_EQ(moved_between(b, b), 0);
}

TEST(Layout, refuses_what_cannot_be) {
  auto const layout_of = [](ImageDevices const& images, HostShare share,
                            ImageCut cut = ImageCut::stack) {
    return [=] { static_cast<void>(stacks_of(domain, images, cut, {.share = share})); };
  };
  auto const no_other = ThrowsMessage<InputError>(HasSubstr("no other device"));
  EXPECT_THAT(layout_of(images_of({{1}}), HostShare::front_back), no_other);
  EXPECT_THAT(layout_of(images_of({{1, 1}, {1}}), HostShare::none), no_other);
  EXPECT_THAT(layout_of(images_of({{1, 1}, {1}}), HostShare::all, ImageCut::boxes), no_other);
  auto small = images_of({{1}});
  small[0][0].planes_max = 11;
  EXPECT_THAT(layout_of(small, HostShare::device), ThrowsMessage<InputError>(HasSubstr("hold 11")));
  EXPECT_THROW(layout_of({}, HostShare::device)(), ContractViolated);
  EXPECT_THROW(static_cast<void>(slabs_of(
                   std::vector<DeviceStack>{{.box = domain, .devices = {{0, 0}}, .planes = {11}}})),
               ContractViolated);
}

}  // namespace
}  // namespace makespan::grid
