// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/job/launch.hpp"

#include <array>
#include <charconv>
#include <cstring>

namespace makespan::pgas {

namespace {

// What one launcher sets. `rank` is always there; the others are null where it does not tell.
struct LauncherMark {
  LauncherKind kind;
  char const* launcher;
  char const* rank;
  char const* size;
  char const* node_rank;
  char const* node_size;
};

// Ordered from the inside out: mpiexec runs within an allocation of Slurm, and mpirun of Open MPI
// sets the variables of PMIx too.
constexpr std::array launcher_marks{
    LauncherMark{LauncherKind::open_mpi, "mpirun of Open MPI", "OMPI_COMM_WORLD_RANK",
                 "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
                 "OMPI_COMM_WORLD_LOCAL_SIZE"},
    LauncherMark{LauncherKind::pmi, "mpiexec of MPICH, or one that speaks PMI", "PMI_RANK",
                 "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
    LauncherMark{LauncherKind::any, "srun of Slurm with PMIx", "PMIX_RANK", "SLURM_STEP_NUM_TASKS",
                 "SLURM_LOCALID", nullptr},
    LauncherMark{LauncherKind::any, "a launcher that speaks PMIx", "PMIX_RANK", nullptr, nullptr,
                 nullptr},
};

std::optional<int> number_in(Environment const& environment, char const* name) {
  char const* const text = name == nullptr ? nullptr : environment(name);
  if (text == nullptr) return std::nullopt;
  int number = 0;
  char const* const end = text + std::strlen(text);
  auto const [stop, error] = std::from_chars(text, end, number);
  if (error != std::errc{} || stop != end || number < 0) return std::nullopt;
  return number;
}

}  // namespace

Launch detect_launch(Environment const& environment) {
  for (LauncherMark const& mark : launcher_marks) {
    auto const image = number_in(environment, mark.rank);
    auto const size = number_in(environment, mark.size);
    if (!image || (!size && mark.size != nullptr)) continue;
    return {.launcher = mark.launcher,
            .size = size,
            .image = image,
            .node_size = number_in(environment, mark.node_size),
            .node_rank = number_in(environment, mark.node_rank),
            .kind = mark.kind};
  }
  // A step of several tasks without any PMI (srun --mpi=none): MPI would make a job of each.
  auto const tasks = number_in(environment, "SLURM_STEP_NUM_TASKS");
  if (tasks && *tasks > 1) {
    return {.launcher = "srun of Slurm without PMI",
            .size = tasks,
            .image = number_in(environment, "SLURM_PROCID"),
            .node_size = std::nullopt,
            .node_rank = number_in(environment, "SLURM_LOCALID"),
            .kind = LauncherKind::any};
  }
  return {};
}

}  // namespace makespan::pgas
