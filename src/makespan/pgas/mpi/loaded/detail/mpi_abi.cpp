// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/mpi/loaded/detail/mpi_abi.hpp"

namespace makespan::pgas {

namespace {

// What Debian calls MPICH's library stands second.
constexpr std::array<std::string_view, 2> mpich_sonames{"libmpi.so.12", "libmpich.so.12"};
constexpr std::array<std::string_view, 1> open_mpi_sonames{"libmpi.so.40"};

}  // namespace

std::string_view name_of(MpiAbi abi) {
  return abi == MpiAbi::mpich ? "mpich" : "openmpi";
}

std::span<std::string_view const> sonames_of(MpiAbi abi) {
  if (abi == MpiAbi::mpich) return mpich_sonames;
  return open_mpi_sonames;
}

}  // namespace makespan::pgas
