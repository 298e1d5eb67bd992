! SPDX-License-Identifier: Apache-2.0
! Goal: every procedure of the module does what it says, on any number of images, and refuses invalid arguments by stat
! and errmsg.
program fortran_test
  use, intrinsic :: iso_fortran_env, only: error_unit
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
  call expect_no_job('makespan_begin has not been called')
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
  call expect_no_job('the job has ended')
  call first%allocate(1, stat=stat, errmsg=errmsg)
  call expect_refused('allocate of an array of the job', 'the job has ended')

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
contains
  ! What needs a job is refused, and says why there is none.
  subroutine expect_no_job(why)
    character(*), intent(in) :: why
    type(image_team) :: team
    integer :: value

    value = 1
    call early%allocate(1, stat=stat, errmsg=errmsg)
    call expect_refused('allocate', why)
    call early%deallocate(stat, errmsg)
    call expect_refused('deallocate', why)
    call co_sum(value, stat=stat, errmsg=errmsg)
    call expect_refused('co_sum', why)
    call co_broadcast(value, 1, stat, errmsg)
    call expect_refused('co_broadcast', why)
    call form_team(1, team, stat=stat, errmsg=errmsg)
    call expect_refused('form_team', why)
    call change_team(team, stat, errmsg)
    call expect_refused('change_team', why)
    call free_team(team, stat, errmsg)
    call expect_refused('free_team', why)
    call use_thread(1, stat, errmsg)
    call expect_refused('use_thread', why)
    call progress(stat, errmsg)
    call expect_refused('progress', why)
    call sync_all(stat, errmsg)
    call expect_refused('sync_all', why)
    call sync_team(team, stat, errmsg)
    call expect_refused('sync_team', why)
    call sync_memory(stat=stat, errmsg=errmsg)
    call expect_refused('sync_memory', why)
    call sync_images(1, stat, errmsg)
    call expect_refused('sync_images', why)
    call makespan_end(stat, errmsg)
    call expect_refused('makespan_end', why)
  end subroutine

  subroutine expect_refused(what, words)
    character(*), intent(in) :: what, words

    if (stat == makespan_bad_input .and. index(errmsg, words) > 0) return
    write (error_unit, '(5a)') what, ': no "', words, '" in ', trim(errmsg)
    error stop 1
  end subroutine
end program
