// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether a test of this program has sent messages that no image will receive, on all images. After
// that the program ends without MPI_Finalize (tests/mpi_main.cpp), as a job does that has lost an
// image: UCX 1.18 below MPICH ends the process there, older versions only warn.

namespace makespan {

inline bool has_unreceived_sends = false;

}  // namespace makespan
