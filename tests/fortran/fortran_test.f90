! SPDX-License-Identifier: Apache-2.0
! Goal: every procedure of the module does what it says, on any number of images, and refuses invalid arguments by stat
! and errmsg.
program fortran_test
  use atomic_checks
  use call_checks
  use checks
  use collective_checks
  use job_checks
  use makespan
  use memory_checks
  implicit none
  integer :: stat
  character(300) :: errmsg
  type(symmetric_int32) :: early, first, second

  ! Before there is a job.
  if (this_image() /= 0 .or. num_images() /= 0) error stop 'images before makespan_begin'
  call early%allocate(1, stat=stat, errmsg=errmsg)
  if (stat /= makespan_bad_input) error stop 'allocate before makespan_begin'
  call sync_all(stat, errmsg)
  if (stat /= makespan_bad_input) error stop 'sync_all before makespan_begin'
  call makespan_end(stat, errmsg)
  if (stat /= makespan_bad_input) error stop 'makespan_end before makespan_begin'
  call makespan_begin(threads=0, stat=stat, errmsg=errmsg)
  if (stat /= makespan_bad_input) error stop 'makespan_begin without threads'

  call makespan_begin(threads=2, heap_mib=4, wait_limit_s=10.0d0, &
      progress_mode=makespan_progress_manual, transport='auto', stealing=.false.)
  call check_life()
  call check_calls()
  call check_images()
  call check_sync()
  call check_types()
  call check_allocation()
  call check_requests()
  call check_sections()
  call check_signals()
  call check_int32()
  call check_int64()
  call check_counter()
  call check_refusals()
  call check_events()
  call check_reductions()
  call check_broadcast()
  call check_gather()
  call check_long()
  call check_teams()
  call conclude_checks()
  call first%allocate(1)
  call makespan_end()

  if (this_image() /= 0) error stop 'this_image after makespan_end'
  call early%allocate(1, stat=stat, errmsg=errmsg)
  if (stat /= makespan_bad_input) error stop 'allocate after makespan_end'

  ! A second job, where MPI has not ended: its arrays are not those of the first.
  call makespan_begin(heap_mib=4, stat=stat, errmsg=errmsg)
  if (stat == makespan_ok) then
    call second%allocate(1)
    call first%put(7, 1, stat=stat, errmsg=errmsg)
    if (stat /= makespan_bad_input .or. second%local(1) /= 0) error stop 'an array of an earlier job'
    call sync_all()
    call first%allocate(1)
    call first%put(7, this_image())
    call makespan_end()
  else if (index(errmsg, 'begin MPI yourself, with MPI_THREAD_MULTIPLE') == 0) then
    error stop 'a second job under a launcher says what would be right'
  end if
end program
