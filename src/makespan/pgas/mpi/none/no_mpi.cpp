// SPDX-License-Identifier: Apache-2.0
// The provider `none`: a build without MPI.
#include "makespan/pgas/job/mpi_provider.hpp"

namespace makespan::pgas {

MpiBackend* mpi_for(Launch const& /*launch*/) {
  return nullptr;
}

MpiBackend* mpi_in_use() noexcept {
  return nullptr;
}

}  // namespace makespan::pgas
