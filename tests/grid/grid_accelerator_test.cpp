// SPDX-License-Identifier: Apache-2.0
// Goal: what an accelerator computed is told apart from what the thread did that drives it, and one
// that fails outside of the steps ends what all images do together in an error on all of them.
// Method: accelerators on the host that do everything as late as they may, and say what it took; on
// 1, 2 and 3 images, of which the last has one beside its threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "late_accelerator.hpp"
#include "makespan/grid/grid.hpp"
#include "makespan/pgas/runtime.hpp"
#include "weighted_sums.hpp"

namespace makespan::grid {
namespace {

class Gone : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Fails in one of its functions as long as it is told to.
class GoneAccelerator final : public LateAccelerator {
 public:
  enum class In : std::uint8_t { none, find_bad_value, digests, range, sum, pack, unpack, copy };

  using LateAccelerator::LateAccelerator;
  [[nodiscard]] std::optional<BadValue> find_bad_value(std::span<FieldView const> views) override {
    fail_in(In::find_bad_value);
    return LateAccelerator::find_bad_value(views);
  }
  void add_digests(std::span<FieldView const> views, Box const& domain,
                   std::span<Digest> planes) override {
    fail_in(In::digests);
    LateAccelerator::add_digests(views, domain, planes);
  }
  [[nodiscard]] ValueRange range_of(FieldView const& view) override {
    fail_in(In::range);
    return LateAccelerator::range_of(view);
  }
  [[nodiscard]] FixedSum sum_of(FieldView const& view, int scale) override {
    fail_in(In::sum);
    return LateAccelerator::sum_of(view, scale);
  }
  void pack(std::span<FieldView const> views, Box const& box, double* to, HaloSide side) override {
    fail_in(In::pack);
    LateAccelerator::pack(views, box, to, side);
  }
  void unpack(double const* from, std::span<FieldView const> views, Box const& box,
              HaloSide side) override {
    fail_in(In::unpack);
    LateAccelerator::unpack(from, views, box, side);
  }
  void copy(std::span<FieldView const> from, std::span<FieldView const> to,
            Box const& box) override {
    fail_in(In::copy);
    LateAccelerator::copy(from, to, box);
  }
  In in{In::none};

 private:
  void fail_in(In here) const {
    if (in == here) throw Gone("the accelerator has gone");
  }
};

class GridAcceleratorTest : public testing::Test {
 protected:
  using In = GoneAccelerator::In;

  void TearDown() override { runtime_.finish_all(); }

  [[nodiscard]] bool is_last() const { return runtime_.image().value() == runtime_.images() - 1; }

  // Two devices, of which the last image's second is the accelerator.
  [[nodiscard]] std::vector<GridDevice> two_devices() {
    std::vector<GridDevice> two(2, {.stencil = &sums_});
    if (is_last()) two[1].accelerator = accelerator_;
    return two;
  }

  template <class Work>
  void expect_stopped_in(In in, Work&& work) {
    accelerator_->in = in;
    if (is_last()) {
      EXPECT_THROW(work(), Gone) << static_cast<int>(in);
    } else {
      EXPECT_THAT(work,
                  testing::ThrowsMessage<GridStopped>(testing::HasSubstr("accelerator has gone")))
          << static_cast<int>(in);
    }
    accelerator_->in = In::none;
  }

  // The accelerator's first plane goes to the device before it.
  static std::vector<std::int64_t> moved_by_one(Grid const& grid) {
    std::vector<std::int64_t> planes = grid.stacks()[0].planes;
    ++planes.front();
    --planes.back();
    return planes;
  }

  pgas::Runtime runtime_{{.threads = 2}};
  SumsAlongZ sums_{};
  GridProblem const one_field_{.box = {{}, {9, 5, 60}}, .values = {FaceValues{}}};
  std::shared_ptr<GoneAccelerator> accelerator_{
      std::make_shared<GoneAccelerator>([this](Sweep const& sweep) { sums_.sweep(sweep); })};
};

// It says 1 us for each plane that it swept, however long its thread was at what.
TEST_F(GridAcceleratorTest, Tells_what_the_accelerator_computed_by_its_own_measure) {
  constexpr std::int64_t steps = 6;
  for (Schedule const schedule : {Schedule::overlap, Schedule::none}) {
    Grid grid(runtime_, one_field_, two_devices(),
              {.schedule = schedule, .cut = ImageCut::stack, .phases_kept = 1000});
    grid.fill([](int, Point at) { return whole_number_at(at); });
    grid.run_all(steps);

    std::vector<DeviceTimes> const times = grid.report().devices;
    std::vector<std::vector<PhaseSpan>> const phases = grid.phases();
    EXPECT_EQ(times[0].busy, times[0].boundary + times[0].interior);
    if (is_last()) {
      double const of_step = 1e-6 * static_cast<double>(grid.stacks()[0].planes.back());
      EXPECT_NEAR(times[1].busy.value(), of_step * steps, 1e-9 * steps);
      std::vector<std::int64_t> at_steps;
      for (PhaseSpan const& span : phases[1]) {
        if (span.phase != Phase::sweep) continue;
        at_steps.push_back(span.step);
        EXPECT_NEAR((span.end - span.begin).value(), of_step, 2e-9);
      }
      EXPECT_THAT(at_steps, testing::ElementsAre(0, 1, 2, 3, 4, 5));
    }
    for (PhaseSpan const& span : phases[0]) EXPECT_NE(span.phase, Phase::sweep);
    grid.close_all();
  }
}

TEST_F(GridAcceleratorTest, Stops_all_images_where_it_fails_between_steps) {
  Grid grid(runtime_, one_field_, two_devices(), {.cut = ImageCut::stack});
  grid.fill([](int, Point at) { return whole_number_at(at); });
  grid.run_all(3);
  auto const digests = grid.digests_all();
  std::vector<double> const values = grid.gather_all(0, one_field_.box);

  expect_stopped_in(In::find_bad_value, [&] { static_cast<void>(grid.find_bad_value_all()); });
  expect_stopped_in(In::digests, [&] { static_cast<void>(grid.digests_all()); });
  expect_stopped_in(In::range, [&] { static_cast<void>(grid.summary_all(0, one_field_.box)); });
  expect_stopped_in(In::sum, [&] { static_cast<void>(grid.summary_all(0, one_field_.box)); });
  expect_stopped_in(In::pack, [&] { static_cast<void>(grid.gather_all(0, one_field_.box)); });
  expect_stopped_in(In::unpack, [&] { grid.scatter_all(0, one_field_.box, values); });

  // All are at the same place of what they do together.
  grid.scatter_all(0, one_field_.box, values);
  EXPECT_EQ(grid.digests_all(), digests);
  grid.close_all();
}

TEST_F(GridAcceleratorTest, Stops_all_images_where_it_fails_while_planes_move) {
  for (In const in : {In::copy, In::pack}) {
    Grid grid(runtime_, one_field_, two_devices(), {.cut = ImageCut::stack});
    expect_stopped_in(in, [&] { grid.restack_all({moved_by_one(grid)}); });
    grid.close_all();
  }
}

}  // namespace
}  // namespace makespan::grid
