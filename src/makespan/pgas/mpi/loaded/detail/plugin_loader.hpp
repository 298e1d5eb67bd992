// SPDX-License-Identifier: Apache-2.0
#pragma once

// Opens the plugin for an MPI library that has been loaded.

#include <filesystem>

#include "makespan/pgas/job/mpi_backend.hpp"
#include "makespan/pgas/mpi/loaded/detail/mpi_abi.hpp"

namespace makespan::pgas {

// The plugin of an ABI, below `folder`.
[[nodiscard]] std::filesystem::path plugin_file(std::filesystem::path const& folder, MpiAbi abi);

// The MPI behind the plugin `file`. Throws InputError, naming `library`, the MPI library, where the
// plugin is missing, does not fit that library, or is of another build than this code.
[[nodiscard]] MpiBackend& open_plugin(std::filesystem::path const& file,
                                      std::filesystem::path const& library);

}  // namespace makespan::pgas
