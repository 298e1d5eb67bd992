! SPDX-License-Identifier: Apache-2.0
! Operations that go on while their thread does something else.
module makespan_requests
  use, intrinsic :: iso_c_binding, only: c_associated, c_int, c_int32_t, c_null_ptr, c_ptr
  use makespan_c
  use makespan_outcome, only: conclude, refuse
  implicit none
  private

  public :: async_request, is_free

  ! Something that was begun, and is not waited for yet. Buffers that go with it must last until it is
  ! done, and be asynchronous variables.
  type :: async_request
    type(c_ptr) :: handle = c_null_ptr
  contains
    procedure :: wait => wait_for_request
    procedure :: test => test_request
  end type

contains

  logical function is_free(request, procedure_name, stat, errmsg)
    type(async_request), intent(in) :: request
    character(*), intent(in) :: procedure_name
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    is_free = .not. c_associated(request%handle)
    if (.not. is_free) then
      call refuse(procedure_name // ' with a request that is under way', &
          'it would be lost', 'wait for it before, or use another', stat, errmsg)
    end if
  end function

  ! Blocks until it is done: what was put can be seen there, what was got is here. A request that was
  ! never begun is done. One that failed, by makespan_timeout or otherwise, and may be under way, may be waited
  ! for again; until then its buffer stays, and it is not free for another operation.
  subroutine wait_for_request(this, stat, errmsg)
    class(async_request), intent(inout) :: this
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    call conclude(c_request_wait(this%handle), stat, errmsg)
  end subroutine

  ! Whether it is done. Drives progress.
  subroutine test_request(this, is_done, stat, errmsg)
    class(async_request), intent(inout) :: this
    logical, intent(out) :: is_done
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int32_t) :: done
    integer(c_int) :: status

    status = c_request_test(this%handle, done)
    is_done = done == 1
    call conclude(status, stat, errmsg)
  end subroutine

end module makespan_requests
