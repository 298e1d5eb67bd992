// SPDX-License-Identifier: Apache-2.0
#pragma once

// MPI, and whether this one can go on after a failure (ULFM, user-level failure mitigation:
// https://docs.open-mpi.org, "fault tolerance"). Only Open MPI 5 is known to: MPICH 4 declares some
// of the functions, but its device ch4 does not carry them out.

#include <mpi.h>

#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#ifdef OMPI_HAVE_MPI_EXT_FTMPI
#define MAKESPAN_MPI_ULFM 1
// One binary serves Open MPI 4.1, which lacks these, and 5: what is weak may be absent.
#pragma weak MPIX_Comm_failure_ack
#pragma weak MPIX_Comm_failure_get_acked
#pragma weak MPIX_Comm_iagree
#pragma weak MPIX_Comm_revoke
#pragma weak MPIX_Comm_shrink
#else
#define MAKESPAN_MPI_ULFM 0
#endif

namespace makespan::pgas {

// Whether the MPI of this process has the functions of ULFM: without them none is called.
inline bool has_ulfm() {
#if MAKESPAN_MPI_ULFM
  return MPIX_Comm_failure_ack != nullptr && MPIX_Comm_failure_get_acked != nullptr &&
         MPIX_Comm_iagree != nullptr && MPIX_Comm_revoke != nullptr && MPIX_Comm_shrink != nullptr;
#else
  return false;
#endif
}

}  // namespace makespan::pgas
