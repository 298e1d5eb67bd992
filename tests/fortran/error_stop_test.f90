! SPDX-License-Identifier: Apache-2.0
! Goal: an error without stat= prints its text and ends the program, and with it the job.
program error_stop_test
  use makespan
  implicit none
  type(symmetric_int32) :: counter
  integer :: old

  call makespan_begin()
  call counter%allocate(1)
  if (this_image() == num_images()) then
    call counter%atomic_fetch_add(1, old, image=num_images() + 1)
  end if
  call sync_all()
  call makespan_end()   ! not here
end program
