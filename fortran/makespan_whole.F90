! SPDX-License-Identifier: Apache-2.0
! The module `makespan` with all that it stands on, in order, for those who compile it by hand:
!   FC -c makespan_whole.F90
#include "makespan_c_types.f90"
#include "makespan_c.f90"
#include "makespan_outcome.f90"
#include "makespan_open_job.f90"
#include "makespan_job.f90"
#include "makespan_requests.f90"
#include "makespan_calls.f90"
#include "makespan_memory.f90"
#include "makespan_events.f90"
#include "makespan_collectives.f90"
#include "makespan_int32.F90"
#include "makespan_int64.F90"
#include "makespan_real32.F90"
#include "makespan_real64.F90"
#include "makespan.f90"
