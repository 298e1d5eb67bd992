// SPDX-License-Identifier: Apache-2.0
// The provider `linked`: the MPI that the program was built with.
#include "makespan/pgas/job/mpi_provider.hpp"
#include "makespan/pgas/mpi/linked/compiled_mpi.hpp"

namespace makespan::pgas {

MpiBackend* mpi_for(Launch const& /*launch*/) {
  return &compiled_mpi();
}

MpiBackend* mpi_in_use() noexcept {
  return &compiled_mpi();
}

}  // namespace makespan::pgas
