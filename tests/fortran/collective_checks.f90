! SPDX-License-Identifier: Apache-2.0
! Collective procedures of every type and rank. Values are small whole numbers, so that sums are exact.
module collective_checks
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_loc
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use checks
  use makespan
  implicit none
  private
  public :: check_reductions, check_broadcast, check_gather, check_long

contains

  subroutine check_reductions()
    integer(int32) :: i4, i4_line(3)
    integer(int64) :: i8, i8_line(3), i8_table(2, 2)
    real(real32) :: r4, r4_table(2, 2)
    real(real64) :: r8, r8_line(3), r8_table(2, 2)
    real(real64), allocatable :: wide(:, :)
    integer :: me, n, total, stat
    character(300) :: errmsg

    call part('reductions')
    me = this_image()
    n = num_images()
    total = n * (n + 1) / 2

    i4 = me
    call co_sum(i4)
    call check(i4 == total, 'co_sum of int32')
    i8 = me * 10_int64**12
    call co_sum(i8)
    call check(i8 == total * 10_int64**12, 'co_sum of int64')
    r4 = me / 2.0
    call co_sum(r4)
    call check(r4 == total / 2.0, 'co_sum of real32')
    r8 = me / 4.0_real64
    call co_sum(r8)
    call check(r8 == total / 4.0_real64, 'co_sum of real64')

    i4_line = me * [1, 2, -3]
    call co_sum(i4_line, result_image=n)
    if (me == n) call check(all(i4_line == total * [1, 2, -3]), 'co_sum of an array, to one image')
    r8_table = reshape([1, 2, 3, 4] * me, [2, 2])
    call co_sum(r8_table)
    call check(all(r8_table == reshape([1, 2, 3, 4] * total, [2, 2])), 'co_sum of a table')
    r8_line = [1, 2, 3] * me
    call co_sum(r8_line(1:3:2))
    call check(all(r8_line == [1 * total, 2 * me, 3 * total]), 'co_sum of values with gaps')
    call co_sum(r8_line(1:0))
    allocate (wide(3, 9000))
    wide = me
    call co_sum(wide(1:3:2, :))
    call co_broadcast(wide(2:2, :), 1)
    call check(all(wide(1:3:2, :) == total), 'co_sum of many values with gaps')
    call check(all(wide(2, :) == 1), 'co_broadcast of many values with gaps')

    i8_line = [me, -me, 5]
    call co_min(i8_line)
    call check(all(i8_line == [1, -n, 5]), 'co_min of an array')
    i8_line = [me, -me, 5]
    call co_max(i8_line)
    call check(all(i8_line == [n, -1, 5]), 'co_max of an array')
    r4 = -me
    call co_min(r4, 1)
    if (me == 1) call check(r4 == -n, 'co_min to one image')
    i4 = 3 * me
    call co_max(i4)
    call check(i4 == 3 * n, 'co_max of one value')
    r4_table = me
    call co_max(r4_table)
    call check(all(r4_table == n), 'co_max of a table')
    i8_table = -me
    call co_min(i8_table)
    call check(all(i8_table == -n), 'co_min of a table')

    i4 = me
    call co_sum(i4, n + 1, stat, errmsg)
    call check_refused(stat, errmsg, 'images are 1 to')
    call check(i4 == me, 'nothing was summed')
    call co_sum(i4, stat=stat, errmsg=errmsg)
    call check(stat == makespan_ok .and. i4 == total, 'stat of a collective that is well')
  end subroutine

  subroutine check_broadcast()
    integer(int32) :: i4
    integer(int64) :: i8_line(2)
    real(real32) :: r4_line(2)
    real(real64) :: r8_table(2, 2)
    integer :: source, me, stat
    character(300) :: errmsg

    call part('broadcast')
    me = this_image()
    do source = 1, num_images()
      i4 = me
      call co_broadcast(i4, source)
      call check(i4 == source, 'co_broadcast of one value')
      i8_line = [me, -me]
      call co_broadcast(i8_line, source_image=source)
      call check(all(i8_line == [source, -source]), 'co_broadcast of an array')
      r4_line = me / [2.0, 4.0]
      call co_broadcast(r4_line, source)
      call check(all(r4_line == source / [2.0, 4.0]), 'co_broadcast of real32')
      r8_table = me
      call co_broadcast(r8_table, source)
      call check(all(r8_table == source), 'co_broadcast of a table')
    end do
    call co_broadcast(i4, 0, stat, errmsg)
    call check_refused(stat, errmsg, 'image 0')
  end subroutine

  subroutine check_gather()
    integer(int32), allocatable :: all_i4(:)
    integer(int64), allocatable :: all_i8(:, :)
    real(real32), allocatable :: all_r4(:)
    real(real64), allocatable :: all_r8(:, :)
    integer :: image, me, n, stat
    character(300) :: errmsg

    call part('gather')
    me = this_image()
    n = num_images()
    allocate (all_i4(n), all_i8(2, n), all_r4(n), all_r8(3, n))
    call co_gather(me, all_i4)
    call check(all(all_i4 == [(image, image=1, n)]), 'co_gather of one value')
    call co_gather([me * 10_int64**10, -1_int64], all_i8)
    do image = 1, n
      call check(all(all_i8(:, image) == [image * 10_int64**10, -1_int64]), 'co_gather of an array')
    end do
    all_r4 = 0
    call co_gather(me / 2.0, all_r4, result_image=n)
    call check(all(all_r4 == merge([(image / 2.0, image=1, n)], 0.0 * all_r4, me == n)), &
        'co_gather to one image')
    call co_gather(1.0_real64 * [me, me, me], all_r8, result_image=1)
    if (me == 1) call check(all(all_r8(3, :) == [(image, image=1, n)]), 'co_gather of real64')

    call co_gather(me, all_i4(:n - 1), stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'shape')
    call co_gather(me, all_i4, n + 1, stat, errmsg)
    call check_refused(stat, errmsg, 'images are 1 to')
  end subroutine

  ! Arrays of 2**32 elements, of which there is only the first: refused before they are touched. A job
  ! without a launcher would take them as they are.
  subroutine check_long()
    real(real32), target :: first
    real(real32), pointer, contiguous :: table(:, :)
    real(real32) :: all(1, 1)
    integer :: stat
    character(300) :: errmsg

    call part('long arrays')
    first = 0
    call c_f_pointer(c_loc(first), table, [65536, 65536])
    call co_gather(table(:, 1), all, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'times 262144')
    if (index(job_summary(), 'launcher none') > 0) return
    call co_sum(table, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, '4294967296 elements')
    call co_broadcast(table, 1, stat, errmsg)
    call check_refused(stat, errmsg, '17179869184 elements')
  end subroutine

end module collective_checks
