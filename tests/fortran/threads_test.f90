! SPDX-License-Identifier: Apache-2.0
! Goal: the threads of all images count on one word, each by its own endpoint, and nothing is lost.
program threads_test
  use, intrinsic :: iso_fortran_env, only: int64
  use omp_lib, only: omp_get_thread_num
  use makespan
  implicit none
  integer, parameter :: threads = 2, each = 500
  type(symmetric_int64) :: counter
  integer(int64) :: old, total
  integer :: i, stat, wrong, mine

  call makespan_begin(threads=threads)
  call counter%allocate(1)
  wrong = 0
  !$omp parallel num_threads(threads) private(old, i, stat, mine)
  mine = 0
  if (omp_get_thread_num() > 0) then
    call counter%atomic_fetch_add(1_int64, old, image=1, stat=stat)
    if (stat /= makespan_bad_input) mine = mine + 1   ! this thread has no endpoint yet
  end if
  call use_thread(omp_get_thread_num() + 1)
  do i = 1, each
    old = -1
    call counter%atomic_fetch_add(1_int64, old, image=1)
    if (old < 0 .or. old >= threads * each * num_images()) mine = mine + 1
  end do
  ! No reduction: the thread sanitizer does not know the barrier at the end, which libgomp makes, but it knows that what a thread
  ! did before this comes before the read below.
  !$omp atomic update seq_cst
  wrong = wrong + mine
  !$omp end parallel
  !$omp atomic read seq_cst
  mine = wrong
  call sync_all()
  call counter%get(total, 1)
  if (total /= threads * each * num_images()) wrong = wrong + 1
  call co_sum(wrong)
  if (wrong /= 0) error stop 'the threads do not count right'
  call makespan_end()
end program
