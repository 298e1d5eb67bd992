! SPDX-License-Identifier: Apache-2.0
! The job that is open, for the modules of makespan: what C calls it, and whether there is one.
module makespan_open_job
  use, intrinsic :: iso_c_binding, only: c_associated, c_int32_t, c_null_ptr, c_ptr
  use makespan_c
  use makespan_outcome, only: conclude, refuse, text_of
  implicit none
  private

  public :: runtime, jobs_begun
  public :: is_in_job, job_thread

  ! Null before makespan_begin and after makespan_end, which alone change both.
  type(c_ptr), save :: runtime = c_null_ptr
  ! By this process: tells the open job from those before it.
  integer, save :: jobs_begun = 0

contains

  ! False before makespan_begin and after makespan_end; then stat and errmsg are as they should be, or the program has
  ! ended.
  logical function is_in_job(procedure_name, stat, errmsg)
    character(*), intent(in) :: procedure_name
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    is_in_job = c_associated(runtime)
    if (is_in_job) return
    if (jobs_begun == 0) then
      call refuse(procedure_name // ' without a job', 'makespan_begin has not been called', &
          'call makespan_begin before', stat, errmsg)
    else
      call refuse(procedure_name // ' without a job', 'the job has ended', &
          'call it between makespan_begin and makespan_end', stat, errmsg)
    end if
  end function

  ! The thread of an image, from 0, that is `thread` here. False if there is none; then stat and errmsg are as they
  ! should be, or the program has ended.
  logical function job_thread(procedure_name, thread, job, stat, errmsg)
    character(*), intent(in) :: procedure_name
    integer, intent(in) :: thread
    integer(c_int32_t), intent(out) :: job
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_description) :: facts
    character(:), allocatable :: threads

    job = -1
    job_thread = is_in_job(procedure_name, stat, errmsg)
    if (.not. job_thread) return
    call conclude(c_describe(runtime, facts))
    job_thread = thread >= 1 .and. thread <= facts%threads
    if (job_thread) then
      job = int(thread - 1, c_int32_t)
      return
    end if
    threads = text_of(int(facts%threads))
    call refuse(procedure_name // ' with thread ' // text_of(thread), 'each image has ' // threads // &
        ' threads', 'threads are 1 to ' // threads // '; makespan_begin(threads=) says how many', stat, &
        errmsg)
  end function

end module makespan_open_job
