// SPDX-License-Identifier: Apache-2.0
#pragma once

// The provider `loaded`: the MPI of whichever launcher has started this process, found and loaded
// when it is first needed. Where no launcher started the process, nothing is loaded; an MPI that
// another library has begun in it (mpi4py) is used.
//
// Which library is taken: the one that runs in this process; the one that MAKESPAN_MPI_LIBRARY
// names; one that this process has loaded and that fits the launcher; the first that is there of
// those beside the launcher, below Python's prefixes, and where the loader looks (mpi_search.hpp).

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "makespan/pgas/mpi/loaded/detail/mpi_abi.hpp"

namespace makespan::pgas {

inline constexpr char const* mpi_library_variable = "MAKESPAN_MPI_LIBRARY";

// Where else to look: folders below which packages were installed, sys.prefix of Python. Before the
// first job; callable from any thread.
void set_mpi_prefixes(std::vector<std::filesystem::path> prefixes);

struct LoadedMpi {
  MpiAbi abi;
  std::string name;  // "MPICH 4.0.2"
  std::filesystem::path file;
};

// The one that this process uses; nothing where it has needed none so far.
[[nodiscard]] std::optional<LoadedMpi> loaded_mpi();

struct FoundMpi {
  MpiAbi abi;
  std::filesystem::path file;
  std::filesystem::path plugin;
  bool has_plugin;
};

// By ABI, the library that a process would load which `launcher`, a program such as mpiexec, has
// started; those that are not there are left out. Without a launcher: as if its MPI lay elsewhere.
// Looks at files; loads nothing.
[[nodiscard]] std::vector<FoundMpi> find_mpis(std::filesystem::path const& launcher = {});

}  // namespace makespan::pgas
