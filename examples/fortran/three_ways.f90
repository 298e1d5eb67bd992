! SPDX-License-Identifier: Apache-2.0
! Three ways to another image's memory: put, get, an atomic. mpiexec -n 3 three_ways
program three_ways
  use makespan
  implicit none
  type(symmetric_int32) :: box, tickets
  integer :: right, was_read, ticket

  call makespan_begin()
  call box%allocate(1)
  call tickets%allocate(1)
  right = 1 + mod(this_image(), num_images())
  call box%put(100 + this_image(), right)                 ! box(1)[right] = 100 + this_image()
  call sync_all()
  call box%get(was_read, right)                           ! was_read = box(1)[right]
  call tickets%atomic_fetch_add(1, ticket, image=1)       ! ticket: the value before
  print '(4(a, i0))', 'image ', this_image(), ' was put ', box%local(1), ', read ', was_read, &
      ', ticket ', ticket
  call makespan_end()
end program
