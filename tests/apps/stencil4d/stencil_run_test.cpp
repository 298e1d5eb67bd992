// SPDX-License-Identifier: Apache-2.0
// Goal: the answer is that of the mathematics, and has the same bits wherever blocks are and
// however they move. Method: closed forms (a constant, a cosine, the sum), and a serial sweep over
// the whole array, which knows of no blocks.
#include "makespan/apps/stencil4d/stencil_run.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "makespan/apps/stencil4d/detail/block.hpp"
#include "makespan/apps/stencil4d/detail/initial_values.hpp"
#include "makespan/base/error.hpp"
#include "makespan/base/fnv1a.hpp"
#include "makespan/graph/object/object_world.hpp"
#include "makespan/pgas/runtime.hpp"

namespace makespan::stencil4d {
namespace {

// The whole array, as one.
class Serial {
 public:
  explicit Serial(Settings const& settings) : settings_(settings), values_(points4()) {
    InitialValues const initial(settings);
    for (std::size_t at = 0; at < values_.size(); ++at) values_[at] = initial.at(point(at));
  }

  void step() {
    std::vector<double> next(values_.size());
    for (std::size_t at = 0; at < values_.size(); ++at) next[at] = mean_of_nine(point(at));
    values_ = std::move(next);
    if (settings_.low_faces == LowFaces::kept) return;
    for (std::size_t at = 0; at < values_.size(); ++at) {
      for (int const coordinate : point(at)) {
        if (coordinate % settings_.side == 0) values_[at] = 255.0;
      }
    }
  }

  // As stencil4d::Outcome has them.
  [[nodiscard]] std::vector<std::uint64_t> checksums() const {
    std::vector<std::vector<double>> blocks(static_cast<std::size_t>(settings_.blocks()));
    for (std::size_t at = 0; at < values_.size(); ++at) {
      Point corner = point(at);
      for (int& coordinate : corner) coordinate /= settings_.side;
      blocks[static_cast<std::size_t>(index_of(corner, settings_.grid()))].push_back(values_[at]);
    }
    std::vector<std::uint64_t> checksums;
    for (auto const& block : blocks) checksums.push_back(fnv1a(std::as_bytes(std::span(block))));
    return checksums;
  }

 private:
  [[nodiscard]] std::size_t points4() const {
    auto const points = static_cast<std::size_t>(settings_.points);
    return points * points * points * points;
  }
  [[nodiscard]] Point point(std::size_t at) const {
    return coordinates_of(static_cast<int>(at), settings_.points);
  }
  [[nodiscard]] double beside(Point at, std::size_t axis, int way) const {
    at[axis] = (at[axis] + way + settings_.points) % settings_.points;
    return values_[static_cast<std::size_t>(index_of(at, settings_.points))];
  }
  // Added in the order of sweep().
  [[nodiscard]] double mean_of_nine(Point const& at) const {
    std::array<double, 4> pairs{};
    for (std::size_t axis = 0; axis < 4; ++axis) {
      pairs[axis] = beside(at, axis, -1) + beside(at, axis, 1);
    }
    double const sum = (pairs[0] + pairs[1]) + (pairs[2] + pairs[3]);
    return (sum + values_[static_cast<std::size_t>(index_of(at, settings_.points))]) * (1.0 / 9.0);
  }

  Settings settings_;
  std::vector<double> values_;
};

class StencilRun : public testing::TestWithParam<int> {
 protected:
  [[nodiscard]] Outcome run(Settings const& settings, graph::BalanceWhen when) {
    graph::WorldOptions options{.threads = GetParam()};
    options.balance.trigger.when = when;
    options.balance.trigger.every = 1;
    graph::ObjectWorld world(*runtime_, options);
    return run_all(world, settings);
  }
  // One for all tests: beginning and ending a job takes longer than they do.
  static void SetUpTestSuite() {
    runtime_ = std::make_unique<pgas::Runtime>(pgas::RuntimeOptions{.threads = 2});
  }
  static void TearDownTestSuite() {
    runtime_->finish_all();
    runtime_.reset();
  }

