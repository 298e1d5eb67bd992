// SPDX-License-Identifier: Apache-2.0
// Goal: a grid that cannot be is refused with what is wrong and what would be right, and images
// that were asked for different grids find out. Method: one thing wrong at a time.
#include "makespan/grid/detail/grid_checks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <vector>

#include "late_accelerator.hpp"
#include "makespan/base/error.hpp"
#include "makespan/grid/grid.hpp"
#include "makespan/grid/grid_options.hpp"

namespace makespan::grid {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Two fields, and steps two at once.
class Shaped final : public Stencil {
 public:
  explicit Shaped(StencilShape shape) : shape_{std::move(shape)} {}
  [[nodiscard]] StencilShape shape() const override { return shape_; }
  void sweep(Sweep const& /*sweep*/) const override {}

 private:
  StencilShape shape_;
};

StencilShape const plain_shape{
    .fields = {FieldRole::spreads, FieldRole::stays}, .halo = {.width = 2}, .steps_max = 5};

// One that is right in all, to be changed.
struct Asked {
  Shaped stencil{plain_shape};
  Shaped other{plain_shape};
  GridProblem problem{.box = {{}, {8, 8, 8}}, .values = {FaceValues{}, FaceValues{}}};
  GridOptions options{};
  std::vector<GridDevice> devices{{.stencil = &stencil}, {.stencil = &other}};
  int threads{2};
};

// Checks what `change` makes of one that is right.
std::function<void()> checking(std::function<void(Asked&)> const& change) {
  return [change] {
    Asked asked;
    change(asked);
    check_grid(asked.problem, asked.options, asked.devices, asked.threads);
  };
}

TEST(GridChecks, let_pass_what_is_right) {
  EXPECT_NO_THROW(checking([](Asked&) {})());
  EXPECT_NO_THROW(checking([](Asked& of) {
    of.problem.faces = faces_all(FaceKind::periodic);
    of.options.steps_at_once = 4;
  })());
}

TEST(GridChecks, name_what_an_accelerator_does_not_do) {
  auto const with_accelerator = [](std::function<void(Asked&)> const& change) {
    return checking([&change](Asked& of) {
      of.devices[1].accelerator = std::make_shared<LateAccelerator>([](Sweep const&) {});
      change(of);
    });
  };

  EXPECT_NO_THROW(with_accelerator([](Asked&) {})());
  EXPECT_THAT(with_accelerator([](Asked& of) { of.options.steps_at_once = 2; }),
              ThrowsMessage<InputError>(HasSubstr("a GPU makes one step at a time")));
  EXPECT_THAT(with_accelerator([](Asked& of) { of.devices[1].slowdowns = {{.factor = 2}}; }),
              ThrowsMessage<InputError>(HasSubstr("slowdowns of a GPU")));
  EXPECT_THAT(with_accelerator([](Asked& of) { of.devices[1].point_time = Seconds{1e-9}; }),
              ThrowsMessage<InputError>(HasSubstr("a point_time of a GPU")));
  StencilShape reading = plain_shape;
  reading.reads_row_ends = true;
  Shaped const stencil{reading};
  EXPECT_THAT(with_accelerator([&stencil](Asked& of) {
                for (GridDevice& device : of.devices) device.stencil = &stencil;
              }),
              ThrowsMessage<InputError>(HasSubstr("reads beyond its rows' ends")));
}

TEST(GridChecks, count_the_memory_of_fields) {
  // Two steps of the one that spreads, and one of the other.
  GridProblem const problem{.box = {{}, {1024, 1024, 1024}}};
  double const needed = 3 * 8 * 0x1p30;
  EXPECT_NO_THROW(check_memory(problem, plain_shape, needed));
  EXPECT_THAT([&] { check_memory(problem, plain_shape, needed - 1); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("a grid of 1024 x 1024 x 1024 points"),
                                              HasSubstr("take 24 GiB"), HasSubstr("have 23"))));
}

TEST(GridChecks, name_a_grid_without_points) {
  EXPECT_THAT(checking([](Asked& of) { of.problem.box.end.y = 0; }),
              ThrowsMessage<InputError>(AllOf(HasSubstr("a grid of 8 x 0 x 8 points"),
                                              HasSubstr("one at least along each axis"))));
}

