// SPDX-License-Identifier: Apache-2.0
// Goal: image 0 runs one melt after the other with the threads of all images, takes them up from
// checkpoints, and what is refused is refused by all. Method: digests beside those of one thread.
#include "makespan/apps/melt/objects/melt_team.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>
#include <chrono>
#include <filesystem>
#include <thread>

#include "makespan/apps/melt/atoms_digest.hpp"
#include "makespan/apps/melt/serial_melt.hpp"
#include "makespan/base/error.hpp"
#include "scoped_variable.hpp"

namespace makespan::melt {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::ThrowsMessage;

MeltSettings small_melt(std::int64_t steps) {
  return {.lattice_cells = {6, 6, 6}, .cells = {3, 3, 3}, .rebuild_steps = 5, .steps = steps};
}

std::vector<Digest> digests_of_one_thread(std::int64_t steps) {
  SerialMelt serial(small_melt(steps), Kernels::named("auto"));
  static_cast<void>(serial.run());
  std::vector<Digest> digests;
  for (Cell const& cell : serial.cells()) digests.push_back(atoms_digest(cell.atoms()));
  return digests;
}

// Image 0 writes a file, say, for longer than a wait may last.
class PatientMeltTeam : public testing::Test {
 protected:
  ScopedVariable limit_{"MAKESPAN_WAIT_LIMIT_S", "2"};
  MeltTeam team_{2};
};

TEST_F(PatientMeltTeam, Waits_for_melts_as_long_as_image_0_lives) {
  if (team_.image() != 0) {
    EXPECT_NO_THROW(team_.serve());
  } else {
    std::this_thread::sleep_for(std::chrono::seconds(3));
    EXPECT_EQ(team_.run(small_melt(6), {.phase_steps = 4}).steps, 6);
  }
  team_.finish_all();
}

// Image 0 does what the test says; the others serve.
class MeltTeamTest : public testing::Test {
 protected:
  ~MeltTeamTest() override {
    team_.finish_all();
    if (is_first()) fs::remove_all(folder_);
  }
  [[nodiscard]] bool is_first() const { return team_.image() == 0; }
  [[nodiscard]] bool serves() {
    if (!is_first()) team_.serve();
    return !is_first();
  }

  MeltTeam team_{2};
  fs::path folder_{fs::temp_directory_path() / ("makespan_melt_" + std::to_string(::getpid()))};
};

TEST_F(MeltTeamTest, Has_the_digests_of_one_thread_twice) {
  if (serves()) return;
  for (std::int64_t const steps : {6, 11}) {
    MeltReport const report = team_.run(small_melt(steps), {.phase_steps = 4});
    EXPECT_EQ(report.digests, digests_of_one_thread(steps));
    EXPECT_EQ(report.places, 2 * team_.images());
    EXPECT_EQ(report.steps, steps);
  }
}

// The places of some balancers decide together, on all images.
TEST_F(MeltTeamTest, Balances_by_what_image_0_says) {
  if (serves()) return;
  using graph::BalanceWhen;
  std::vector<graph::BalanceOptions> const ways{
      {.trigger = {.when = BalanceWhen::never}, .balancer = "greedy"},
      {.trigger = {.when = BalanceWhen::periodic}, .balancer = "random"},
      {.trigger = {.when = BalanceWhen::periodic}, .balancer = "gossip"},
      {.trigger = {.when = BalanceWhen::periodic},
       .balancer = "makespan",
       .balancer_options = {{"phases", 30}},
       .load_model = "last",
       .speeds = std::vector<double>(static_cast<std::size_t>(2 * team_.images()), 2.0)}};
  for (graph::BalanceOptions const& way : ways) {
    MeltReport const report =
        team_.run(small_melt(11), {.world = {.balance = way}, .phase_steps = 2});
    EXPECT_EQ(report.digests, digests_of_one_thread(11)) << way.balancer;
  }
}

TEST_F(MeltTeamTest, Goes_on_from_a_checkpoint) {
  if (serves()) return;
  MeltOptions options{.phase_steps = 4};
  options.world.checkpoint = {.every = 1, .folder = folder_};
  static_cast<void>(team_.run(small_melt(8), options));
  options.world.checkpoint = {.from = folder_ / "phase-3"};
  MeltReport const report = team_.run(small_melt(14), options);

  EXPECT_EQ(report.first_step, 8);
  EXPECT_EQ(report.steps, 14);
  EXPECT_EQ(report.phases.size(), 2U);
  EXPECT_EQ(report.digests, digests_of_one_thread(14));

  EXPECT_THAT([&] { static_cast<void>(team_.run(small_melt(8), options)); },
              ThrowsMessage<InputError>(HasSubstr("steps = 8 (the checkpoint has done all")));
}

TEST_F(MeltTeamTest, A_run_that_is_stopped_tells_what_it_knows) {
  if (serves()) return;
  MeltReport const report =
      team_.run(small_melt(20), {.phase_steps = 2, .on_phase = [](std::int64_t steps) {
                                   return steps < 6 ? graph::Next::go_on : graph::Next::stop;
                                 }});
  EXPECT_EQ(report.steps, 6);
  EXPECT_THAT(report.digests, testing::IsEmpty());
  EXPECT_EQ(report.first_shares.phase, 1);
  EXPECT_EQ(report.last_shares.phase, 1);  // later phases are not measured
}

TEST_F(MeltTeamTest, Refuses_and_goes_on) {
  if (serves()) return;
  MeltOptions options{};
  options.world.checkpoint.from = folder_ / "nowhere";
  EXPECT_THAT([&] { static_cast<void>(team_.run(small_melt(2), options)); },
              ThrowsMessage<InputError>(HasSubstr("nowhere")));
  EXPECT_THROW(static_cast<void>(team_.run({.cells = {2, 5, 5}}, {})), InputError);
  EXPECT_EQ(team_.run(small_melt(2), {}).digests, digests_of_one_thread(2));
}

}  // namespace
}  // namespace makespan::melt
