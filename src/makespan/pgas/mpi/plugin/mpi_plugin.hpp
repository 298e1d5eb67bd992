// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a plugin and the program that loads it agree on. A plugin is the rooms that call MPI,
// compiled for one MPI's binary interface (ABI): libmakespan_mpich.so, libmakespan_openmpi.so. It
// is linked to no MPI; its calls find the library that was loaded before it, for all to see.
//
// Objects are called by their vtables, and exceptions caught by the names of their types, so both
// sides must come from the same build.

#include <string>

#include "makespan/base/configuration.hpp"
#include "makespan/base/contracts.hpp"
#include "makespan/pgas/job/mpi_backend.hpp"

namespace makespan::pgas {

inline constexpr char const* mpi_plugin_entry_name = "makespan_mpi_plugin";

// What the loading program gives.
struct MpiPluginHost {
  // What it would do with a broken contract: the plugin has a handler of its own otherwise.
  ContractHandler contract_violated;
};

// What a plugin returns. `build` comes first, for ever: it is read before the rest is believed.
struct MpiPlugin {
  char const* build;
  MpiBackend* (*open)(MpiPluginHost const& host);
};

using MpiPluginEntry = MpiPlugin const* (*)();

// Equal where two binaries fit each other.
[[nodiscard]] inline std::string mpi_plugin_build() {
  Configuration const& built = configuration();
  std::string text = "makespan ";
  for (auto const part : {built.version, built.git_commit, built.compiler, built.contracts}) {
    text.append(part).append(", ");
  }
  return text.append(built.build_type);
}

}  // namespace makespan::pgas
