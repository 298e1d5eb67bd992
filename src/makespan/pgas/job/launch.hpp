// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether this process is one of a job, seen from its environment: what a launcher (mpiexec, srun)
// leaves there for the processes that it starts. Read before MPI is started, since a process that
// no launcher has started must not start MPI.

#include <functional>
#include <optional>
#include <string>

namespace makespan::pgas {

// What a launcher says by what it sets: of which MPI its jobs can be.
enum class LauncherKind {
  none,      // no launcher started this process
  open_mpi,  // that of Open MPI
  pmi,       // one that speaks PMI: MPICH's, and of what has its binary interface (Intel MPI, …)
  any,       // PMIx alone, or nothing: of any MPI
};

struct Launch {
  std::string launcher;      // "mpiexec of MPICH", …; empty: no launcher has started this process
  std::optional<int> size;   // processes of the job, if the launcher says so
  std::optional<int> image;  // which of them this is, if it says so
  // Of the processes on this node: how many, and which of them this is.
  std::optional<int> node_size;
  std::optional<int> node_rank;
  LauncherKind kind{LauncherKind::none};

  [[nodiscard]] bool is_launched() const { return !launcher.empty(); }
};

// The value of an environment variable, or null: std::getenv, or what a test puts in its place.
using Environment = std::function<char const*(char const*)>;

// Pure but for `environment`. Of several launchers, one inside the other, the innermost counts, as
// far as that can be told: Slurm only if no MPI's own launcher was at work.
[[nodiscard]] Launch detect_launch(Environment const& environment);

}  // namespace makespan::pgas
