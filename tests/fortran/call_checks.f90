! SPDX-License-Identifier: Apache-2.0
! Functions that other images call: what they get, what comes back, and what fails.
module call_checks
  use, intrinsic :: iso_c_binding, only: c_double, c_f_pointer, c_int, c_int64_t, c_loc, c_ptr
  use checks
  use makespan
  implicit none
  private
  public :: check_calls

contains

  ! The sum of what came, and who runs it.
  function sum_up(arguments, bytes, result, result_bytes) bind(C) result(status)
    type(c_ptr), value :: arguments
    integer(c_int64_t), value :: bytes
    type(c_ptr), value :: result
    integer(c_int64_t), value :: result_bytes
    integer(c_int) :: status
    real(c_double), pointer :: values(:), answer(:)

    status = makespan_bad_input
    if (result_bytes /= 16) return
    call c_f_pointer(arguments, values, [bytes / 8])
    call c_f_pointer(result, answer, [2])
    answer(1) = sum(values)
    answer(2) = this_image()
    status = makespan_ok
  end function

  subroutine check_calls()
    type(async_request) :: request
    type(image_team) :: alone
    real(c_double), target :: values(5), answer(2)
    integer :: there, stat, i
    character(200) :: errmsg
    logical :: is_done

    call part('remote calls')
    there = 1 + mod(this_image(), num_images())
    call register_function('sum_up', sum_up)
    call sync_all()
    values = [(real(i, c_double), i = 1, 5)]
    answer = 0
    call remote_call('sum_up', there, request, c_loc(values), 40_c_int64_t, c_loc(answer), &
        16_c_int64_t)
    values = 0
    call request%wait()
    call check(answer(1) == 15, 'the sum of what was given')
    call check(answer(2) == there, 'the image that was named ran it')

    ! All images ask, and none waits: each runs what another has called on it.
    call remote_call('sum_up', there, request, c_loc(values), 40_c_int64_t, c_loc(answer), &
        16_c_int64_t)
    is_done = .false.
    do while (.not. is_done)
      call request%test(is_done)
    end do
    call check(answer(1) == 0, 'images that only test run calls')

    call remote_call('sum_up', there, request, c_loc(values), 40_c_int64_t, thread=1)
    call request%wait(stat, errmsg)
    call check(stat == makespan_remote_error, 'what fails there fails here')
    call remote_call('no such', there, request)
    call request%wait(stat, errmsg)
    call check(stat == makespan_remote_error, 'a function that is not there')
    call check(index(errmsg, 'no such') > 0, 'its name is told')
    call remote_call('sum_up', num_images() + 1, request, stat=stat, errmsg=errmsg)
    call check(stat == makespan_bad_input, 'an image that is not there')
    call remote_call('sum_up', there, request, thread=3, stat=stat, errmsg=errmsg)
    call check_refused(stat, errmsg, 'remote_call with thread 3')
    call check_refused(stat, errmsg, 'threads are 1 to 2')
    call sync_all()

    ! Images are those of the current team: here each image's own.
    call form_team(this_image(), alone)
    call change_team(alone)
    call remote_call('sum_up', 1, request, c_loc(values), 40_c_int64_t, c_loc(answer), 16_c_int64_t)
    call request%wait()
    call end_team()
    call check(answer(2) == 1, 'the first image of the team ran it')
    call remote_call('sum_up', this_image(), request, c_loc(values), 40_c_int64_t, c_loc(answer), &
        16_c_int64_t)
    call request%wait()
    call check(answer(2) == this_image(), 'this image ran it')
    call free_team(alone)
    call sync_all()
  end subroutine

end module call_checks
