! SPDX-License-Identifier: Apache-2.0
! Images of different speeds share out tasks of different lengths: mpiexec -n 3 balance_tasks
!
! First they learn: each does one task, and puts down how long it took, where all can read it. A fast image then takes
! more tasks at a time than a slow one, so that all come back to the counter about equally often. The counter is a word of
! image 1; atomic_fetch_add gives each number of tasks once, and image 1 has nothing to do for that.
!
! What to notice: image 1 computes like the others. On one node no image needs its help. Between nodes it is the
! helper thread of makespan_progress_event that answers meanwhile; with makespan_progress_manual the others
! would wait until image 1 comes to the counter itself. Near the end shares shrink, so that no image is left with much
! when the others are done.
!
! Method: V. Cardellini, A. Fanfarillo and S. Filippone, "Heterogeneous CAF-based load balancing on Intel Xeon Phi", 2016.
program balance_tasks
  use, intrinsic :: iso_fortran_env, only: int64, real64
  use makespan
  implicit none

  integer, parameter :: tasks = 600
  integer, parameter :: share_max = 16

  type(symmetric_int32) :: next_task             ! on image 1: the first task that is not taken
  type(symmetric_real64) :: pace                 ! seconds for a step of work, of each image
  integer :: first, last, share, done, requests
  integer(int64) :: checksum, steps

  call makespan_begin(progress_mode=makespan_progress_event)
  call next_task%allocate(1, 'next_task')
  call pace%allocate(1, 'pace')
  done = 0
  requests = 0
  checksum = 0
  steps = 0

  call learn(share)
  do
    call take(share, first, last)
    if (first > tasks) exit
    call run(first, last)
  end do

  print '(a, i0, 4(a, i0))', 'image ', this_image(), ': ', steps, ' steps, ', done, &
      ' tasks in ', requests, ' requests, at most ', share
  call co_sum(done)
  call co_sum(checksum)
  if (this_image() == 1) print '(i0, a, i0)', done, ' tasks done, checksum ', checksum
  call makespan_end()

contains

  ! How many tasks this image takes at a time, from its speed and that of the fastest.
  subroutine learn(tasks_at_a_time)
    integer, intent(out) :: tasks_at_a_time
    real(real64) :: paces(num_images())
    integer :: image
    integer(int64) :: begin, end, rate

    call take(1, first, last)
    call system_clock(begin, rate)
    call run(first, last)
    call system_clock(end)
    pace%local(1) = max(end - begin, 1_int64) / real(rate * length_of(first), real64)
    call sync_all()
    do image = 1, num_images()
      call pace%get(paces(image), image)
    end do
    tasks_at_a_time = max(1, nint(share_max * minval(paces) / pace%local(1)))
  end subroutine

  ! The next tasks, at most `wanted`, and less when few are left: first > tasks when there are none.
  subroutine take(wanted, from, to)
    integer, intent(in) :: wanted
    integer, intent(out) :: from, to
    integer :: count, taken

    call next_task%atomic_ref(taken, image=1)
    count = max(1, min(wanted, (tasks - taken) / (2 * num_images())))
    call next_task%atomic_fetch_add(count, taken, image=1)
    from = taken + 1
    to = min(taken + count, tasks)
    requests = requests + 1
  end subroutine

  ! Every second image is half as fast as the others: it does each task twice.
  subroutine run(from, to)
    integer, intent(in) :: from, to
    integer :: task
    integer(int64) :: result

    do task = from, min(to, tasks)
      result = result_of(task)
      if (mod(this_image(), 2) == 0) then
        if (result_of(task) /= result) error stop 'a task gave two results'
      end if
      checksum = checksum + result
      done = done + 1
    end do
  end subroutine

  ! Steps of a task: some are a hundred times as long as others.
  pure integer function length_of(task)
    integer, intent(in) :: task

    length_of = 200 * (1 + mod(37 * task, 100))
  end function

  ! Stands for something that takes its time.
  integer(int64) function result_of(task)
    integer, intent(in) :: task
    integer :: step

    result_of = task
    do step = 1, length_of(task)
      result_of = mod(16807 * result_of, 2147483647_int64)
    end do
    steps = steps + length_of(task)
  end function

end program
