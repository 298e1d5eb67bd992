// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the launcher's MPI library can be. Pure: names in, names out; nothing is looked at.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "makespan/pgas/job/launch.hpp"
#include "makespan/pgas/mpi/loaded/detail/mpi_abi.hpp"

namespace makespan::pgas {

// The ABIs that jobs of such a launcher can have, likelier first.
[[nodiscard]] std::vector<MpiAbi> abis_of(LauncherKind kind);

// Whether a program of this name starts the processes of jobs, and of which MPI, as far as its name
// tells: every MPI has an mpiexec. Nothing for other programs.
struct LauncherProgram {
  std::optional<MpiAbi> abi;
};
[[nodiscard]] std::optional<LauncherProgram> launcher_program(
    std::filesystem::path const& executable);

struct MpiSearch {
  std::vector<MpiAbi> abis;
  std::vector<std::filesystem::path>
      ancestors;  // programs of this process's ancestors, nearest first
  std::vector<std::filesystem::path> prefixes;  // of Python: installed packages have lib below it
  std::vector<std::filesystem::path> folders;   // where the loader looks
};

struct MpiCandidate {
  MpiAbi abi;
  std::filesystem::path file;  // without a folder: for the loader to find

  friend bool operator==(MpiCandidate const&, MpiCandidate const&) = default;
};

// In the order in which they are tried: what was installed with the launcher, what was installed
// with Python, what the loader finds. Each file once.
[[nodiscard]] std::vector<MpiCandidate> mpi_candidates(MpiSearch const& search);

// Folders of a list as in LD_LIBRARY_PATH, without empty ones; and after them those of the system.
[[nodiscard]] std::vector<std::filesystem::path> loader_folders(std::string_view list);

// The prefix that an extension was installed below, <prefix>/lib/python3.11/site-packages/makespan
// being its folder; nothing for other folders (a checkout).
[[nodiscard]] std::optional<std::filesystem::path> prefix_of(std::filesystem::path const& folder);

}  // namespace makespan::pgas
