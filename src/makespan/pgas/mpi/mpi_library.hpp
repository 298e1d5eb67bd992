// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which MPI this is.

#include <string>
#include <string_view>

namespace makespan::pgas {

// "MPICH 4.0.2", "Open MPI 5.0.11": from what MPI_Get_library_version says, which is a page. Its
// first line where it is some other MPI.
[[nodiscard]] std::string short_library_name(std::string_view library_version);

// Of the MPI that this process has.
[[nodiscard]] std::string mpi_library_name();

// Whether MPI_Finalize comes back on images of several hosts. `name` is a short library name. MPICH
// before 4.2 may wait there for ever, since a rank that is done no longer serves the others
// (github.com/pmodels/mpich/pull/6596); its mpiexec takes a process that ends without for a good
// one if it has been told (pmi_finalize.hpp).
[[nodiscard]] bool can_finalize_between_hosts(std::string_view name);

// Whether windows can be relied on at all; each job also tries its own. Not in Open MPI before 5:
// between hosts that TCP connects it has none and says so; but on a node it has some, and its
// MPI_Compare_and_swap on the image itself is a segmentation fault (4.1.4).
[[nodiscard]] bool can_have_windows(std::string_view name);

}  // namespace makespan::pgas