TEST(GridChecks, name_devices_that_are_none_or_too_many) {
  EXPECT_THAT(checking([](Asked& of) { of.devices.clear(); }),
              ThrowsMessage<InputError>(HasSubstr("0 devices of an image")));
  EXPECT_THAT(checking([](Asked& of) { of.threads = 1; }),
              ThrowsMessage<InputError>(
                  AllOf(HasSubstr("2 devices of an image"), HasSubstr("a thread for each (1)"))));
  EXPECT_THAT(checking([](Asked& of) { of.options.route = Route::relayed; }),
              ThrowsMessage<InputError>(HasSubstr("one more where halos are relayed")));
}

TEST(GridChecks, name_a_device_without_a_stencil) {
  EXPECT_THAT(checking([](Asked& of) { of.devices[1].stencil = nullptr; }),
              ThrowsMessage<InputError>(HasSubstr("a device without a stencil")));
}

TEST(CheckField, names_how_many_there_are) {
  EXPECT_NO_THROW(check_field(1, 2));
  for (int const field : {-1, 2}) {
    EXPECT_THAT([&] { check_field(field, 2); },
                ThrowsMessage<InputError>(AllOf(HasSubstr("field " + std::to_string(field)),
                                                HasSubstr("the grid has 2"))));
  }
}

TEST(GridChecks, name_stencils_that_differ) {
  auto const with = [](StencilShape const& shape) {
    return [shape] {
      Asked of;
      Shaped const other(shape);
      of.devices[1].stencil = &other;
      check_grid(of.problem, of.options, of.devices, of.threads);
    };
  };
  auto const differs = ThrowsMessage<InputError>(HasSubstr("different shapes"));
  StencilShape wide = plain_shape;
  wide.halo.width = 1;
  StencilShape square = plain_shape;
  square.halo.shape = HaloShape::box;
  StencilShape fields = plain_shape;
  fields.fields[1] = FieldRole::spreads;
  StencilShape ends = plain_shape;
  ends.reads_row_ends = true;
  StencilShape steps = plain_shape;
  steps.steps_max = 1;

  for (StencilShape const& shape : {wide, square, fields, ends, steps}) {
    EXPECT_THAT(with(shape), differs);
  }
}

TEST(GridChecks, name_a_speed_that_is_none) {
  for (double const speed : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_THAT(checking([&](Asked& of) { of.devices[1].speed = Speed{speed}; }),
                ThrowsMessage<InputError>(
                    AllOf(HasSubstr("a device's speed = "), HasSubstr("finite number above 0"))));
  }
}

TEST(GridChecks, name_a_point_time_that_is_none) {
  for (double const time : {-1e-9, 2e-3, std::nan(""), HUGE_VAL}) {
    EXPECT_THAT(checking([&](Asked& of) { of.devices[1].point_time = Seconds{time}; }),
                ThrowsMessage<InputError>(
                    AllOf(HasSubstr("a device's point_time = "), HasSubstr("it is 0 to 1 ms"))));
  }
  EXPECT_NO_THROW(checking([](Asked& of) { of.devices[1].point_time = Seconds{1e-6}; })());
  EXPECT_THAT(checking([](Asked& of) {
                of.devices[1].point_time = Seconds{1e-6};
                of.options.steps_at_once = 2;
              }),
              ThrowsMessage<InputError>(HasSubstr("makes one step at a time")));
}

TEST(GridChecks, name_the_face_that_is_periodic_alone) {
  EXPECT_THAT(checking([](Asked& of) { of.problem.faces.kinds[3] = FaceKind::periodic; }),
              ThrowsMessage<InputError>(AllOf(HasSubstr("y_high is periodic, and y_low is not"),
                                              HasSubstr("both periodic, or none"))));
  EXPECT_THAT(checking([](Asked& of) { of.problem.faces.kinds[0] = FaceKind::periodic; }),
              ThrowsMessage<InputError>(HasSubstr("x_low is periodic, and x_high is not")));
}

