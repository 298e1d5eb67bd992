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
#else
#define MAKESPAN_MPI_ULFM 0
#endif
