// SPDX-License-Identifier: Apache-2.0
// Goal: a grid in which something failed runs no more, or goes on with right values; never with
// others. Method: stencils, first values and accelerators that throw; on 1, 2 and 3 images.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "late_accelerator.hpp"
#include "makespan/base/error.hpp"
#include "makespan/grid/grid.hpp"
#include "makespan/pgas/runtime.hpp"
#include "weighted_sums.hpp"

namespace makespan::grid {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class DeviceBroke : public std::runtime_error {
 public:
  DeviceBroke() : std::runtime_error("broken") {}
};

GridProblem const two_fields{.box = {{}, {9, 5, 60}}, .values = {FaceValues{}, FaceValues{}}};

// As WeightedSums, but for one step, at which it throws.
class BreaksAt final : public Stencil {
 public:
  explicit BreaksAt(std::int64_t step) : step_{step} {}
  [[nodiscard]] StencilShape shape() const override { return sums_.shape(); }
  void sweep(Sweep const& sweep) const override {
    if (sweep.step == step_) throw DeviceBroke();
    sums_.sweep(sweep);
  }

 private:
  std::int64_t step_;
  WeightedSums sums_{};
};

class GridAfterFailureTest : public testing::Test {
 protected:
  void TearDown() override { runtime_.finish_all(); }

  [[nodiscard]] bool is_last() const { return runtime_.image().value() == runtime_.images() - 1; }

  static void expect_refused(Grid& grid) {
    EXPECT_THAT([&] { grid.run_all(1); },
                ThrowsMessage<InputError>(HasSubstr("make another grid")));
  }

  pgas::Runtime runtime_{{.threads = 2}};
};

TEST_F(GridAfterFailureTest, Runs_no_more_when_a_run_threw) {
  BreaksAt const whole(-1);
  BreaksAt const breaks(3);
  std::vector<GridDevice> devices(2, {.stencil = &whole});
  if (is_last()) devices[1].stencil = &breaks;
  Grid grid(runtime_, two_fields, devices);
  grid.run_all(2);
  EXPECT_ANY_THROW(grid.run_all(4));
  expect_refused(grid);
}

TEST_F(GridAfterFailureTest, Sends_halos_again_when_first_values_threw) {
  WeightedSums const sums;
  auto const digests_all = [&](bool throws) {
    Grid grid(runtime_, two_fields, std::vector<GridDevice>(2, {.stencil = &sums}));
    int boxes = 0;
    auto const fill_and_count = [&](Box const& box, std::span<FieldView const> fields) {
      fill_box(fields, box, [](int field, Point at) { return field + whole_number_at(at); });
      ++boxes;
    };
    grid.fill_boxes(fill_and_count);
    grid.run_all(2);
    // All are filled again, and then it throws.
    int const all = 2 * boxes;
    auto const fill_again = [&] {
      grid.fill_boxes([&](Box const& box, std::span<FieldView const> fields) {
        fill_and_count(box, fields);
        if (throws && boxes == all) throw DeviceBroke();
      });
    };
    if (throws) {
      EXPECT_THROW(fill_again(), DeviceBroke);
    } else {
      fill_again();
    }
    grid.run_all(2);
    auto const digests = grid.digests_all();
    grid.close_all();
    return digests;
  };
  EXPECT_EQ(digests_all(true), digests_all(false));
}

// Cannot be read any more, once it is told so.
class Unreadable final : public LateAccelerator {
 public:
  using LateAccelerator::LateAccelerator;
  void pack(std::span<FieldView const> views, Box const& box, double* to, HaloSide side) override {
    if (breaks) throw DeviceBroke();
    LateAccelerator::pack(views, box, to, side);
  }
  void copy(std::span<FieldView const> from, std::span<FieldView const> to,
            Box const& box) override {
    if (breaks) throw DeviceBroke();
    LateAccelerator::copy(from, to, box);
  }
  bool breaks{false};
};

TEST_F(GridAfterFailureTest, Runs_no_more_when_values_did_not_move) {
  SumsAlongZ const sums;
  GridProblem const one{.box = two_fields.box, .values = {FaceValues{}}};
  auto const accelerator =
      std::make_shared<Unreadable>([&](Sweep const& sweep) { sums.sweep(sweep); });
  std::vector<GridDevice> devices(2, {.stencil = &sums});
  if (is_last()) devices[1].accelerator = accelerator;
  Grid grid(runtime_, one, devices, {.cut = ImageCut::stack});
  grid.run_all(2);
  accelerator->breaks = true;
  std::vector<std::int64_t> planes = grid.stacks()[0].planes;
  ++planes.front();
  --planes.back();
  EXPECT_ANY_THROW(grid.restack_all({planes}));
  accelerator->breaks = false;
  expect_refused(grid);
  grid.close_all();
}

}  // namespace
}  // namespace makespan::grid