TEST(GridChecks, name_face_values_that_are_missing_or_not_finite) {
  EXPECT_THAT(checking([](Asked& of) { of.problem.values.pop_back(); }),
              ThrowsMessage<InputError>(
                  AllOf(HasSubstr("face values of 1 fields"), HasSubstr("the stencil has 2"))));
  EXPECT_THAT(checking([](Asked& of) {
                of.problem.faces.kinds[4] = FaceKind::value;
                of.problem.values[1][4] = std::nan("");
              }),
              ThrowsMessage<InputError>(HasSubstr("the value at z_low of field 1 = nan")));
  // For a face without a value it is not read.
  EXPECT_NO_THROW(checking([](Asked& of) { of.problem.values[1][4] = std::nan(""); })());
}

TEST(GridChecks, name_how_many_steps_go_at_once) {
  for (int const steps : {0, 6}) {
    EXPECT_THAT(checking([&](Asked& of) { of.options.steps_at_once = steps; }),
                ThrowsMessage<InputError>(HasSubstr("makes 1 to 5 at once")));
  }
  EXPECT_THAT(checking([](Asked& of) { of.options.steps_at_once = 5; }),
              ThrowsMessage<InputError>(
                  AllOf(HasSubstr("a halo of 10 points"), HasSubstr("at most 8 wide"))));
}

TEST(GridChecks, name_a_grid_that_would_wrap_twice) {
  EXPECT_THAT(checking([](Asked& of) {
                of.problem.faces = faces_all(FaceKind::periodic);
                of.problem.box.end.z = 3;
                of.options.steps_at_once = 2;
              }),
              ThrowsMessage<InputError>(
                  AllOf(HasSubstr("a periodic grid of 8 x 8 x 3 points"), HasSubstr("4 points"))));
}

TEST(GridChecks, name_a_number_of_kept_phases_below_zero_or_beyond_memory) {
  EXPECT_THAT(checking([](Asked& of) { of.options.phases_kept = -1; }),
              ThrowsMessage<InputError>(HasSubstr("phases_kept = -1")));
  EXPECT_THAT(checking([](Asked& of) { of.options.phases_kept = std::int64_t{1} << 40; }),
              ThrowsMessage<InputError>(HasSubstr("phases_kept = 1099511627776")));
}

TEST(GridChecks, name_steps_between_looks_below_zero) {
  EXPECT_THAT(checking([](Asked& of) { of.options.rebalance.steps = -1; }),
              ThrowsMessage<InputError>(HasSubstr("rebalance every -1 steps")));
}

TEST(GridChecks, name_what_makes_no_cut) {
  EXPECT_THAT(checking([](Asked& of) { of.options.blocks = 0; }),
              ThrowsMessage<InputError>(HasSubstr("layers in 0 blocks")));
  EXPECT_THAT(checking([](Asked& of) { of.options.layers.thickness_y = -2; }),
              ThrowsMessage<InputError>(HasSubstr("layers of a host of -2 points")));
  EXPECT_THAT(checking([](Asked& of) { of.options.plane_weights = {1, 2, 3}; }),
              ThrowsMessage<InputError>(
                  AllOf(HasSubstr("3 plane_weights"), HasSubstr("8 planes along z"))));
  EXPECT_THAT(checking([](Asked& of) { of.options.plane_weights = {1, 2, 3, 4, 5, 6, 0, 8}; }),
              ThrowsMessage<InputError>(HasSubstr("plane_weights[6]")));
  EXPECT_THAT(checking([](Asked& of) { of.options.rebalance.first = -1; }),
              ThrowsMessage<InputError>(HasSubstr("rebalance every -1 steps")));
  EXPECT_THAT(checking([](Asked& of) {
                of.options.steps_at_once = 2;
                of.options.layers = {
                    .share = HostShare::front_back, .thickness_x = 1, .is_free = true};
              }),
              ThrowsMessage<InputError>(HasSubstr("free layers of a host across x")));
}

