// SPDX-License-Identifier: Apache-2.0
#pragma once

// The MPI that this was compiled for, as the runtime sees it.

#include "makespan/pgas/job/mpi_backend.hpp"

namespace makespan::pgas {

// One for the process. Tested through open_job_all() and Runtime, as several images.
[[nodiscard]] MpiBackend& compiled_mpi() noexcept;

}  // namespace makespan::pgas
