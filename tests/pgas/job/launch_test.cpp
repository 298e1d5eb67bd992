// SPDX-License-Identifier: Apache-2.0
// Goal: launchers are known by what they leave in the environment. Method: environments as maps, as
// the launchers set them (MPICH 4.0, Open MPI 4.1 and 5.0, Slurm 23).
#include "makespan/pgas/job/launch.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace makespan::pgas {
namespace {

Launch launch_in(std::map<std::string, std::string> const& variables) {
  return detect_launch([&](char const* name) -> char const* {
    auto const found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(Launch, Launch_is_none_in_a_plain_environment) {
  Launch const launch = launch_in({{"HOME", "/root"}, {"SLURM_JOB_ID", "17"}});

  EXPECT_FALSE(launch.is_launched());
  EXPECT_EQ(launch.kind, LauncherKind::none);
}

TEST(Launch, Launch_knows_mpich) {
  Launch const launch = launch_in({{"PMI_RANK", "2"}, {"PMI_SIZE", "3"}, {"PMI_FD", "7"}});

  EXPECT_NE(launch.launcher.find("MPICH"), std::string::npos);
  EXPECT_EQ(launch.kind, LauncherKind::pmi);
  EXPECT_EQ(launch.size, 3);
  EXPECT_EQ(launch.image, 2);
}

TEST(Launch, Launch_knows_open_mpi_from_its_pmix) {
  Launch const launch = launch_in({{"PMIX_RANK", "0"},
                                   {"PMIX_NAMESPACE", "prterun-host-1@1"},
                                   {"OMPI_COMM_WORLD_RANK", "0"},
                                   {"OMPI_COMM_WORLD_SIZE", "5"}});

  EXPECT_NE(launch.launcher.find("Open MPI"), std::string::npos);
  EXPECT_EQ(launch.kind, LauncherKind::open_mpi);
  EXPECT_EQ(launch.size, 5);
}

TEST(Launch, Launch_by_slurm_with_pmix_takes_the_size_of_the_step) {
  Launch const launch =
      launch_in({{"PMIX_RANK", "1"}, {"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_NTASKS", "8"}});

  EXPECT_NE(launch.launcher.find("Slurm"), std::string::npos);
  EXPECT_EQ(launch.kind, LauncherKind::any);
  EXPECT_EQ(launch.size, 4);
  EXPECT_EQ(launch.image, 1);
}

TEST(Launch, Launch_knows_the_place_on_the_node) {
  Launch const mpich = launch_in(
      {{"PMI_RANK", "5"}, {"PMI_SIZE", "8"}, {"MPI_LOCALRANKID", "1"}, {"MPI_LOCALNRANKS", "4"}});
  EXPECT_EQ(mpich.node_rank, 1);
  EXPECT_EQ(mpich.node_size, 4);

  Launch const open_mpi = launch_in({{"OMPI_COMM_WORLD_RANK", "5"},
                                     {"OMPI_COMM_WORLD_SIZE", "8"},
                                     {"OMPI_COMM_WORLD_LOCAL_RANK", "3"},
                                     {"OMPI_COMM_WORLD_LOCAL_SIZE", "6"}});
  EXPECT_EQ(open_mpi.node_rank, 3);
  EXPECT_EQ(open_mpi.node_size, 6);

  Launch const slurm =
      launch_in({{"PMIX_RANK", "5"}, {"SLURM_STEP_NUM_TASKS", "8"}, {"SLURM_LOCALID", "2"}});
  EXPECT_EQ(slurm.node_rank, 2);
  EXPECT_EQ(slurm.node_size, std::nullopt);
}

TEST(Launch, Launch_by_some_pmix_has_no_size) {
  Launch const launch = launch_in({{"PMIX_RANK", "1"}});

  EXPECT_TRUE(launch.is_launched());
  EXPECT_EQ(launch.size, std::nullopt);
}

// srun without PMI: MPI would make one job of each process without an error.
TEST(Launch, Launch_by_slurm_without_pmi_is_seen) {
  Launch const launch = launch_in({{"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_PROCID", "3"}});

  EXPECT_TRUE(launch.is_launched());
  EXPECT_EQ(launch.size, 4);
  EXPECT_EQ(launch.image, 3);
}

TEST(Launch, Launch_in_a_slurm_step_of_one_task_is_none) {
  EXPECT_FALSE(launch_in({{"SLURM_STEP_NUM_TASKS", "1"}, {"SLURM_PROCID", "0"}}).is_launched());
}

TEST(Launch, Launch_by_mpiexec_within_a_slurm_step_is_the_mpiexecs) {
  Launch const launch =
      launch_in({{"PMI_RANK", "0"}, {"PMI_SIZE", "2"}, {"SLURM_STEP_NUM_TASKS", "1"}});

  EXPECT_EQ(launch.size, 2);
}

TEST(Launch, Launch_ignores_what_is_no_number) {
  EXPECT_FALSE(launch_in({{"PMI_RANK", ""}, {"PMI_SIZE", "2"}}).is_launched());
  EXPECT_FALSE(launch_in({{"PMI_RANK", "1x"}, {"PMI_SIZE", "2"}}).is_launched());
  EXPECT_FALSE(launch_in({{"PMI_RANK", "-1"}, {"PMI_SIZE", "2"}}).is_launched());
  EXPECT_FALSE(launch_in({{"PMI_RANK", "99999999999"}, {"PMI_SIZE", "2"}}).is_launched());
}

}  // namespace
}  // namespace makespan::pgas
