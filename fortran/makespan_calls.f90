! SPDX-License-Identifier: Apache-2.0
! Functions that other images call.
module makespan_calls
  use, intrinsic :: iso_c_binding, only: c_char, c_funloc, c_int, c_int32_t, c_int64_t, c_loc, &
      c_null_ptr, c_ptr
  use makespan_c
  use makespan_job, only: job_image
  use makespan_open_job, only: job_thread
  use makespan_outcome, only: c_text, conclude
  use makespan_requests, only: async_request, is_free
  implicit none
  private

  public :: remote_function, register_function, remote_call

  abstract interface
    ! What other images may call. `arguments` are what the caller gave, `bytes` of them; it writes
    ! `result_bytes` to `result`, as many as the caller asked for (c_f_pointer makes arrays of both).
    ! Anything but makespan_ok fails the call.
    function remote_function(arguments, bytes, result, result_bytes) bind(C) result(status)
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: arguments
      integer(c_int64_t), value :: bytes
      type(c_ptr), value :: result
      integer(c_int64_t), value :: result_bytes
      integer(c_int) :: status
    end function
  end interface

contains

  ! Names a function of this process for calls of all images: before makespan_begin, or before any
  ! image calls it. A name has up to 256 bytes, and stays.
  subroutine register_function(name, function, stat, errmsg)
    character(*), intent(in) :: name
    procedure(remote_function) :: function
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    call conclude(c_register_function(c_text(name), c_funloc(function)), stat, errmsg)
  end subroutine

  ! Has `image` of the current team run the function that it registered as `name`, once: its thread
  ! `thread`, 1 unless said otherwise, or, where stealing is on, any thread of it, as soon as one
  ! waits. `arguments` are copied. `result` must last until the request is done, and needs `result_bytes`,
  ! without which nothing is written to it; at most 8 bytes less than a message has (64 KiB, or
  ! MAKESPAN_MESSAGE_KIB). Blocks while there is no room. Waiting for the request fails with
  ! makespan_remote_error where the function is not registered there, or returned another status than
  ! makespan_ok.
  subroutine remote_call(name, image, request, arguments, bytes, result, result_bytes, thread, &
      stat, errmsg)
    character(*), intent(in) :: name
    integer, intent(in) :: image
    type(async_request), intent(inout) :: request
    type(c_ptr), intent(in), optional :: arguments, result
    integer(c_int64_t), intent(in), optional :: bytes, result_bytes  ! 0
    integer, intent(in), optional :: thread
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(kind=c_char), allocatable, target :: name_there(:)
    type(c_remote_call) :: call_there

    if (.not. is_free(request, 'remote_call', stat, errmsg)) return
    name_there = c_text(name)
    call_there%name = c_loc(name_there)
    if (.not. job_image('remote_call', image, call_there%image, stat, errmsg)) return
    if (present(thread)) then
      if (.not. job_thread('remote_call', thread, call_there%thread, stat, errmsg)) return
    end if
    if (present(arguments)) call_there%arguments = arguments
    if (present(bytes)) call_there%bytes = bytes
    if (present(result)) call_there%result = result
    if (present(result_bytes)) call_there%result_bytes = result_bytes
    call conclude(c_rpc(c_here(), call_there, request%handle), stat, errmsg)
  end subroutine

end module makespan_calls
