// SPDX-License-Identifier: Apache-2.0
// Goal: an invalid grid or a failure on one device of one image ends on all images in an error, and
// no image waits for ever; the job can go on with another grid. Method: stencils that throw, heaps
// and memories that are too small; on 1, 2 and 3 images.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "late_accelerator.hpp"
#include "makespan/base/error.hpp"
#include "makespan/grid/grid.hpp"
#include "makespan/pgas/runtime.hpp"
#include "weighted_sums.hpp"

namespace makespan::grid {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

class Broken : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws at a step, at none below 0: in what is computed first, or in what halos do not wait for.
class Breaking final : public Stencil {
 public:
  enum class Part : std::uint8_t { any, interior };

  explicit Breaking(std::int64_t at, Part part = Part::any) : at_{at}, part_{part} {}
  [[nodiscard]] StencilShape shape() const override { return sums_.shape(); }
  void sweep(Sweep const& sweep) const override {
    bool const is_layer = sweep.box.extent().z <= sums_width;
    if (sweep.step == at_ && (part_ == Part::any || !is_layer)) {
      throw Broken("step " + std::to_string(at_));
    }
    sums_.sweep(sweep);
  }

 private:
  std::int64_t at_;
  Part part_;
  WeightedSums sums_{};
};

GridProblem const problem{.box = {{}, {9, 5, 60}}, .values = {FaceValues{}, FaceValues{}}};

class GridFailureTest : public testing::Test {
 protected:
  void TearDown() override { runtime_.finish_all(); }

  [[nodiscard]] int me() const { return static_cast<int>(runtime_.image().value()); }

  struct Failure {
    int image{};
    int device{};
    std::int64_t step{};
    Breaking::Part part{};
  };

  // A grid of which one device breaks, run for six steps.
  void run_broken_all(Failure const& of, GridOptions const& options) {
    std::vector<GridDevice> devices(2, {.stencil = &whole_});
    Breaking const breaking(of.step, of.part);
    if (me() == of.image) devices[static_cast<std::size_t>(of.device)].stencil = &breaking;
    Grid grid(runtime_, problem, devices, options);
    grid.fill([](int, Point at) { return whole_number_at(at); });
    grid.run_all(6);
  }

  void expect_stopped(Failure const& of, GridOptions const& options) {
    std::string const what = "image " + std::to_string(of.image) + ", device " +
                             std::to_string(of.device) + ", step " + std::to_string(of.step);
    if (me() == of.image) {
      EXPECT_THROW(run_broken_all(of, options), Broken) << what;
    } else {
      EXPECT_THROW(run_broken_all(of, options), GridStopped) << what;
    }
  }

