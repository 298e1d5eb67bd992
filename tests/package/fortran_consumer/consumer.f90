! SPDX-License-Identifier: Apache-2.0
! What a user of the installed module writes; ends with an error unless the counter counts.
program consumer
  use makespan
  implicit none
  type(symmetric_int64) :: counter

  call makespan_begin()
  call counter%allocate(1)
  call counter%atomic_add(3_8, image=1)
  call sync_all()
  if (this_image() == 1 .and. counter%local(1) /= 3 * num_images()) error stop 'the counter is wrong'
  call makespan_end()
end program
