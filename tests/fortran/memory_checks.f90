! SPDX-License-Identifier: Apache-2.0
! Symmetric arrays of every type: allocation, put, get, requests, sections, signals. Each image writes to the next one,
! which looks.
module memory_checks
  use, intrinsic :: iso_c_binding, only: c_f_pointer, c_loc
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use checks
  use makespan
  implicit none
  private
  public :: check_types, check_allocation, check_requests, check_sections, check_signals

contains

  subroutine check_types()
    type(symmetric_int32) :: i4
    type(symmetric_int64) :: i8
    type(symmetric_real32) :: r4
    type(symmetric_real64) :: r8
    integer(int32) :: i4_one, i4_all(5)
    integer(int64) :: i8_one, i8_all(5)
    real(real32) :: r4_one, r4_all(5)
    real(real64) :: r8_one, r8_all(5)
    integer :: me, before, after, i

    call part('types')
    me = this_image()
    after = 1 + mod(me, num_images())
    before = 1 + mod(me + num_images() - 2, num_images())
    call i4%allocate(5, 'i4')
    call i8%allocate(5)
    call r4%allocate([5], 'r4')
    call r8%allocate([5])
    call check(all(i4%local == 0) .and. all(i8%local == 0), 'integers are zero at first')
    call check(all(r4%local == 0) .and. all(r8%local == 0), 'reals are zero at first')
    call sync_all()

    ! Elements 2 to 4, then 5; 1 stays.
    call i4%put([(10 * me + i, i=2, 4)], after, first=2)
    call i4%put(-me, after, first=5)
    call i8%put([(10_int64**10 * me + i, i=2, 4)], after, first=2)
    call i8%put(-10_int64**15 * me, after, first=5)
    call r4%put([(me + i / 8.0, i=2, 4)], after, first=2)
    call r4%put(-me / 4.0, after, first=5)
    call r8%put([(me + i / 1024.0_real64, i=2, 4)], after, first=2)
    call r8%put(-me / 3.0_real64, after, first=5)
    call sync_all()
    call check(all(i4%local == [0, (10 * before + i, i=2, 4), -before]), 'put of int32')
    call check(all(i8%local == [0_int64, (10_int64**10 * before + i, i=2, 4), &
        -10_int64**15 * before]), 'put of int64')
    call check(all(r4%local == [0.0, (before + i / 8.0, i=2, 4), -before / 4.0]), 'put of real32')
    call check(all(r8%local == [0.0_real64, (before + i / 1024.0_real64, i=2, 4), &
        -before / 3.0_real64]), 'put of real64')

    call i4%get(i4_all, after)
    call i4%get(i4_one, after, first=5)
    call check(all(i4_all(:4) == [0, (10 * me + i, i=2, 4)]) .and. i4_one == -me, 'get of int32')
    call i8%get(i8_all, after)
    call i8%get(i8_one, after, first=5)
    call check(i8_all(2) == 10_int64**10 * me + 2 .and. i8_one == -10_int64**15 * me, 'get of int64')
    call r4%get(r4_all, after)
    call r4%get(r4_one, after, first=5)
    call check(r4_all(2) == me + 0.25 .and. r4_one == -me / 4.0, 'get of real32')
    call r8%get(r8_all, after)
    call r8%get(r8_one, after, first=5)
    call check(r8_all(4) == me + 4 / 1024.0_real64 .and. r8_one == -me / 3.0_real64, 'get of real64')

    ! Values with gaps, and none at all.
    call sync_all()
    r8_all = [1, 2, 3, 4, 5]
    call r8%put(r8_all(1:5:2), after)
    call r8%put(r8_all(1:0), after)
    call sync_all()
    call check(all(r8%local(1:3) == [1, 3, 5]), 'put of values with gaps')
    call r8%get(r8_all(5:1:-2), after)
    call r8%get(r8_all(1:0), after)
    call check(all(r8_all == [5, 2, 3, 4, 1]), 'get into values with gaps')
    call sync_all()
    call i4%deallocate()
    call i8%deallocate()
    call r4%deallocate()
    call r8%deallocate()
    call check(.not. associated(r8%local), 'what was given back is not there')
  end subroutine

  subroutine check_allocation()
    type(symmetric_real64) :: x, empty, cube
    real(real64), pointer :: matrix(:, :)
    real(real64), pointer, contiguous :: long(:)
    real(real64), target :: one
    integer :: stat
    character(300) :: errmsg

    call part('allocation')
    call x%get(one, 1, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'not allocated')
    call x%deallocate(stat, errmsg)
    call check_refused(stat, errmsg, 'not allocated')

    call x%allocate([3, 4])
    matrix(1:3, 1:4) => x%local
    matrix(2, 3) = this_image()
    call sync_all()
    call x%get(one, num_images(), first=x%number([2, 3]))
    call check(one == num_images(), 'number() is that of array element order')
    call check(x%number([3, 4]) == 12, 'the last element has the last number')
    call x%allocate(1, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'is allocated')

    call x%put(1.0_real64, 1, first=13, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'the array has 12')
    call x%put(1.0_real64, 1, first=0, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'from number 0')
    call x%put([1.0_real64, 2.0_real64], 1, first=12, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, '2 elements from number 12')
    ! One more than a default integer counts twice; of its memory there is only the first element.
    call c_f_pointer(c_loc(one), long, [2_int64**32 + 1])
    call x%put(long, 1, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'put of 4294967297 elements')
    call x%get(one, 0, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'image 0')
    call x%get(one, num_images() + 1, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'images are 1 to')
    call x%get(one, huge(1), stat=stat)
    call check(stat == makespan_bad_input, 'stat without errmsg')

    call empty%allocate(0)
    call check(associated(empty%local) .and. size(empty%local) == 0, 'no elements are an array too')
    call empty%deallocate()
    call cube%allocate(-1, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'extents [-1] for a symmetric array')
    call cube%allocate([1000, 1000, 1000], 'cube   ', stat, errmsg)
    call check_refused(stat, errmsg, 'for cube (')
    ! More elements than a default integer counts.
    call cube%allocate([100000, 100000], 'cube   ', stat, errmsg)
    call check_refused(stat, errmsg, 'extents [100000, 100000] for cube (')
    call check_refused(stat, errmsg, '2147483647')
    ! On one image alone: all are refused.
    call cube%allocate(merge(-1, 1, this_image() == num_images()), stat=stat)
    call check(stat == makespan_bad_input, 'what one image cannot have is refused on all')
    ! Their product is 0 in an integer of 64 bits.
    call cube%allocate([65536, 65536, 65536, 65536], stat=stat)
    call check(stat == makespan_bad_input, 'more elements than any integer counts')
    call cube%allocate([65536, 65536, 0], stat=stat)
    call check(stat == makespan_ok, 'none of many is none')
    call cube%deallocate()
    call cube%allocate([2, 2, 2])
    call check(cube%number([2, 1, 2]) == 6, 'elements are numbered column by column')
    call check(cube%number([1, 1, huge(0)]) > 8, 'no element of a subscript far above')
    call check(cube%number([1, 1, -huge(0)]) < 1, 'no element of a subscript far below')
    call check(cube%number([1, 1]) < 1, 'no element of too few subscripts')
    call check(cube%number([1, 1, 1, 1, 1]) < 1, 'no element of too many subscripts')
    call cube%put(1.0_real64, 1, first=cube%number([1, 1]), stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'the array has 8')
    call check(empty%number([1]) < 1, 'no element of an array that is not allocated')
    call sync_all()
    call cube%deallocate()
    call x%deallocate()
  end subroutine

  subroutine check_requests()
    integer, parameter :: n = 20000   ! more than a message
    type(symmetric_int64) :: x
    type(async_request) :: put, get, never
    integer(int64), target, asynchronous, allocatable :: values(:), got(:)
    integer :: me, after, stat, i
    logical :: is_done
    character(300) :: errmsg

    call part('requests')
    me = this_image()
    after = 1 + mod(me, num_images())
    call x%allocate(n)
    allocate (values(n), got(n))
    values = [(1000000_int64 * me + i, i=1, n)]
    call x%put_async(values, after, put)
    call put%wait()
    call x%get_async(got(2:), after, get, first=2)
    is_done = .false.
    do i = 1, 100000000
      call get%test(is_done)
      if (is_done) exit
    end do
    call check(is_done, 'a request is done in the end')
    call check(all(got(2:) == values(2:)), 'what was got is what was put')
    call never%wait()
    call never%test(is_done)
    call check(is_done, 'a request that was never begun is done')

    call x%put_async(values(1:n:2), after, put, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'not contiguous')
    call x%get_async(got(n:1:-1), after, get, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'not contiguous')
    call x%put_async(values(:10), 0, put, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'image 0')
    call x%get_async(got, after, get, first=2, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'the array has 20000')
    call x%put_async(values(1:0), after, put)
    call put%wait(stat, errmsg)
    call check(stat == makespan_ok, 'no values are done too')
    call sync_all()
    call x%deallocate()
  end subroutine

  subroutine check_sections()
    type(symmetric_real64) :: x, cube
    type(symmetric_int32) :: line
    real(real64), pointer :: matrix(:, :), block(:, :, :)
    real(real64) :: part_of(2, 3), small(2, 1, 2)
    integer :: me, before, after, stat, i, j
    integer :: row(3)
    character(300) :: errmsg

    call part('sections')
    me = this_image()
    after = 1 + mod(me, num_images())
    before = 1 + mod(me + num_images() - 2, num_images())

    ! line(2:10:3), and backwards.
    call line%allocate(10)
    call line%put_section([me, 2 * me, 3 * me], after, first=[2], stride=[3])
    call sync_all()
    call check(all(line%local(2:8:3) == before * [1, 2, 3]), 'put_section of rank 1')
    call check(sum(line%local) == 6 * before, 'nothing else was put')
    call line%get_section(row, after, first=[8], stride=[-3])
    call check(all(row == me * [3, 2, 1]), 'get_section backwards')

    ! matrix(2:4:2, 3:5)
    call x%allocate([4, 6])
    matrix(1:4, 1:6) => x%local
    part_of = reshape([(real(10 * me + i, real64), i=1, 6)], [2, 3])
    call x%put_section(part_of, after, first=[2, 3], stride=[2, 1])
    call sync_all()
    do j = 1, 3
      do i = 1, 2
        call check(matrix(2 * i, 2 + j) == 10 * before + 2 * (j - 1) + i, 'put_section of rank 2')
      end do
    end do
    call check(count(matrix /= 0) == 6, 'nothing else was put')
    part_of = 0
    call x%get_section(part_of(:, 2:3), after, first=[2, 4], stride=[2, 1])
    call check(all(part_of(:, 2) == 10 * me + [3, 4]), 'get_section of rank 2')
    call check(all(part_of(:, 1) == 0), 'nothing else was got')

    ! A face of a cube.
    call cube%allocate([3, 3, 3])
    block(1:3, 1:3, 1:3) => cube%local
    small = reshape([(real(me * i, real64), i=1, 4)], [2, 1, 2])
    call cube%put_section(small, after, first=[1, 3, 2])
    call sync_all()
    call check(all(block(1:2, 3:3, 2:3) == small / me * before), 'put_section of rank 3')
    call check(count(block /= 0) == 4, 'nothing else was put')
    small = 0
    call cube%get_section(small, after, first=[1, 3, 2])
    call check(small(2, 1, 2) == 4 * me, 'get_section of rank 3')

    call x%put_section(part_of, after, first=[4, 1], stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'subscripts 4 to 5 in dimension 1')
    call x%get_section(part_of, after, first=[1, 0], stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'subscripts 0 to 2 in dimension 2')
    call x%get_section(row_of_reals(), after, first=[1], stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'allocated with rank 2')
    call x%put_section(part_of(:, 1:0), after, first=[1, 1], stat=stat)
    call check(stat == makespan_ok, 'nothing is a section too')
    call sync_all()
    call line%deallocate()
    call x%deallocate()
    call cube%deallocate()
  contains
    function row_of_reals() result(values)
      real(real64), pointer :: values(:)
      real(real64), target, save :: storage(2)
      values => storage
    end function
  end subroutine

  subroutine check_signals()
    type(symmetric_real64) :: x
    type(symmetric_event) :: ready
    integer :: me, before, after, round, stat
    character(300) :: errmsg

    call part('signals')
    me = this_image()
    after = 1 + mod(me, num_images())
    before = 1 + mod(me + num_images() - 2, num_images())
    call x%allocate(10)
    call ready%allocate(2)
    do round = 1, 20
      call x%put_signal([1.0_real64 * me, 2.0_real64 * round], after, ready, first=3, index=2)
      call ready%wait(index=2)
      call check(all(x%local(3:4) == [before, 2 * round]), 'what was put before the signal')
      call sync_all()
    end do
    call x%put_signal(7.0_real64, after, ready)
    call ready%wait()
    call check(x%local(1) == 7, 'one value with a signal')
    call x%put_signal(7.0_real64, after, ready, index=3, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'from number 3')
    call x%put_signal([7.0_real64], 0, ready, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'image 0')
    call sync_all()
    call ready%deallocate()
    call x%deallocate()
  end subroutine

end module memory_checks
