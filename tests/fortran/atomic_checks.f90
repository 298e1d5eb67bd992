! SPDX-License-Identifier: Apache-2.0
! Atomics on both widths, shared counters, and events.
module atomic_checks
  use, intrinsic :: iso_fortran_env, only: int32, int64
  use checks
  use makespan
  implicit none
  private
  public :: check_int32, check_int64, check_counter, check_refusals, check_events

contains

  ! The word of the next image belongs to this one alone, so each result is known.
  subroutine check_int32()
    type(symmetric_int32) :: x
    integer(int32) :: old
    integer, parameter :: index = 2
    integer :: there, least_but_one

    call part('atomics of int32')
    least_but_one = -huge(1)
    there = 1 + mod(this_image(), num_images())
    call x%allocate(3)
    call x%atomic_define(-7, there, index)
    call expect(-7, 'atomic_define')
    call x%atomic_add(19, there, index)
    call expect(12, 'atomic_add')
    call x%atomic_and(10, there, index)
    call expect(8, 'atomic_and')
    call x%atomic_or(3, there, index)
    call expect(11, 'atomic_or')
    call x%atomic_xor(6, there, index)
    call expect(13, 'atomic_xor')
    old = -99
    call x%atomic_fetch_add(-14, old, there, index)
    call check(old == 13, 'atomic_fetch_add gives the value before')
    call expect(-1, 'atomic_fetch_add')
    call x%atomic_fetch_and(30, old, there, index)
    call check(old == -1, 'atomic_fetch_and gives the value before')
    call expect(30, 'atomic_fetch_and')
    call x%atomic_fetch_or(1, old, there, index)
    call check(old == 30, 'atomic_fetch_or gives the value before')
    call expect(31, 'atomic_fetch_or')
    call x%atomic_fetch_xor(5, old, there, index)
    call check(old == 31, 'atomic_fetch_xor gives the value before')
    call expect(26, 'atomic_fetch_xor')
    call x%atomic_swap(huge(1), old, there, index)
    call check(old == 26, 'atomic_swap gives the value before')
    call x%atomic_fetch_add(1, old, there, index)
    call check(old == huge(1), 'the greatest value')
    call expect(least_but_one - 1, 'words wrap around')
    call x%atomic_define(5, there, index)
    call x%atomic_cas(old, 4, 6, there, index)
    call check(old == 5, 'atomic_cas gives the value that it saw')
    call expect(5, 'atomic_cas of something else stores nothing')
    call x%atomic_cas(old, 5, 6, there, index)
    call check(old == 5, 'atomic_cas gives the value before')
    call expect(6, 'atomic_cas stores')
    call sync_all()
    call check(x%local(1) == 0 .and. x%local(3) == 0, 'the neighbours stay as they are')
    call sync_all()
    call x%deallocate()
  contains
    subroutine expect(value, what)
      integer(int32), intent(in) :: value
      character(*), intent(in) :: what
      integer(int32) :: seen

      seen = -98
      call sync_memory(there)
      call x%atomic_ref(seen, there, index)
      call check(seen == value, what)
    end subroutine
  end subroutine

  subroutine check_int64()
    type(symmetric_int64) :: x
    type(async_request) :: request
    integer(int64), target, asynchronous :: old
    integer(int64), parameter :: large = 2_int64**40
    integer :: there

    call part('atomics of int64')
    there = 1 + mod(this_image(), num_images())
    call x%allocate(1)
    call x%atomic_define(-large, there)
    call expect(-large, 'atomic_define')
    call x%atomic_add(3 * large, there)
    call expect(2 * large, 'atomic_add')
    call x%atomic_or(large, there)
    call expect(3 * large, 'atomic_or')
    call x%atomic_and(large, there)
    call expect(large, 'atomic_and')
    call x%atomic_xor(3 * large, there)
    call expect(2 * large, 'atomic_xor')
    call x%atomic_fetch_add(1_int64, old, there)
    call check(old == 2 * large, 'atomic_fetch_add gives the value before')
    call x%atomic_fetch_and(large, old, there)
    call check(old == 2 * large + 1, 'atomic_fetch_and gives the value before')
    call x%atomic_fetch_or(large, old, there)
    call check(old == 0, 'atomic_fetch_or gives the value before')
    call x%atomic_fetch_xor(1_int64, old, there)
    call check(old == large, 'atomic_fetch_xor gives the value before')
    call x%atomic_swap(-1_int64, old, there)
    call check(old == large + 1, 'atomic_swap gives the value before')
    call x%atomic_cas(old, -1_int64, large, there)
    call check(old == -1, 'atomic_cas gives the value before')
    call expect(large, 'atomic_cas stores')
    old = -99
    call x%atomic_fetch_add_async(5_int64, old, there, request)
    call request%wait()
    call check(old == large, 'atomic_fetch_add_async gives the value before')
    call expect(large + 5, 'atomic_fetch_add_async')
    call sync_all()
    call x%deallocate()
  contains
    subroutine expect(value, what)
      integer(int64), intent(in) :: value
      character(*), intent(in) :: what
      integer(int64) :: seen

      seen = -98
      call sync_memory(there)
      call x%atomic_ref(seen, there)
      call check(seen == value, what)
    end subroutine
  end subroutine

  ! Every number is given out once, whichever image asks, and whichever image has the counter.
  subroutine check_counter()
    integer, parameter :: each = 300
    type(symmetric_int32) :: counter, taken
    type(async_request) :: request
    integer, target, asynchronous :: mine
    integer :: i, total, owner, seen

    call part('counter')
    total = each * num_images()
    call counter%allocate(1)
    call taken%allocate(total)
    do owner = 1, num_images(), max(1, num_images() - 1)
      do i = 1, each
        mine = -1
        if (mod(i, 2) == 0) then
          call counter%atomic_fetch_add(1, mine, owner)
        else
          call counter%atomic_fetch_add_async(1, mine, owner, request)
          call request%wait()
        end if
        call check(mine >= 0 .and. mine < total, 'a number in range')
        call taken%atomic_add(1, 1, index=mine + 1)
      end do
      call sync_all()
      call counter%atomic_ref(seen, owner)
      call check(seen == total, 'the counter is exact')
      call sync_all()
    end do
    if (this_image() == 1) then
      do i = 1, total
        call taken%atomic_ref(seen, 1, index=i)
        call check(seen == merge(1, 2, num_images() == 1), 'each number was given out once')
      end do
    end if
    call sync_all()
    call counter%deallocate()
    call taken%deallocate()
  end subroutine

  subroutine check_refusals()
    type(symmetric_int32) :: x
    type(async_request) :: request
    integer, target, asynchronous :: old
    integer :: stat
    character(300) :: errmsg

    call part('atomics that are refused')
    old = 17
    call x%atomic_fetch_add(1, old, 1, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'not allocated')
    call x%allocate(4)
    call x%atomic_fetch_add(1, old, num_images() + 1, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'images are 1 to')
    call x%atomic_fetch_add(1, old, 1, index=5, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'the array has 4')
    call x%atomic_add(1, 0, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'image 0')
    call x%atomic_cas(old, 1, 2, 1, index=-1, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'number -1')
    call x%atomic_fetch_add_async(1, old, 1, request, index=9, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'number 9')
    call check(old == 17, 'nothing was fetched')
    call request%wait()
    call sync_all()
    call check(all(x%local == 0), 'nothing was added')
    call x%deallocate()
  end subroutine

  subroutine check_events()
    type(symmetric_event) :: ready, never
    type(symmetric_int32) :: x
    integer :: image, posts, stat, round, before, after
    character(300) :: errmsg

    call part('events')
    after = 1 + mod(this_image(), num_images())
    before = 1 + mod(this_image() + num_images() - 2, num_images())
    call ready%allocate()
    call x%allocate(1)
    do image = 1, num_images()
      call ready%post(image)
      call ready%post(image, stat=stat, errmsg=errmsg)
      call check(stat == makespan_ok, 'post')
    end do
    call ready%wait(until_count=2 * num_images() - 1)
    call ready%wait()
    call sync_all()
    call ready%query(posts)
    call check(posts == 0, 'all posts were taken')
    call sync_all()
    call ready%post(after)
    call sync_all()
    call ready%query(posts)
    call check(posts == 1, 'query counts posts')
    call ready%wait()
    call sync_all()
    do round = 1, 20
      call x%put(round * 100 + this_image(), after)
      call ready%post(after)
      call ready%wait()
      call check(x%local(1) == round * 100 + before, 'what was put before the post')
      call sync_all()
    end do
    call ready%post(1, index=2, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'from number 2')
    call ready%wait(index=0, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'from number 0')
    call ready%query(posts, index=3, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'from number 3')
    call never%post(1, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'not allocated')
    call sync_all()
    call ready%deallocate()
    call x%deallocate()
  end subroutine

end module atomic_checks
