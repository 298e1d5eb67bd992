// SPDX-License-Identifier: Apache-2.0
// Goal: the same bits for any cut, device, schedule and way of halos, and whatever moves meanwhile,
// for fields that spread and fields that stay. Method: a stencil that reads all 125 points around,
// against the plainest program; on 1, 2 and 3 images.
#include "makespan/grid/grid.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "makespan/base/error.hpp"
#include "makespan/base/random_draws.hpp"
#include "makespan/machine/affinity.hpp"
#include "makespan/pgas/runtime.hpp"
#include "weighted_sums.hpp"

namespace makespan::grid {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr FaceValues face_values{11, 2222, 333, 44, 55555, 666};
constexpr std::int64_t many_steps = 1'000'000'000;  // still to come

struct Case {
  Point size{13, 7, 11};
  Faces faces{faces_all(FaceKind::no_flux)};
  std::vector<double> speeds{1, 2};  // of each image's devices
  GridOptions options{};
  std::vector<int> cores{};  // of each device
  int steps{5};
};

GridProblem problem_of(Case const& of) {
  return {.box = {{}, of.size}, .faces = of.faces, .values = {face_values, FaceValues{}}};
}

double first_value(int field, Point at) {
  return field == 0 ? whole_number_at(at) : 0.5 * whole_number_at(at);
}

PlainSums plain(Case const& of) {
  PlainSums sums(of.size, of.faces, face_values);
  std::size_t i = 0;
  for (std::int64_t z = 0; z < of.size.z; ++z) {
    for (std::int64_t y = 0; y < of.size.y; ++y) {
      for (std::int64_t x = 0; x < of.size.x; ++x, ++i) {
        sums.now()[i] = first_value(0, {x, y, z});
        sums.sums()[i] = first_value(1, {x, y, z});
      }
    }
  }
  for (int step = 0; step < of.steps; ++step) sums.step(step);
  return sums;
}

class GridTest : public testing::Test {
 protected:
  void TearDown() override { runtime_.finish_all(); }

  // The first image's are twice as fast.
  [[nodiscard]] std::vector<GridDevice> devices_of(Case const& of) const {
    std::vector<GridDevice> devices;
    double const factor = runtime_.image() == ImageId{0} ? 2 : 1;
    for (double const speed : of.speeds) {
      devices.push_back({.stencil = &stencil_, .cores = of.cores, .speed = Speed{factor * speed}});
    }
    return devices;
  }

  void expect_values(Grid& grid, Case const& of, std::string const& what) {
    std::vector<double> const now = grid.gather_all(0, {{}, of.size});
    std::vector<double> const sums = grid.gather_all(1, {{}, of.size});
    if (runtime_.image() != ImageId{0}) return;
    PlainSums expected = plain(of);
    EXPECT_EQ(now, expected.now()) << what;
    EXPECT_EQ(sums, expected.sums()) << what;
  }

  void expect_plain(Case const& of, std::string const& what) {
    Grid grid(runtime_, problem_of(of), devices_of(of), of.options);
    grid.fill(first_value);
    // In two parts, the second of which has halos already.
    grid.run_all(of.steps / 2);
    grid.run_all(of.steps - of.steps / 2);
    expect_values(grid, of, what);
  }

