// SPDX-License-Identifier: Apache-2.0
// Goal: a grid that loses its overlap, falls back to another schedule, sends a halo twice, or packs
// point by point fails here: none of these changes a value. Method: what devices count as they
// send, against the plan that follows from the cut alone; on 1, 2 and 3 images, by stores and by
// messages.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "late_accelerator.hpp"
#include "makespan/grid/grid.hpp"
#include "makespan/pgas/runtime.hpp"
#include "weighted_sums.hpp"

namespace makespan::grid {
namespace {

constexpr Point counted_size{24, 16, 60};
constexpr int counted_steps = 4;
constexpr int counted_exchanges = counted_steps + 1;  // one for the values that are filled in

// Whose steps are made several at once. Only the first of them is right, and nothing is asked of
// values here.
class SeveralSums final : public WeightedSums {
 public:
  [[nodiscard]] StencilShape shape() const override {
    StencilShape shape = WeightedSums::shape();
    shape.steps_max = 2;
    return shape;
  }
};

// What this image's devices send in one exchange, by the plan of the whole cut.
struct Planned {
  std::int64_t messages{};
  std::int64_t bytes{};
  std::int64_t rows{};
  std::int64_t between_images{};
};

class HaloCountsTest : public testing::Test {
 protected:
  void TearDown() override { runtime_.finish_all(); }

  [[nodiscard]] GridProblem problem() const {
    return {.box = {{}, counted_size},
            .faces = faces_all(FaceKind::no_flux),
            .values = {FaceValues{}, FaceValues{}}};
  }

  // Of all devices of this image together.
  HaloCounts counts_of(GridOptions const& options) {
    return counts_of(options, problem(), {{.stencil = &stencil_}, {.stencil = &stencil_}});
  }
  HaloCounts counts_of(GridOptions const& options, GridProblem const& of,
                       std::vector<GridDevice> const& devices) {
    options_ = options;
    shape_ = devices.front().stencil->shape();
    Grid grid(runtime_, of, devices, options);
    grid.fill([](int, Point at) { return whole_number_at(at); });
    grid.run_all(counted_steps);
    stacks_ = grid.stacks();
    HaloCounts sum;
    for (HaloCounts const& one : grid.report().halos) {
      sum.messages += one.messages;
      sum.bytes += one.bytes;
      sum.hidden += one.hidden;
      sum.early += one.early;
      sum.direct += one.direct;
      sum.relayed += one.relayed;
      sum.copies += one.copies;
      sum.surplus += one.surplus;
    }
    grid.close_all();
    return sum;
  }

  [[nodiscard]] Planned planned() const {
    auto const slabs = slabs_of(stacks_);
    Halo halo = shape_.halo;
    if (options_.steps_at_once > 1) {
      halo = {.width = halo.width * options_.steps_at_once, .shape = HaloShape::box};
    }
    ExchangePlan plan = exchange_plan(slabs, {.box = {{}, counted_size}}, halo);
    if (options_.schedule == Schedule::pipeline) plan = in_blocks(plan, options_.blocks);
    int const me = static_cast<int>(runtime_.image().value());
    Planned found;
    for (HaloMessage const& message : plan.messages) {
      if (slabs[static_cast<std::size_t>(message.from_slab)].owner.image != me) continue;
      Point const size = message.from.extent();
      ++found.messages;
      found.bytes += message.from.points() * static_cast<std::int64_t>(sizeof(double));
      found.rows += size.y * size.z;
      int const to = slabs[static_cast<std::size_t>(message.to_slab)].owner.image;
      found.between_images += to == me ? 0 : 1;
    }
    return found;
  }

  void expect_sent_once(HaloCounts const& counts, std::string const& what) {
    Planned const plan = planned();
    ASSERT_GT(plan.messages, 0);
    EXPECT_EQ(counts.messages, counted_exchanges * plan.messages) << what;
    EXPECT_EQ(counts.bytes, counted_exchanges * plan.bytes) << what;
    EXPECT_EQ(counts.surplus, 0) << what;
    // A copy for each row, and none for each point.
    EXPECT_EQ(counts.copies, counted_exchanges * plan.rows) << what;
  }

