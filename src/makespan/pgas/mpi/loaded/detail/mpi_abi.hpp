// SPDX-License-Identifier: Apache-2.0
#pragma once

// The binary interfaces (ABIs) of MPI libraries: those of one ABI can stand in for each other.

#include <array>
#include <span>
#include <string_view>

namespace makespan::pgas {

enum class MpiAbi : unsigned char {
  mpich,     // MPICH since 3.1, Intel MPI, MVAPICH, Cray MPI
  open_mpi,  // Open MPI 4 and 5
};

inline constexpr std::array mpi_abis{MpiAbi::mpich, MpiAbi::open_mpi};

// "mpich", "openmpi".
[[nodiscard]] std::string_view name_of(MpiAbi abi);

// File names that loaders know such libraries by; a distribution has one of them.
[[nodiscard]] std::span<std::string_view const> sonames_of(MpiAbi abi);

}  // namespace makespan::pgas
