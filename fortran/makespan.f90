! SPDX-License-Identifier: Apache-2.0
! What coarrays promise, for any compiler that knows Fortran 2008, on one node and on several:
!
!   program count
!     use makespan
!     implicit none
!     type(symmetric_int32) :: counter
!     integer :: mine
!
!     call makespan_begin()
!     call counter%allocate(1)
!     call counter%atomic_fetch_add(1, mine, image=1)   ! the value before
!     call sync_all()
!     call makespan_end()
!   end program
!
! Images, threads, elements and subscripts count from 1. Every subroutine takes stat= and errmsg= as coarray
! statements do; without stat= an error prints its text and ends the program, and so does one in a function. The values
! of stat are makespan_ok, makespan_bad_input, makespan_image_failed, makespan_timeout, ...
module makespan
  use makespan_c_types, only: makespan_ok, makespan_bad_input, makespan_image_failed, &
      makespan_timeout, makespan_mpi_error, makespan_not_configured, makespan_internal, &
      makespan_remote_error, &
      makespan_progress_manual, makespan_progress_nap, makespan_progress_event, &
      makespan_progress_spin
  use makespan_job, only: makespan_begin, makespan_end, job_summary, use_thread, progress, &
      this_image, num_images, is_alive, failed_images, loss_of, accept_loss, &
      image_team, form_team, change_team, end_team, free_team, team_number, &
      sync_all, sync_images, sync_memory, sync_team
  use makespan_calls, only: remote_function, register_function, remote_call
  use makespan_requests, only: async_request
  use makespan_events, only: symmetric_event
  use makespan_int32, only: symmetric_int32 => symmetric, &
      co_broadcast, co_sum, co_min, co_max, co_gather
  use makespan_int64, only: symmetric_int64 => symmetric, &
      co_broadcast, co_sum, co_min, co_max, co_gather
  use makespan_real32, only: symmetric_real32 => symmetric, &
      co_broadcast, co_sum, co_min, co_max, co_gather
  use makespan_real64, only: symmetric_real64 => symmetric, &
      co_broadcast, co_sum, co_min, co_max, co_gather
  implicit none
  public
end module makespan
