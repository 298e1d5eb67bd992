// SPDX-License-Identifier: Apache-2.0
#pragma once

// MPI, and whether this one can go on after a failure (ULFM, user-level failure mitigation:
// https://docs.open-mpi.org, "fault tolerance"). Only Open MPI 5 is known to: MPICH 4 declares some
// of the functions, but its device ch4 does not carry them out.

#include <mpi.h>

#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#ifdef OPEN_MPI
#define MAKESPAN_MPI_ULFM 1
#ifndef OMPI_HAVE_MPI_EXT_FTMPI
// Headers of Open MPI 4.1, Debian 12's: what is built with them may be run with 5, whose ABI is the
// same, and which has these besides. The numbers are those of 5's mpi.h.
#define MPIX_ERR_PROC_FAILED 75
#define MPIX_ERR_PROC_FAILED_PENDING 76
#define MPIX_ERR_REVOKED 77
#define MPIX_FT (MPI_WIN_MODEL + 1)
// NOLINTBEGIN(readability-identifier-naming): the names are MPI's
extern "C" {
int MPIX_Comm_failure_ack(MPI_Comm communicator);
int MPIX_Comm_failure_get_acked(MPI_Comm communicator, MPI_Group* failed);
int MPIX_Comm_iagree(MPI_Comm communicator, int* flag, MPI_Request* request);
int MPIX_Comm_revoke(MPI_Comm communicator);
int MPIX_Comm_shrink(MPI_Comm communicator, MPI_Comm* rest);
}
// NOLINTEND(readability-identifier-naming)
#endif
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
