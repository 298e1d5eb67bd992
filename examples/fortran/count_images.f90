! SPDX-License-Identifier: Apache-2.0
! The smallest program: every image takes a number from a counter of image 1.
program count_images
  use makespan
  implicit none
  type(symmetric_int32) :: counter
  integer :: mine, total

  call makespan_begin()
  call counter%allocate(1)
  call counter%atomic_fetch_add(1, mine, image=1)   ! mine: the value before
  total = 1
  call co_sum(total)
  if (this_image() == 1) print '(i0, a, i0)', total, ' images took numbers 0 to ', total - 1
  call makespan_end()
end program
