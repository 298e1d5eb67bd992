// SPDX-License-Identifier: Apache-2.0
// Goal: a host's layers leave others enough, and free ones are as thick as the host has time for.
// Method: by hand, and by trying all thicknesses.
#include "makespan/grid/cut/host_layers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "makespan/base/error.hpp"
#include "makespan/base/random_draws.hpp"

namespace makespan::grid {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr Box some_part{{2, 3, 4}, {10, 13, 16}};  // 8 x 10 x 12

std::vector<SlabDevice> host_and_devices(std::vector<double> const& speeds) {
  std::vector<SlabDevice> devices;
  for (double const speed : speeds) devices.push_back({.speed = Speed{speed}});
  return devices;
}

TEST(HostLayers, leaves_each_other_device_a_plane_beside_thick_layers) {
  auto const planes_of = [](HostShare share, std::int64_t planes) {
    return stack_beside_host({{}, {4, 4, planes}}, 0, host_and_devices({1, 1, 1}),
                             {.share = share, .thickness = 100})
        .planes;
  };

  EXPECT_THAT(planes_of(HostShare::front_back, 12), ElementsAre(5, 1, 1, 5));
  EXPECT_THAT(planes_of(HostShare::front_back, 13), ElementsAre(5, 2, 1, 5));
  EXPECT_THAT(planes_of(HostShare::all, 12), ElementsAre(2, 2, 2, 2, 2, 2));
  EXPECT_THAT(planes_of(HostShare::front_back, 2), ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(planes_of(HostShare::all, 1), ElementsAre(0, 1, 0, 0, 0, 0));
}

TEST(HostLayers, counts_the_layers_of_a_host) {
  EXPECT_EQ(host_layers(HostShare::device, 3), 0);
  EXPECT_EQ(host_layers(HostShare::none, 3), 0);
  EXPECT_EQ(host_layers(HostShare::all, 3), 4);
  EXPECT_EQ(host_layers(HostShare::front_back, 3), 2);
}

TEST(HostLayers, adds_up_the_layers_of_a_host_in_its_step) {
  auto const devices = host_and_devices({2, 1, 1});
  auto const stack =
      stack_beside_host(some_part, 0, devices, {.share = HostShare::all, .thickness = 2});

  // Four layers of 2 planes at 2 a second, beside 2 planes at 1.
  EXPECT_DOUBLE_EQ(longest_step(stack, devices).value(), 4.0);
}

TEST(HostLayers, leave_a_point_between_two_of_them) {
  DeviceStack const stack =
      stack_beside_host({{}, {6, 7, 8}}, 0, host_and_devices({1, 1}),
                        {.share = HostShare::front_back, .thickness_y = 100, .thickness_x = 100});

  EXPECT_EQ(stack.host_y, 3);
  EXPECT_EQ(stack.host_x, 2);
  auto const slabs = slabs_of(std::span(&stack, 1));
  auto const other = std::ranges::find(slabs, DeviceName{0, 1}, &SlabPlace::owner);
  ASSERT_NE(other, slabs.end());
  EXPECT_EQ(other->box.extent(), (Point{2, 1, 8}));
}

TEST(HostLayers, leave_room_for_more_of_the_others_planes) {
  std::vector<SlabDevice> devices = host_and_devices({1, 1});
  devices[1].planes_max = 1;  // of 42 points; beside the layers planes have 2
  DeviceStack const stack =
      stack_beside_host({{}, {6, 7, 8}}, 0, devices,
                        {.share = HostShare::front_back, .thickness_y = 100, .thickness_x = 100});
  EXPECT_EQ(planes_worth(stack, 2)[1], 8 * 2.0 / 42);
}

TEST(HostLayers, are_none_of_a_host_that_computes_nothing) {
  DeviceStack const stack = stack_beside_host(some_part, 0, host_and_devices({1, 1}),
                                              {.share = HostShare::none, .thickness_y = 2});

  EXPECT_EQ(slabs_of(std::span(&stack, 1)).size(), 1U);
}

TEST(HostLayers, are_counted_in_planes) {
  DeviceStack const stack = stack_beside_host(
      some_part, 0, host_and_devices({1, 1, 1}),
      {.share = HostShare::front_back, .thickness = 1, .thickness_y = 1, .thickness_x = 1});
  // Of 10 planes of the others 6 x 8 points of 80 are theirs.
  EXPECT_THAT(planes_worth(stack, 3), ElementsAre(testing::DoubleEq(2 + 10 * 0.4),
                                                  testing::DoubleEq(3), testing::DoubleEq(3)));
}

// When the host and the last of the others end.
double longest_with(Box const& part, std::vector<SlabDevice> const& devices,
                    HostLayers const& layers, PlaneWeights const& weights) {
  return longest_step(stack_beside_host(part, 0, devices, layers, weights), devices, weights)
      .value();
}

HostLayers all_of(HostLayers layers, std::int64_t thickness) {
  for (auto* const each : {&layers.thickness, &layers.thickness_y, &layers.thickness_x}) {
    if (*each > 0) *each = thickness;
  }
  return layers;
}

TEST(HostLayers, are_free_up_to_where_the_host_is_the_last) {
  // A fifth of 100 planes in two layers.
  HostLayers const ends{.share = HostShare::front_back, .thickness = 1, .is_free = true};
  EXPECT_EQ(free_layers({{}, {4, 4, 100}}, 0, host_and_devices({1, 4}), ends).thickness, 10);
  // Its messages take as long as 10 planes of its own; or longer than all of a step.
  std::vector<SlabDevice> late = host_and_devices({1, 4});
  late.front().start = Seconds{10.0};
  EXPECT_EQ(free_layers({{}, {4, 4, 100}}, 0, late, ends).thickness, 6);
  EXPECT_EQ(free_layers({{}, {4, 4, 10}}, 0, late, ends).thickness, 0);
  // The other device keeps a plane.
  EXPECT_EQ(free_layers({{}, {4, 4, 9}}, 0, host_and_devices({1000, 1}), ends).thickness, 4);
  // The same along y.
  HostLayers const sides{.share = HostShare::front_back, .thickness_y = 1, .is_free = true};
  HostLayers const found = free_layers({{}, {4, 100, 4}}, 0, host_and_devices({1, 4}), sides);
  EXPECT_EQ(found.thickness_y, 10);
  EXPECT_EQ(found.thickness, 0);
  EXPECT_EQ(found.thickness_x, 0);
  // A host without memory has none.
  std::vector<SlabDevice> small = host_and_devices({1, 4});
  small.front().planes_max = 0;
  EXPECT_EQ(free_layers({{}, {4, 4, 100}}, 0, small, ends).thickness, 0);
}

// Memory holds points, whatever these take to compute.
TEST(HostLayers, that_are_free_are_as_many_as_memory_holds_of_heavy_and_light_planes) {
  HostLayers const ends{.share = HostShare::front_back, .thickness = 1, .is_free = true};
  std::vector<SlabDevice> devices = host_and_devices({100, 1});
  devices.front().planes_max = 20;
  // Those at the ends are the light ones, or the heavy ones.
  for (double const end : {0.5, 3.0}) {
    std::vector<double> weights(100, end == 3.0 ? 0.5 : 1.25);
    for (std::size_t z = 0; z < 20; ++z) weights[z] = weights[99 - z] = end;
    PlaneWeights const uneven(weights);
    EXPECT_EQ(free_layers({{}, {4, 4, 100}}, 0, devices, ends, uneven).thickness, 10) << end;
  }
}

TEST(HostLayers, that_are_free_end_no_later_than_any_others) {
  RandomDraws draws(3);
  for (int world = 0; world < 200; ++world) {
    Box const part{{}, {4 + draws.below(20), 4 + draws.below(20), 6 + draws.below(30)}};
    std::vector<SlabDevice> devices;
    for (int at = 0; at < 2 + world % 3; ++at) {
      devices.push_back({.speed = Speed{0.2 + 5 * draws.next()}});
    }
    HostLayers layers{.share = world % 2 == 0 ? HostShare::front_back : HostShare::all,
                      .thickness = draws.below(2),
                      .thickness_y = draws.below(2),
                      .thickness_x = draws.below(2),
                      .is_free = true};
    std::vector<double> weights;
    if (world % 5 == 0) {
      for (std::int64_t z = 0; z < part.end.z; ++z) weights.push_back(0.5 + draws.next());
    }
    PlaneWeights const dear(weights);
    HostLayers const found = free_layers(part, 0, devices, layers, dear);
    // Planes are whole: the host may be the last by what its layers gain at one step of thickness.
    double const mine = longest_with(part, devices, found, dear);
    double best = mine;
    for (std::int64_t thickness = 0; thickness < 20; ++thickness) {
      best = std::min(best, longest_with(part, devices, all_of(layers, thickness), dear));
    }
    double const none = longest_with(part, devices, all_of(layers, 0), dear);
    EXPECT_LE(mine, none * (1 + 1e-9)) << world;
    EXPECT_LE(mine, best * 1.35 + 1e-9) << world;
  }
}

TEST(HostLayers, have_points_and_rows_that_end_outside_halos) {
  EXPECT_THAT([] { check_layers({.share = HostShare::all, .thickness_y = -1}, 1); },
              ThrowsMessage<InputError>(HasSubstr("layers of a host of -1 points")));
  EXPECT_THAT(
      [] { check_layers({.share = HostShare::front_back, .thickness_x = 1, .is_free = true}, 2); },
      ThrowsMessage<InputError>(HasSubstr("free layers of a host across x")));

  Box const domain{{}, {30, 8, 8}};
  std::vector<DeviceStack> const stacks{
      {.box = domain, .devices = {{0, 0}, {0, 1}, {0, 0}}, .planes = {0, 8, 0}, .host_x = 3}};
  EXPECT_NO_THROW(check_row_ends(domain, stacks, 3));
  EXPECT_THAT([&] { check_row_ends(domain, stacks, 4); },
              ThrowsMessage<InputError>(HasSubstr("3 points beyond it along x")));
}

}  // namespace
}  // namespace makespan::grid