  pgas::Runtime runtime_{{.threads = 3}};
  WeightedSums stencil_{};
  StencilShape shape_{stencil_.shape()};
  GridOptions options_{};
  std::vector<DeviceStack> stacks_{};
};

TEST_F(HaloCountsTest, Each_halo_is_sent_once_a_step) {
  for (Schedule const schedule : {Schedule::none, Schedule::overlap, Schedule::pipeline}) {
    for (Route const route : {Route::direct, Route::relayed}) {
      for (ImageCut const cut : {ImageCut::stack, ImageCut::boxes}) {
        GridOptions const options{.schedule = schedule, .route = route, .cut = cut};
        HaloCounts const counts = counts_of(options);
        expect_sent_once(counts, "schedule " + std::to_string(static_cast<int>(schedule)));
        std::int64_t const between = counted_exchanges * planned().between_images;
        EXPECT_EQ(counts.relayed, route == Route::relayed ? between : 0);
        // Within an image, at least, halos are packed where they are waited for.
        EXPECT_GE(counts.direct, counts.messages - between);
      }
    }
  }
}

TEST_F(HaloCountsTest, Each_halo_is_sent_once_beside_a_host_with_layers) {
  HaloCounts const counts = counts_of(
      {.layers = {
           .share = HostShare::front_back, .thickness = 3, .thickness_y = 3, .thickness_x = 2}});
  expect_sent_once(counts, "layers");
}

// Values that are filled in are exchanged before the first step, with nothing to hide behind.
TEST_F(HaloCountsTest, All_halos_travel_while_the_rest_is_computed) {
  HaloCounts const counts = counts_of({.schedule = Schedule::overlap, .cut = ImageCut::stack});

  EXPECT_EQ(counts.hidden, counted_steps * planned().messages);
  EXPECT_EQ(counts.early, 0);
}

// Each device has ten planes at least, and two layers of four: something is left behind which
// halos of two steps travel.
TEST_F(HaloCountsTest, All_halos_of_several_steps_travel_while_the_rest_is_computed) {
  SeveralSums const several;
  std::vector<GridDevice> const two(2, {.stencil = &several});
  for (Schedule const schedule : {Schedule::overlap, Schedule::none}) {
    HaloCounts const counts = counts_of(
        {.schedule = schedule, .cut = ImageCut::stack, .steps_at_once = 2}, problem(), two);

    constexpr int exchanges = counted_steps / 2;
    EXPECT_EQ(counts.messages, (exchanges + 1) * planned().messages);
    EXPECT_EQ(counts.bytes, (exchanges + 1) * planned().bytes);
    EXPECT_EQ(counts.hidden, schedule == Schedule::overlap ? exchanges * planned().messages : 0);
    EXPECT_EQ(counts.early, 0);
  }
}

TEST_F(HaloCountsTest, All_halos_of_accelerators_travel_while_they_compute) {
  SumsAlongZ const sums;
  GridProblem const one_field{.box = {{}, counted_size}, .values = {FaceValues{}}};
  for (Schedule const schedule : {Schedule::overlap, Schedule::none}) {
    std::vector<GridDevice> two(2, {.stencil = &sums});
    for (GridDevice& device : two) {
      device.accelerator =
          std::make_shared<LateAccelerator>([&](Sweep const& sweep) { sums.sweep(sweep); });
    }
    HaloCounts const counts =
        counts_of({.schedule = schedule, .cut = ImageCut::stack}, one_field, two);

    EXPECT_EQ(counts.messages, counted_exchanges * planned().messages);
    EXPECT_EQ(counts.hidden,
              schedule == Schedule::overlap ? counted_steps * planned().messages : 0);
    EXPECT_EQ(counts.early, 0);
  }
}

TEST_F(HaloCountsTest, No_halo_is_hidden_without_overlap) {
  HaloCounts const counts = counts_of({.schedule = Schedule::none, .cut = ImageCut::stack});

  EXPECT_EQ(counts.hidden, 0);
  EXPECT_EQ(counts.early, 0);
}

TEST_F(HaloCountsTest, Blocks_leave_before_the_boundary_is_done) {
  HaloCounts const counts =
      counts_of({.schedule = Schedule::pipeline, .blocks = 4, .cut = ImageCut::stack});
  auto const sent = planned();

  EXPECT_EQ(counts.hidden, counted_steps * sent.messages);
  // All but the last block of each device's boundary.
  EXPECT_EQ(counts.early, counted_steps * (sent.messages - 2));
  // Four times as many as without blocks.
  options_.schedule = Schedule::overlap;
  EXPECT_EQ(sent.messages, 4 * planned().messages);
}

}  // namespace
}  // namespace makespan::grid