  pgas::Runtime runtime_{{.threads = 4}};
  WeightedSums stencil_{};
};

TEST_F(GridTest, Same_bits_for_any_faces_and_cuts) {
  Faces mixed = faces_all(FaceKind::value);
  mixed.kinds[0] = mixed.kinds[3] = FaceKind::no_flux;
  mixed.kinds[4] = mixed.kinds[5] = FaceKind::periodic;
  int number = 0;
  for (Faces const& faces : {faces_all(FaceKind::no_flux), faces_all(FaceKind::value),
                             faces_all(FaceKind::periodic), mixed}) {
    for (ImageCut const cut : {ImageCut::stack, ImageCut::boxes}) {
      Case of{.faces = faces};
      of.options.cut = cut;
      expect_plain(of, "case " + std::to_string(number++));
    }
  }
}

// Along x, across which rows are cut, and where they end with what memory has.
TEST_F(GridTest, Same_bits_of_boxes_along_x) {
  for (FaceKind const kind : {FaceKind::no_flux, FaceKind::value, FaceKind::periodic}) {
    for (std::int64_t const width : {2, 3, 29}) {
      Case of{.size = {width, 2, 2}, .faces = faces_all(kind)};
      of.options.cut = ImageCut::boxes;
      expect_plain(of, "width " + std::to_string(width));
    }
  }
}

TEST_F(GridTest, Same_bits_for_any_devices_schedules_and_routes) {
  for (auto const& speeds : std::vector<std::vector<double>>{{1}, {1, 10}, {3, 1, 2}}) {
    for (Schedule const schedule : {Schedule::none, Schedule::overlap, Schedule::pipeline}) {
      for (Route const route : {Route::direct, Route::relayed}) {
        Case of{.speeds = speeds};
        of.options.schedule = schedule;
        of.options.route = route;
        expect_plain(of, std::to_string(speeds.size()) + " devices, schedule " +
                             std::to_string(static_cast<int>(schedule)));
      }
    }
  }
}

TEST_F(GridTest, Same_bits_of_devices_with_several_threads) {
  auto const allowed = machine::allowed_cores();
  Case of{.size = {13, 7, 31}, .cores = {allowed.front(), allowed.back(), allowed.front()}};
  expect_plain(of, "along z");
  of.size.z = 3;
  expect_plain(of, "along y");
}

TEST_F(GridTest, Same_bits_of_grids_thinner_than_their_halo) {
  for (Point const size : {Point{1, 1, 5}, Point{3, 2, 1}, Point{2, 9, 3}, Point{1, 1, 1}}) {
    for (FaceKind const kind : {FaceKind::no_flux, FaceKind::value}) {
      expect_plain({.size = size, .faces = faces_all(kind)}, std::to_string(size.z) + " planes");
    }
  }
}

TEST_F(GridTest, Same_bits_beside_hosts_with_layers) {
  for (HostShare const share : {HostShare::none, HostShare::all, HostShare::front_back}) {
    Case of{.speeds = {1, 1, 2}};
    of.options.layers = {.share = share, .thickness = 1};
    expect_plain(of, "share " + std::to_string(static_cast<int>(share)));
  }
}

// Along all axes, given or free, with all schedules and blocks in both orders.
TEST_F(GridTest, Same_bits_beside_hosts_with_layers_along_y_and_x) {
  int number = 0;
  for (HostShare const share : {HostShare::all, HostShare::front_back}) {
    for (FaceKind const kind : {FaceKind::no_flux, FaceKind::value, FaceKind::periodic}) {
      for (auto const& [y, x] : {std::pair{2, 0}, std::pair{0, 3}, std::pair{1, 9}}) {
        Case of{.faces = faces_all(kind), .speeds = {1, 1, 2}, .steps = 3};
        of.options.layers = {.share = share,
                             .thickness = number % 2,
                             .thickness_y = y,
                             .thickness_x = x,
                             .is_free = number % 3 == 0};
        of.options.schedule = static_cast<Schedule>(number % 3);
        of.options.block_order = static_cast<BlockOrder>(number / 3 % 2);
        of.options.cut = number % 2 == 0 ? ImageCut::stack : ImageCut::boxes;
        expect_plain(of, "case " + std::to_string(number++));
      }
    }
  }
}

TEST_F(GridTest, Same_bits_of_blocks_in_any_order_and_number) {
  for (int const blocks : {1, 3, 100}) {
    for (BlockOrder const order : {BlockOrder::far_first, BlockOrder::near_first}) {
      Case of{.size = {13, 17, 11}, .faces = faces_all(FaceKind::periodic), .speeds = {1, 3}};
      of.options.schedule = Schedule::pipeline;
      of.options.blocks = blocks;
      of.options.block_order = order;
      expect_plain(of, std::to_string(blocks) + " blocks");
    }
  }
}

TEST_F(GridTest, Same_bits_of_planes_with_weights) {
  for (ImageCut const cut : {ImageCut::stack, ImageCut::boxes}) {
    Case of{};
    of.options.cut = cut;
    for (std::int64_t z = 0; z < of.size.z; ++z) of.options.plane_weights.push_back(z < 3 ? 9 : 1);
    Grid grid(runtime_, problem_of(of), devices_of(of), of.options);
    DeviceStack const& stack = grid.stacks().front();
    // Those that cost most are in the first device's, which therefore has few.
    EXPECT_LT(stack.planes.front(), stack.box.extent().z / 2 + 1);
    grid.fill(first_value);
    grid.run_all(of.steps);
    expect_values(grid, of, "weights");
  }
}

TEST_F(GridTest, Keeps_all_fields_when_planes_move) {
  Case const of{.steps = 12};
  Grid grid(runtime_, problem_of(of), devices_of(of), {.cut = ImageCut::stack});
  grid.fill(first_value);
  RandomDraws draws(2);
  for (int round = 0; round < 6; ++round) {
    grid.run_all(2);
    std::vector<std::int64_t> planes(grid.stacks()[0].planes.size());
    for (std::int64_t plane = 0; plane < of.size.z; ++plane) {
      ++planes[static_cast<std::size_t>(draws.below(static_cast<int>(planes.size())))];
    }
    grid.restack_all({planes});
    EXPECT_EQ(grid.stacks()[0].planes, planes);
  }
  EXPECT_EQ(grid.step(), 12);
  EXPECT_EQ(grid.report().steps, 12);
  EXPECT_EQ(grid.report().rebalances, 6);
  expect_values(grid, of, "moved");
}

// With speeds that are far from what devices do, and so many steps to come that any gain is worth
// what it costs.
TEST_F(GridTest, Same_bits_while_it_rebalances) {
  Case of{.size = {13, 7, 40}, .speeds = {1, 40}, .steps = 20};
  of.options.cut = ImageCut::stack;
  of.options.rebalance = {.steps = 3, .options = {.gain_min = 0}};
  Grid grid(runtime_, problem_of(of), devices_of(of), of.options);
  grid.fill(first_value);
  // In two parts, the second of which has halos already.
  grid.run_all(of.steps / 2, many_steps);
  grid.run_all(of.steps / 2, many_steps);
  EXPECT_GT(grid.report().rebalances, 0);
  expect_values(grid, of, "rebalanced");
}

// The device that is said to be fast, and has most, is by far the slowest.
TEST_F(GridTest, Same_bits_while_a_host_s_layers_change) {
  class Slow final : public WeightedSums {
   public:
    void sweep(Sweep const& sweep) const override {
      std::this_thread::sleep_for(std::chrono::milliseconds(1) * sweep.box.extent().z);
      WeightedSums::sweep(sweep);
    }
  };
  Slow const slow;
  for (bool const is_free : {true, false}) {
    Case of{.size = {13, 11, 17}, .speeds = {1, 1, 9}, .steps = 12};
    of.options.layers = {.share = HostShare::front_back,
                         .thickness = 1,
                         .thickness_y = 1,
                         .thickness_x = 1,
                         .is_free = is_free};
    of.options.plane_weights.assign(17, 1.0);
    of.options.plane_weights[3] = 5;
    of.options.rebalance = {.steps = 2, .options = {.gain_min = 0}};
    std::vector<GridDevice> devices = devices_of(of);
    devices.back().stencil = &slow;
    Grid grid(runtime_, problem_of(of), devices, of.options);
    grid.fill(first_value);
    grid.run_all(of.steps, many_steps);
    EXPECT_GT(grid.report().rebalances, 0);
    expect_values(grid, of, "free or not");
    if (is_free) continue;
    for (DeviceStack const& stack : grid.stacks()) {
      // Layers whose thickness is given stay, as far as each of the others keeps a plane.
      std::int64_t const others = std::ssize(of.speeds) - 1;
      std::int64_t const thickness = stack.box.extent().z >= 2 + others ? 1 : 0;
      EXPECT_EQ(stack.host_y, 1);
      EXPECT_EQ(stack.planes.front(), thickness);
    }
  }
}

TEST_F(GridTest, Looks_once_at_speeds_where_it_is_asked_to) {
  // The first device is said to be fast, and each step of it sleeps for tens of milliseconds, so
  // that planes leave it on a machine that is at other work, too.
  Case of{.size = {13, 7, 40}, .speeds = {30, 1}, .steps = 9};
  of.options.cut = ImageCut::stack;
  of.options.rebalance = {.first = 4, .options = {.gain_min = -1e9}};
  std::vector<GridDevice> devices = devices_of(of);
  devices.front().point_time = Seconds{20e-6};
  Grid grid(runtime_, problem_of(of), std::move(devices), of.options);
  grid.fill(first_value);
  grid.run_all(2, 7);
  EXPECT_EQ(grid.report().rebalances, 0);
  // The step is the last of a call, but not the last of all.
  grid.run_all(2, many_steps);
  EXPECT_EQ(grid.report().rebalances, 1);
  grid.run_all(5);
  EXPECT_EQ(grid.report().rebalances, 1);
  expect_values(grid, of, "looked");
}

TEST_F(GridTest, Scatters_one_field_and_leaves_the_other) {
  Case of{};
  Box const part{{1, 2, 3}, {9, 5, 10}};
  Grid grid(runtime_, problem_of(of), devices_of(of));
  grid.fill([](int, Point) { return 7.0; });
  std::vector<double> values(static_cast<std::size_t>(part.points()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  bool const is_first = runtime_.image() == ImageId{0};

  grid.scatter_all(1, part, is_first ? values : std::vector<double>{});

  std::vector<double> const scattered = grid.gather_all(1, part);
  std::vector<double> const around = grid.gather_all(1, {{}, {1, 7, 11}});
  std::vector<double> const other = grid.gather_all(0, {{}, of.size});
  EXPECT_EQ(scattered, is_first ? values : std::vector<double>{});
  EXPECT_TRUE(std::ranges::all_of(around, [](double value) { return value == 7; }));
  EXPECT_TRUE(std::ranges::all_of(other, [](double value) { return value == 7; }));
  EXPECT_THROW(static_cast<void>(grid.gather_all(0, {{}, {14, 7, 11}})), InputError);
}

TEST_F(GridTest, Counts_the_step_that_a_stencil_is_told) {
  Case of{.steps = 9};
  {
    Grid grid(runtime_, problem_of(of), devices_of(of));
    grid.fill(first_value);
    grid.run_all(4);
    std::vector<double> const now = grid.gather_all(0, {{}, of.size});
    std::vector<double> const sums = grid.gather_all(1, {{}, of.size});
    Grid other(runtime_, problem_of(of), devices_of(of), {.cut = ImageCut::boxes});
    other.scatter_all(0, {{}, of.size}, now);
    other.scatter_all(1, {{}, of.size}, sums);
    other.set_step(4);
    other.run_all(5);
    EXPECT_EQ(other.step(), 9);
    expect_values(other, of, "from what another grid gathered");
  }
}

TEST_F(GridTest, Gives_its_heap_back_when_closed) {
  Case const of{};
  for (int round = 0; round < 40; ++round) {
    Grid grid(runtime_, problem_of(of), devices_of(of));
    grid.run_all(1);
    grid.close_all();
  }
}

// The halos of random cuts, without making them.
TEST(GridHeap, has_room_for_the_halos_of_any_cut) {
  StencilShape const shape = WeightedSums().shape();
  RandomDraws draws(4);
  for (int world = 0; world < 300; ++world) {
    Case of{.size = {4 + draws.below(40), 4 + draws.below(40), 4 + draws.below(40)}};
    of.faces = faces_all(static_cast<FaceKind>(draws.below(3)));
    of.options = {.cut = static_cast<ImageCut>(draws.below(3)),
                  .layers = {.share = static_cast<HostShare>(draws.below(4)),
                             .thickness = 2,
                             .thickness_y = draws.below(3),
                             .thickness_x = draws.below(3)}};
    int const count = 2 + draws.below(3);
    ImageDevices images(1 + static_cast<std::size_t>(draws.below(7)));
    for (auto& devices : images) {
      for (int i = 0; i < count; ++i) devices.push_back({.speed = Speed{0.1 + draws.next()}});
    }
    auto const slabs =
        slabs_of(stacks_of({{}, of.size}, images, of.options.cut, of.options.layers));
    auto const plan = exchange_plan(slabs, {{{}, of.size}, of.faces.wraps()}, shape.halo);
    std::vector<std::int64_t> points(images.size());
    for (std::size_t slab = 0; slab < slabs.size(); ++slab) {
      points[static_cast<std::size_t>(slabs[slab].owner.image)] += plan.points_of_slab[slab];
    }
    std::int64_t const bytes = 2 * std::ranges::max(points) * 8;
    EXPECT_GE(Grid::heap_bytes(problem_of(of), shape, count, of.options) - (std::int64_t{8} << 20),
              bytes)
        << world;
  }
}

}  // namespace
}  // namespace makespan::grid
