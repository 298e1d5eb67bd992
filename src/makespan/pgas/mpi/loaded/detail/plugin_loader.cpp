// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/mpi/loaded/detail/plugin_loader.hpp"

#include <string>
#include <system_error>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "makespan/pgas/mpi/loaded/detail/shared_library.hpp"
#include "makespan/pgas/mpi/plugin/mpi_plugin.hpp"

namespace makespan::pgas {

namespace {

[[noreturn]] void refuse(std::filesystem::path const& library, std::string const& why) {
  throw InputError("MPI library " + library.string(), why,
                   "install makespan again, or build it with this MPI's headers "
                   "(MAKESPAN_MPICH_INCLUDE_DIR, MAKESPAN_OPENMPI_INCLUDE_DIR)");
}

}  // namespace

std::filesystem::path plugin_file(std::filesystem::path const& folder, MpiAbi abi) {
  return folder / ("libmakespan_" + std::string(name_of(abi)) + ".so");
}

MpiBackend& open_plugin(std::filesystem::path const& file, std::filesystem::path const& library) {
  std::error_code unknown;
  if (!std::filesystem::exists(file, unknown)) {
    refuse(library, "makespan's plugin for it, " + file.string() + ", is missing");
  }
  SharedLibrary const plugin = SharedLibrary::open(file, Symbols::own);
  if (!plugin.is_open()) {
    refuse(library, "makespan's plugin for it cannot be loaded: " + plugin.error());
  }
  auto const entry = plugin.find_function<MpiPluginEntry>(mpi_plugin_entry_name);
  if (entry == nullptr) refuse(library, file.string() + " is no plugin of makespan");
  MpiPlugin const& opened = *entry();
  if (opened.build != mpi_plugin_build()) {
    refuse(library, "makespan's plugin for it is of another build (" + std::string(opened.build) +
                        ") than makespan (" + mpi_plugin_build() + ")");
  }
  return *opened.open({.contract_violated = contract_violated});
}

}  // namespace makespan::pgas
