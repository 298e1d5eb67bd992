// SPDX-License-Identifier: Apache-2.0
// Goal: the same bits for any cut, device, instruction set, schedule, number of steps at once, and
// whatever moves meanwhile. Method: against the plainest program, on 1, 2, 3 and 5 images.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "grid_case.hpp"
#include "makespan/apps/diffusion/diffusion.hpp"
#include "makespan/base/error.hpp"
#include "makespan/grid/grid.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::diffusion {
namespace {

TEST_F(DiffusionGridTest, Same_bits_for_any_speeds_and_schedules) {
  for (auto const& speeds : std::vector<std::vector<double>>{{1}, {1, 1}, {1, 10}, {3, 1, 2}}) {
    for (grid::Schedule const schedule : {grid::Schedule::none, grid::Schedule::overlap}) {
      for (int const at_once : {1, 3}) {
        Case of{.speeds = speeds};
        of.options.schedule = schedule;
        of.options.steps_at_once = at_once;
        expect_plain(of, std::to_string(speeds.size()) + " devices, " + std::to_string(at_once));
      }
    }
  }
}

TEST_F(DiffusionGridTest, Same_bits_for_any_faces_and_boxes) {
  Faces mixed = grid::faces_all(FaceKind::value);
  mixed.kinds[2] = mixed.kinds[3] = FaceKind::periodic;
  mixed.kinds[5] = FaceKind::no_flux;
  for (Faces const& faces : {grid::faces_all(FaceKind::no_flux), grid::faces_all(FaceKind::value),
                             grid::faces_all(FaceKind::periodic), mixed}) {
    for (grid::ImageCut const cut : {grid::ImageCut::stack, grid::ImageCut::boxes}) {
      for (int const at_once : {1, 2}) {
        Case of{.size = {25, 9, 11}, .faces = faces, .speeds = {1, 2}};
        of.options.cut = cut;
        of.options.steps_at_once = at_once;
        expect_plain(of, "face " + std::to_string(static_cast<int>(faces.kinds[2])) + ", " +
                             std::to_string(at_once) + " at once, cut " +
                             std::to_string(static_cast<int>(cut)));
      }
    }
  }
}

TEST_F(DiffusionGridTest, Same_bits_when_hosts_carry_halos) {
  for (FaceKind const kind : {FaceKind::no_flux, FaceKind::periodic}) {
    Case of{.faces = grid::faces_all(kind), .speeds = {1, 2}};
    of.options.route = grid::Route::relayed;
    expect_plain(of, "relayed, face " + std::to_string(static_cast<int>(kind)));
  }
}

// Along x, where a halo is wider than the box of a neighbour: right, or refused where the grid
// would end in it.
TEST_F(DiffusionGridTest, Same_bits_of_boxes_thinner_than_their_halo_or_none) {
  int refused = 0;
  for (std::int64_t const width : {5, 9, 20}) {
    for (FaceKind const kind : {FaceKind::no_flux, FaceKind::value, FaceKind::periodic}) {
      for (int const at_once : {3, 5}) {
        Case of{.size = {width, 5, 5}, .faces = grid::faces_all(kind)};
        of.options.cut = grid::ImageCut::boxes;
        of.options.steps_at_once = at_once;
        of.steps = 2 * at_once + 3;
        try {
          expect_plain(of, "width " + std::to_string(width) + ", " + std::to_string(at_once));
        } catch (InputError const& error) {
          EXPECT_THAT(error.what(), testing::HasSubstr("take fewer steps at once, or slabs"));
          EXPECT_NE(kind, FaceKind::periodic);
          ++refused;
        }
      }
    }
  }
  EXPECT_EQ(refused > 0, runtime_.images() > 1);
}

TEST_F(DiffusionGridTest, Same_bits_of_grids_with_less_planes_than_devices) {
  for (std::int64_t const planes : {1, 2, 3}) {
    for (FaceKind const kind : {FaceKind::no_flux, FaceKind::periodic}) {
      Case of{.size = {12, 7, planes}, .faces = grid::faces_all(kind), .speeds = {1, 1, 1}};
      expect_plain(of, std::to_string(planes) + " planes");
      if (planes < 2) continue;
      of.options.steps_at_once = 2;
      expect_plain(of, std::to_string(planes) + " planes, 2 steps at once");
    }
  }
}

TEST_F(DiffusionGridTest, Same_bits_however_the_host_shares_the_boundary) {
  for (grid::HostShare const share :
       {grid::HostShare::none, grid::HostShare::all, grid::HostShare::front_back}) {
    for (std::int64_t const thickness : {0, 1, 2, 40}) {
      Case of{.speeds = {1, 3, 2}};
      of.options.layers = {.share = share, .thickness = thickness};
      expect_plain(
          of, "host " + std::to_string(static_cast<int>(share)) + ", " + std::to_string(thickness));
    }
  }
}

TEST_F(DiffusionGridTest, Same_bits_when_planes_move) {
  Case const of{.speeds = {1, 2}, .steps = 12};
  GridProblem const problem{.box = {{}, of.size}, .faces = of.faces, .values = {face_values}};
  {
    Grid grid(runtime_, problem, devices_of(of, runtime_), {.cut = grid::ImageCut::stack});
    grid.fill([](int, Point at) { return drawn_at(at); });
    for (int round = 0; round < 4; ++round) {
      grid.run_all(3);
      // To the other end, and back by some.
      std::vector<std::int64_t> planes(grid.stacks()[0].planes.size());
      planes[round % 2 == 0 ? planes.size() - 1 : 0] = of.size.z - round;
      planes[planes.size() / 2] += round;
      grid.restack_all({planes});
    }
    EXPECT_EQ(grid.step(), 12);
    EXPECT_EQ(grid.report().rebalances, 4);
    std::vector<double> const values = grid.gather_all(0, problem.box);
    if (runtime_.image() == ImageId{0}) {
      EXPECT_EQ(values, plain(of));
    }
  }
}

// A device that is slowed is seen by its times, and gets less; nothing else changes.
TEST_F(DiffusionGridTest, Moves_planes_away_from_a_slow_device) {
  Case of{.size = {64, 64, 48}, .speeds = {1, 1}, .steps = 120};
  GridProblem const problem{.box = {{}, of.size}, .faces = of.faces, .values = {face_values}};
  std::vector<double> values;
  {
    std::vector<GridDevice> devices = devices_of(of, runtime_);
    for (GridDevice& device : devices) device.speed = Speed{1};
    devices[1].slowdowns = {{.from = 20, .factor = 16}};
    Grid grid(runtime_, problem, devices,
              {.cut = grid::ImageCut::stack, .rebalance = {.steps = 20}});
    grid.fill([](int, Point at) { return drawn_at(at); });
    grid.run_all(of.steps);
    auto const& stack = grid.stacks()[0];
    std::int64_t fast = 0;
    std::int64_t slow = 0;
    for (std::size_t i = 0; i < stack.planes.size(); ++i) {
      (stack.devices[i].device == 0 ? fast : slow) += stack.planes[i];
    }
    // Where there are more images than cores, all devices are slow at times.
    EXPECT_TRUE(runtime_.images() > 1 || fast > 2 * slow) << fast << " and " << slow;
    EXPECT_GE(grid.report().rebalances, 1);
    values = grid.gather_all(0, problem.box);
    EXPECT_TRUE(runtime_.image() != ImageId{0} || values == plain(of));
  }
}

TEST_F(DiffusionGridTest, Keeps_the_checkerboard_of_a_periodic_grid) {
  Diffusion const diffusion({1.0 / 6, 1.0 / 6, 1.0 / 6});
  GridProblem const problem{
      .box = {{}, {12, 10, 14}}, .faces = grid::faces_all(FaceKind::periodic), .values = {{}}};
  {
    Grid grid(runtime_, problem, {{.stencil = &diffusion}, {.stencil = &diffusion}});
    auto const board = [](Point at) { return (at.x + at.y + at.z) % 2 == 0 ? 1.0 : -1.0; };
    grid.fill([&](int, Point at) { return board(at); });
    grid.run_all(1001);
    std::vector<double> const values = grid.gather_all(0, {{1, 2, 3}, {9, 3, 5}});
    if (runtime_.image() == ImageId{0}) {
      EXPECT_NEAR(values[0], -board({1, 2, 3}), 1e-10);
      EXPECT_NEAR(values[15], -board({8, 2, 4}), 1e-10);
    }
  }
}

TEST_F(DiffusionGridTest, Scatters_what_it_gathered) {
  Case const of{.speeds = {1, 2}};
  GridProblem const problem{.box = {{}, of.size}, .faces = of.faces, .values = {face_values}};
  {
    Grid grid(runtime_, problem, devices_of(of, runtime_), of.options);
    grid.fill([](int, Point at) { return drawn_at(at); });
    grid.run_all(3);
    std::vector<double> const saved = grid.gather_all(0, problem.box);
    grid.fill([](int, Point) { return 7.0; });
    grid.run_all(2);
    grid.scatter_all(0, problem.box, saved);
    grid.set_step(3);
    grid.run_all(of.steps - 3);
    std::vector<double> const values = grid.gather_all(0, problem.box);
    if (runtime_.image() == ImageId{0}) {
      EXPECT_EQ(values, plain(of));
    }
  }
}

TEST_F(DiffusionGridTest, Names_the_first_value_that_is_none) {
  Case const of{.speeds = {1, 2}};
  GridProblem const problem{.box = {{}, of.size}, .faces = of.faces, .values = {face_values}};
  {
    Grid grid(runtime_, problem, devices_of(of, runtime_), of.options);
    grid.fill([](int, Point at) {
      return at == Point{3, 4, 15} || at == Point{5, 4, 15} ? std::nan("") : drawn_at(at);
    });
    auto const bad = grid.find_bad_value_all();
    ASSERT_TRUE(bad);
    EXPECT_EQ(bad->at, (Point{3, 4, 15}));
    EXPECT_TRUE(std::isnan(bad->value));
  }
}

TEST_F(DiffusionGridTest, Refuses_invalid_problems_on_all_images) {
  Diffusion const diffusion({0.1, 0.1, 0.1});
  GridProblem problem{.box = {{}, {4, 4, 4}}, .faces = {}, .values = {{}}};
  problem.faces.kinds[0] = FaceKind::periodic;

  EXPECT_THROW(Grid(runtime_, problem, {{.stencil = &diffusion}}), InputError);
  problem.faces = {};
  EXPECT_THROW(Grid(runtime_, problem, {{.stencil = &diffusion}}, {.steps_at_once = 2}),
               InputError);
  if (runtime_.images() > 1) {
    // On the last image alone.
    problem.box.end.x = runtime_.image().value() == runtime_.images() - 1 ? 0 : 4;
    EXPECT_THROW(Grid(runtime_, problem, {{.stencil = &diffusion}}), InputError);
    problem.box.end.x = runtime_.image().value() == runtime_.images() - 1 ? 5 : 4;
    EXPECT_THROW(Grid(runtime_, problem, {{.stencil = &diffusion}}), InputError);
  }
}

}  // namespace
}  // namespace makespan::diffusion