  pgas::Runtime runtime_{{.threads = 3}};
  Breaking whole_{-1};
};

TEST_F(GridFailureTest, Stops_on_all_images_when_a_device_breaks) {
  for (int image = 0; image < runtime_.images(); ++image) {
    for (int const device : {0, 1}) {
      for (std::int64_t const step : {0, 3, 5}) expect_stopped({image, device, step}, {});
    }
  }
}

// In the last step all halos are sent by then.
TEST_F(GridFailureTest, Stops_on_all_images_when_a_device_breaks_after_it_sent) {
  for (Route const route : {Route::direct, Route::relayed}) {
    for (int image = 0; image < runtime_.images(); ++image) {
      for (int const device : {0, 1}) {
        expect_stopped({image, device, 5, Breaking::Part::interior}, {.route = route});
      }
    }
  }
}

TEST_F(GridFailureTest, Stops_with_any_schedule_and_cut) {
  int const last = runtime_.images() - 1;
  expect_stopped({last, 0, 2}, {.schedule = Schedule::none});
  expect_stopped({last, 1, 2}, {.route = Route::relayed});
  expect_stopped({0, 1, 2}, {.cut = ImageCut::boxes});
  expect_stopped({0, 0, 2}, {.rebalance = {.steps = 1}});
}

// An image without a part of the grid has no neighbour that could tell it.
TEST_F(GridFailureTest, Stops_on_images_without_planes) {
  GridProblem const thin{.box = {{}, {9, 5, 1}}, .values = problem.values};
  Breaking const breaking(1);
  {
    Grid grid(runtime_, thin, {{.stencil = &breaking}});
    if (grid.stacks()[0].planes[static_cast<std::size_t>(me())] > 0) {
      EXPECT_THROW(grid.run_all(4), Broken);
    } else {
      EXPECT_THROW(grid.run_all(4), GridStopped);
    }
  }
}

TEST_F(GridFailureTest, Goes_on_with_another_grid) {
  expect_stopped({0, 1, 3}, {});
  {
    Grid grid(runtime_, problem, {{.stencil = &whole_}, {.stencil = &whole_}});
    grid.run_all(6);
    EXPECT_EQ(grid.step(), 6);
  }
}

TEST_F(GridFailureTest, Refuses_a_heap_without_room_for_boxes_that_move) {
  std::int64_t const rest = std::int64_t{1} << 19;
  auto const ballast =
      runtime_.allocate_all<double>((runtime_.describe().heap_bytes - rest) / 8, "ballast");
  EXPECT_THAT([&] { Grid(runtime_, problem, {{.stencil = &whole_}}); },
              ThrowsMessage<InputError>(HasSubstr("boxes that move")));
  runtime_.free_all(ballast);
}

TEST_F(GridFailureTest, Refuses_a_heap_without_room_for_halos) {
  std::int64_t const rest = (std::int64_t{1} << 20) + (std::int64_t{1} << 16);
  auto const ballast =
      runtime_.allocate_all<double>((runtime_.describe().heap_bytes - rest) / 8, "ballast");
  GridProblem const wide{.box = {{}, {60, 50, 16}}, .values = problem.values};
  EXPECT_THAT([&] { Grid(runtime_, wide, {{.stencil = &whole_}, {.stencil = &whole_}}); },
              ThrowsMessage<InputError>(HasSubstr("halos")));
  runtime_.free_all(ballast);
}

// The last image's devices are the only ones that get planes.
TEST_F(GridFailureTest, Refuses_a_grid_on_all_images_when_one_has_no_memory_for_it) {
  GridProblem const huge{.box = {{}, {std::int64_t{1} << 20, std::int64_t{1} << 20, 64}},
                         .values = problem.values};
  double const speed = me() == runtime_.images() - 1 ? 1 : 1e-9;
  EXPECT_THROW(Grid(runtime_, huge, {{.stencil = &whole_, .speed = Speed{speed}}}), InputError);
}

// An accelerator with no memory besides what it has given.
class FullAccelerator final : public LateAccelerator {
 public:
  using LateAccelerator::LateAccelerator;
  [[nodiscard]] FieldMemory memory(std::int64_t doubles) override {
    if (is_full) throw InputError("a field", "the accelerator is full", "take fewer points");
    return LateAccelerator::memory(doubles);
  }
  bool is_full{false};
};

TEST_F(GridFailureTest, Keeps_cut_and_values_where_one_image_has_no_memory_for_another_cut) {
  GridOptions options{.cut = ImageCut::stack};
  auto const fill = [](int, Point at) { return whole_number_at(at); };
  SumsAlongZ const sums;
  GridProblem const one{.box = problem.box, .values = {FaceValues{}}};
  std::vector<GridDevice> devices(2, {.stencil = &sums});
  Grid plain(runtime_, one, devices, options);
  plain.fill(fill);
  plain.run_all(6);
  auto const expected = plain.digests_all();
  plain.close_all();

  auto const accelerator =
      std::make_shared<FullAccelerator>([&](Sweep const& sweep) { sums.sweep(sweep); });
  if (me() == runtime_.images() - 1) devices[1].accelerator = accelerator;
  // Any cut is worth it.
  options.rebalance = {.steps = 4, .options = {.gain_min = -1e9}};
  Grid grid(runtime_, one, devices, options);
  grid.fill(fill);
  grid.run_all(2);
  accelerator->is_full = true;
  std::vector<DeviceStack> const stacks = grid.stacks();
  std::vector<std::int64_t> planes = stacks[0].planes;
  ++planes.front();
  --planes.back();

  EXPECT_THAT([&] { grid.restack_all({planes}); },
              ThrowsMessage<InputError>(HasSubstr("the accelerator is full")));
  EXPECT_EQ(grid.stacks(), stacks);
  EXPECT_EQ(grid.report().rebalances, 0);
  grid.run_all(4, 1'000'000'000);
  // What was measured may ask for a cut that needs no memory of the full one, because it keeps
  // its planes or has none: no other is made.
  EXPECT_THAT(grid.stacks()[0].planes.back(), AnyOf(0, stacks[0].planes.back()));
  EXPECT_EQ(grid.digests_all(), expected);
  grid.close_all();
}

}  // namespace
}  // namespace makespan::grid
