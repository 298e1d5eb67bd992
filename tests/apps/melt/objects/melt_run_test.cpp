// SPDX-License-Identifier: Apache-2.0
// Goal: a melt spread over places has the bits of one on one thread, wherever its objects are and
// however often they move. Method: lines, positions and velocities beside SerialMelt's.
#include "makespan/apps/melt/objects/melt_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <stdexcept>
#include <string>

#include "makespan/apps/melt/serial_melt.hpp"
#include "makespan/base/error.hpp"

namespace makespan::melt {
namespace {

// 864 atoms in 27 cells and 378 computes.
MeltSettings small_melt() {
  return {.lattice_cells = {6, 6, 6},
          .cells = {3, 3, 3},
          .rebuild_steps = 5,
          .steps = 23,
          .thermo_steps = 4};
}

class MeltRunTest : public testing::TestWithParam<int> {
 protected:
  ~MeltRunTest() override { runtime_.finish_all(); }

  MeltReport run(MeltSettings const& settings, MeltOptions options) {
    options.world.threads = GetParam();
    options.frame_steps = 7;
    options.on_frame = [this](Frame const& frame) { frames_.push_back(frame); };
    frames_.clear();
    return run_melt_all(runtime_, settings, options);
  }
  [[nodiscard]] bool is_first() const { return runtime_.image() == ImageId{0}; }

  // Collective: all images run, image 0 compares.
  void expect_bits_of_one_thread(MeltOptions const& options) {
    MeltSettings const settings = small_melt();
    MeltReport const report = run(settings, options);
    if (!is_first()) return;

    SerialMelt serial(settings, Kernels::named("auto"));
    std::vector<Thermo> const lines = serial.run();
    ASSERT_EQ(report.lines.size(), lines.size());
    for (std::size_t at = 0; at < lines.size(); ++at) {
      EXPECT_EQ(report.lines[at].step, lines[at].step);
      EXPECT_EQ(std::bit_cast<std::uint64_t>(report.lines[at].total_energy),
                std::bit_cast<std::uint64_t>(lines[at].total_energy))
          << "step " << lines[at].step;
      EXPECT_EQ(std::bit_cast<std::uint64_t>(report.lines[at].pressure),
                std::bit_cast<std::uint64_t>(lines[at].pressure));
    }
    ASSERT_EQ(frames_.size(), 5U);  // 0, 7, 14, 21, and the last
    EXPECT_EQ(frames_.back().step, settings.steps);
    std::vector<Atom> const atoms = serial.atoms();
    for (std::size_t at = 0; at < atoms.size(); ++at) {
      ASSERT_EQ(frames_.back().positions[at], atoms[at].position) << "atom " << at;
    }
  }

