! SPDX-License-Identifier: Apache-2.0
! How an operation tells what came of it: by stat= and errmsg=, or, where there is no stat=, by ending the program
! as a coarray statement would.
module makespan_outcome
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_f_pointer, c_int, c_int64_t, &
      c_null_char, c_ptr
  use, intrinsic :: iso_fortran_env, only: error_unit
  use makespan_c, only: c_last_error, c_strlen, makespan_bad_input, makespan_ok
  implicit none
  private
  public :: conclude, ended_well, refuse, c_text, text_at, text_of, text_of_long

contains

  ! What a function of C returned becomes stat, and its text errmsg; both as in Fortran 2018.
  subroutine conclude(status, stat, errmsg)
    integer(c_int), intent(in) :: status
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    character(:), allocatable :: text

    if (present(stat)) stat = int(status)
    if (status == makespan_ok) return
    text = text_at(c_last_error())
    if (index(text, 'image ') > 0) text = text // ' [here, images count from 0]'
    call tell(text, present(stat), errmsg)
  end subroutine

  ! Of a procedure that has come back: without `stat` it stops where it fails.
  logical function ended_well(stat)
    integer, intent(in), optional :: stat

    ended_well = .true.
    if (present(stat)) ended_well = stat == makespan_ok
  end function

  ! What is noticed on this side of the boundary: problem (why): what would be right.
  subroutine refuse(problem, why, right, stat, errmsg)
    character(*), intent(in) :: problem, why, right
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    if (present(stat)) stat = makespan_bad_input
    call tell(problem // ' (' // why // '): ' // right, present(stat), errmsg)
  end subroutine

  subroutine tell(text, is_handled, errmsg)
    character(*), intent(in) :: text
    logical, intent(in) :: is_handled
    character(*), intent(inout), optional :: errmsg

    if (present(errmsg)) errmsg = text
    if (is_handled) return
    write (error_unit, '(2a)') 'makespan: ', text
    flush (error_unit)
    error stop 1
  end subroutine

  ! A string of C, copied.
  function text_at(string) result(text)
    type(c_ptr), intent(in) :: string
    character(:), allocatable :: text
    character(kind=c_char), pointer :: characters(:)
    integer :: length, i

    length = 0
    if (c_associated(string)) length = int(c_strlen(string))
    allocate (character(length) :: text)
    if (length == 0) return
    call c_f_pointer(string, characters, [length])
    do i = 1, length
      text(i:i) = characters(i)
    end do
  end function

  function text_of(number) result(text)
    integer, intent(in) :: number
    character(:), allocatable :: text

    text = text_of_long(int(number, c_int64_t))
  end function

  function text_of_long(number) result(text)
    integer(c_int64_t), intent(in) :: number
    character(:), allocatable :: text
    character(20) :: digits

    write (digits, '(i0)') number
    text = trim(digits)
  end function

  ! Without trailing blanks, ended as C wants it.
  function c_text(text) result(characters)
    character(*), intent(in) :: text
    character(kind=c_char), allocatable :: characters(:)
    integer :: i

    allocate (characters(len_trim(text) + 1))
    do i = 1, len_trim(text)
      characters(i) = text(i:i)
    end do
    characters(size(characters)) = c_null_char
  end function

end module makespan_outcome