TEST(CheckBox, names_both_boxes) {
  Box const domain{{1, 2, 3}, {5, 6, 7}};

  EXPECT_NO_THROW(check_box(domain, domain));
  EXPECT_THAT([&] { check_box(domain, {{1, 2, 3}, {5, 6, 8}}); },
              ThrowsMessage<InputError>(AllOf(HasSubstr("(1 x 2 x 3) to (5 x 6 x 8)"),
                                              HasSubstr("(1 x 2 x 3) to (5 x 6 x 7)"))));
  EXPECT_THROW(check_box(domain, {{1, 2, 3}, {5, 2, 7}}), InputError);
  EXPECT_THROW(check_box(domain, {{0, 2, 3}, {5, 6, 7}}), InputError);
}

TEST(Fingerprint, differs_with_all_that_images_must_agree_on) {
  std::vector<std::function<void(Asked&)>> const changes{
      [](Asked&) {},
      [](Asked& of) { of.problem.box.end.x = 9; },
      [](Asked& of) { of.problem.box.begin.z = 1; },
      [](Asked& of) { of.problem.faces.kinds[0] = FaceKind::value; },
      [](Asked& of) { of.problem.values[1][5] = 1; },
      [](Asked& of) { of.options.schedule = Schedule::none; },
      [](Asked& of) { of.options.route = Route::relayed; },
      [](Asked& of) { of.options.cut = ImageCut::boxes; },
      [](Asked& of) { of.options.layers.share = HostShare::all; },
      [](Asked& of) { of.options.layers.thickness = 1; },
      [](Asked& of) { of.options.layers.thickness_y = 1; },
      [](Asked& of) { of.options.layers.thickness_x = 1; },
      [](Asked& of) { of.options.layers.is_free = true; },
      [](Asked& of) { of.options.plane_weights = {1, 2}; },
      [](Asked& of) { of.options.schedule = Schedule::pipeline; },
      [](Asked& of) { of.options.blocks = 5; },
      [](Asked& of) { of.options.block_order = BlockOrder::near_first; },
      [](Asked& of) { of.options.rebalance.first = 3; },
      [](Asked& of) { of.options.steps_at_once = 2; },
      [](Asked& of) { of.options.rebalance.steps = 7; },
      [](Asked& of) { of.options.rebalance.options.gain_min = 0.5; },
  };
  std::set<std::uint64_t> prints;
  for (auto const& change : changes) {
    Asked asked;
    change(asked);
    prints.insert(fingerprint_of(asked.problem, asked.options, plain_shape));
  }
  StencilShape shape = plain_shape;
  shape.halo.width = 3;
  prints.insert(fingerprint_of(Asked().problem, {}, shape));
  shape = plain_shape;
  shape.fields[1] = FieldRole::spreads;
  prints.insert(fingerprint_of(Asked().problem, {}, shape));

  EXPECT_EQ(prints.size(), changes.size() + 2);
}

// What a runtime is asked for before there is a grid: no product runs over on the way.
TEST(GridHeap, of_more_points_than_can_be_counted_is_refused) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (Point const& size : {Point{most, 1, 1}, Point{1 << 30, 1 << 30, 1}, Point{1, most, most},
                            Point{0, 1, 1}, Point{-most, 1, 1}}) {
    GridProblem const problem{.box = {{}, size}};
    EXPECT_THROW(static_cast<void>(Grid::heap_bytes(problem, plain_shape)), InputError)
        << size.x << ' ' << size.y << ' ' << size.z;
  }
  // Of what reads no neighbours halos are empty, however long the sides.
  StencilShape alone = plain_shape;
  alone.halo.width = 0;
  GridProblem const large{.box = {{}, {most - 1, most - 1, 1}}};
  EXPECT_THROW(static_cast<void>(Grid::heap_bytes(large, alone, 1, {.cut = ImageCut::boxes})),
               InputError);
  GridProblem const small{.box = {{}, {8, 8, 8}}};
  EXPECT_GT(Grid::heap_bytes(small, plain_shape), 0);
  EXPECT_THROW(static_cast<void>(Grid::heap_bytes(small, plain_shape, 1, {.steps_at_once = -1})),
               InputError);
  EXPECT_THROW(
      static_cast<void>(Grid::heap_bytes(small, plain_shape, std::numeric_limits<int>::min())),
      InputError);
}

}  // namespace
}  // namespace makespan::grid