  pgas::Runtime runtime_{{.threads = GetParam()}};
  std::vector<Frame> frames_;
};

TEST_P(MeltRunTest, Has_the_bits_of_one_thread) {
  expect_bits_of_one_thread({.phase_steps = 10});
}

TEST_P(MeltRunTest, Has_them_from_another_first_map_and_in_phases_of_one_step) {
  expect_bits_of_one_thread({.phase_steps = 1, .first_map = graph::InitialMap::round_robin});
}

TEST_P(MeltRunTest, Has_them_while_all_objects_move_all_the_time) {
  MeltOptions options{.phase_steps = 2};
  options.world.balance.trigger.when = graph::BalanceWhen::periodic;
  options.world.balance.balancer = "random";
  expect_bits_of_one_thread(options);
}

TEST_P(MeltRunTest, Has_them_with_lists_made_anew_in_every_step) {
  MeltSettings settings = small_melt();
  settings.rebuild_steps = 1;
  settings.steps = 6;
  MeltReport const report = run(settings, {.phase_steps = 3});
  if (!is_first()) return;

  auto const lines = SerialMelt(settings, Kernels::named("auto")).run();
  ASSERT_EQ(report.lines.size(), lines.size());
  EXPECT_EQ(report.lines.back().total_energy, lines.back().total_energy);
}

TEST_P(MeltRunTest, Of_no_steps_has_the_first_forces) {
  MeltSettings settings = small_melt();
  settings.steps = 0;
  MeltReport const report = run(settings, {});
  if (!is_first()) return;

  ASSERT_EQ(report.lines.size(), 1U);
  EXPECT_EQ(report.lines[0].total_energy,
            SerialMelt(settings, Kernels::named("auto")).thermo().total_energy);
}

TEST_P(MeltRunTest, Tells_what_each_object_took_and_where_it_was) {
  MeltOptions options{.phase_steps = 5};
  options.world.balance.trigger.when = graph::BalanceWhen::never;
  MeltReport const report = run(small_melt(), options);
  if (!is_first()) return;

  EXPECT_EQ(report.first_shares.phase, 1);
  EXPECT_EQ(report.last_shares.phase, 5);
  for (PhaseShares const* each : {&report.first_shares, &report.last_shares}) {
    ASSERT_EQ(each->shares.size(), 27U + 378U);
    for (std::size_t at = 0; at < each->shares.size(); ++at) {
      EXPECT_EQ(each->shares[at].index, static_cast<std::int32_t>(at));
      EXPECT_GT(each->shares[at].cpu_s, 0.0);
    }
  }
  EXPECT_EQ(report.steps, 23);
  EXPECT_EQ(report.phases.size(), 5U);
}

TEST_P(MeltRunTest, Can_be_stopped) {
  MeltReport const report =
      run(small_melt(), {.phase_steps = 5, .on_phase = [](std::int64_t steps) {
                           return steps < 10 ? graph::Next::go_on : graph::Next::stop;
                         }});
  EXPECT_EQ(report.steps, is_first() ? 10 : 0);
}

// A checkpoint is written after a phase has been told of: nothing that lies before it is untold.
TEST_P(MeltRunTest, Tells_all_lines_and_frames_of_a_phase_before_it_goes_on) {
  std::vector<std::int64_t> lines;
  std::vector<std::int64_t> told_with;
  MeltOptions options{.phase_steps = 5};
  options.world.checkpoint.every = 1;
  options.on_thermo = [&](Thermo const& line) { lines.push_back(line.step); };
  options.on_phase = [&](std::int64_t steps) {
    EXPECT_EQ(lines.back(), steps == 23 ? 23 : steps / 4 * 4);
    EXPECT_EQ(frames_.back().step, steps == 23 ? 23 : steps / 7 * 7);
    told_with.push_back(steps);
    return graph::Next::go_on;
  };
  run(small_melt(), options);
  if (!is_first()) return;

  EXPECT_EQ(lines, (std::vector<std::int64_t>{0, 4, 8, 12, 16, 20, 23}));
  EXPECT_EQ(told_with, (std::vector<std::int64_t>{5, 10, 15, 20, 23}));
}

TEST_P(MeltRunTest, Refuses_invalid_options) {
  EXPECT_THROW(static_cast<void>(run(small_melt(), {.phase_steps = 0})), InputError);
  EXPECT_THROW(static_cast<void>(run(small_melt(), {.phase_steps = steps_max + 1})), InputError);
  EXPECT_THROW(static_cast<void>(run(small_melt(), {.isa = "abacus"})), InputError);
  EXPECT_THROW(static_cast<void>(run({.cells = {2, 5, 5}}, {})), InputError);
}

TEST_P(MeltRunTest, Says_when_atoms_fly_apart) {
  for (double const time_step : {0.1, 5.0, 1e30}) {
    MeltSettings settings = small_melt();
    settings.time_step = time_step;
    settings.thermo_steps = 23;
    // Of another image's places the text alone comes here.
    EXPECT_THAT([&] { static_cast<void>(run(settings, {})); },
                testing::Throws<std::runtime_error>(testing::Property(
                    &std::runtime_error::what, testing::HasSubstr("take a smaller time_step"))))
        << time_step;
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, MeltRunTest, testing::Values(1, 2),
                         [](auto const& threads) { return std::to_string(threads.param); });

}  // namespace
}  // namespace makespan::melt