  inline static std::unique_ptr<pgas::Runtime> runtime_;
};

TEST_P(StencilRun, A_constant_stays_to_the_last_bit) {
  auto const outcome = run({.points = 8, .side = 4, .steps = 5, .initial = Initial::constant},
                           graph::BalanceWhen::never);

  EXPECT_EQ(outcome.deviation_max, 0.0);
  EXPECT_EQ(outcome.sum_last, 255.0 * 8 * 8 * 8 * 8);
}

TEST_P(StencilRun, A_cosine_decays_by_its_factor) {
  for (auto const& mode :
       {std::array{1, 0, 0, 0}, std::array{0, 2, 1, 3}, std::array{1, 1, 1, 1}}) {
    auto const outcome =
        run({.points = 12, .side = 4, .steps = 10, .mode = mode}, graph::BalanceWhen::never);

    ASSERT_TRUE(outcome.deviation_max);
    EXPECT_LE(*outcome.deviation_max, 1e-12);
  }
}

TEST_P(StencilRun, The_sum_stays) {
  auto const outcome =
      run({.points = 8, .side = 4, .steps = 20, .steps_per_phase = 5, .initial = Initial::random},
          graph::BalanceWhen::automatic);

  EXPECT_FALSE(outcome.deviation_max);
  EXPECT_NEAR(outcome.sum_last / outcome.sum_first, 1.0, 1e-12);
}

TEST_P(StencilRun, Bits_are_those_of_a_serial_run_wherever_blocks_are) {
  Settings settings{.points = 8, .side = 2, .steps = 6, .initial = Initial::random};
  for (LowFaces const low_faces : {LowFaces::kept, LowFaces::reset}) {
    settings.low_faces = low_faces;
    Serial serial(settings);
    for (std::int64_t step = 0; step < settings.steps; ++step) serial.step();
    settings.map = graph::InitialMap::block;
    settings.steps_per_phase = 2;
    EXPECT_EQ(run(settings, graph::BalanceWhen::periodic).checksums, serial.checksums());
    settings.map = graph::InitialMap::round_robin;
    settings.steps_per_phase = 6;
    EXPECT_EQ(run(settings, graph::BalanceWhen::never).checksums, serial.checksums());
  }
}

TEST_P(StencilRun, Work_changes_no_bit) {
  Settings settings{.points = 8, .side = 4, .steps = 3, .initial = Initial::random};
  auto const five = run(settings, graph::BalanceWhen::never);

  settings.work_max = 1;
  EXPECT_EQ(run(settings, graph::BalanceWhen::never).checksums, five.checksums);
}

TEST_P(StencilRun, Every_face_comes_once_and_phases_are_reported) {
  auto const outcome =
      run({.points = 6, .side = 3, .steps = 8, .steps_per_phase = 4}, graph::BalanceWhen::never);

  EXPECT_EQ(outcome.faces, 8 * 16 * 8);
  EXPECT_EQ(outcome.face_bytes, 8.0 * 16 * 8 * 27 * 8);
  bool const is_first = runtime_->image() == ImageId{0};
  EXPECT_EQ(outcome.reports.size(), is_first ? 2U : 0U);
  EXPECT_EQ(outcome.total_s > 0.0, is_first);
  // Those that begin the phase, faces, and word of where objects are.
  for (auto const& report : outcome.reports) EXPECT_GE(report.messages, 16 + 4 * 8 * 16);
}

TEST_P(StencilRun, One_block_is_its_own_neighbour) {
  Settings const settings{
      .points = 4, .side = 4, .steps = 4, .steps_per_phase = 4, .initial = Initial::random};
  Serial serial(settings);
  for (std::int64_t step = 0; step < settings.steps; ++step) serial.step();

  EXPECT_EQ(run(settings, graph::BalanceWhen::never).checksums, serial.checksums());
}

TEST_P(StencilRun, Invalid_settings_are_refused) {
  EXPECT_THROW(static_cast<void>(run({.points = 7, .side = 2}, graph::BalanceWhen::never)),
               InputError);
}

// The program moves blocks while their faces are under way, which no balancer does.
TEST_P(StencilRun, Blocks_may_move_in_the_middle_of_steps) {
  Settings const settings{.points = 6, .side = 2, .steps = 12, .initial = Initial::random};
  InitialValues const values(settings);
  graph::ObjectWorld world(*runtime_, {.threads = GetParam()});
  auto const blocks = world.add<Block>("blocks", settings.blocks());
  std::vector<std::uint64_t> found(static_cast<std::size_t>(blocks.count));

  world.run_all(
      {.create =
           [&](graph::ObjectPlace& here) {
             for (int index = 0; index < blocks.count; ++index) {
               if (!here.is_in_block(blocks, index)) continue;
               here.create(blocks, index,
                           Block({.all = blocks, .index = index, .grid = 3, .side = 2, .work = 1},
                                 values.block(index)));
             }
           },
       .begin =
           [&](graph::ObjectPlace& here, std::int64_t phase) {
             std::vector<int> mine;
             here.for_each(blocks, [&](int index, Block const&) { mine.push_back(index); });
             for (int const index : mine) {
               here.send<&Block::start>(blocks, index, std::int64_t{4});
               int const place = (index + static_cast<int>(phase)) % here.places();
               if (index % 3 == 0) here.migrate(blocks, index, place);
             }
           },
       .end =
           [&](graph::ObjectPlace& here) {
             here.for_each(blocks, [&](int index, Block const& block) {
               std::vector<double> own;
               for_each_row(block.halo(), 2, [&](std::span<double const> row) {
                 own.insert(own.end(), row.begin(), row.end());
               });
               found[static_cast<std::size_t>(index)] = fnv1a(std::as_bytes(std::span(own)));
             });
           },
       .phases = 3});

  std::vector<std::uint64_t> all(found.size());
  runtime_->team().all_reduce_all(pgas::ReduceOp::sum, std::span<std::uint64_t const>(found),
                                  std::span(all));
  Serial serial(settings);
  for (int step = 0; step < 12; ++step) serial.step();
  EXPECT_EQ(all, serial.checksums());
}

INSTANTIATE_TEST_SUITE_P(Threads, StencilRun, testing::Values(1, 2));

}  // namespace
}  // namespace makespan::stencil4d
