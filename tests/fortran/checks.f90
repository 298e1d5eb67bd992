! SPDX-License-Identifier: Apache-2.0
! What a test is: a part of the program, and conditions that must hold in it. Each image reports its own failures; at the
! end all agree on whether there were any.
module checks
  use, intrinsic :: iso_fortran_env, only: error_unit
  use makespan
  implicit none
  private
  public :: part, check, check_refused, conclude_checks

  character(:), allocatable, save :: current_part
  integer, save :: failures = 0
  integer, save :: conditions = 0

contains

  ! What follows is about `name`; what came before is over on all images.
  subroutine part(name)
    character(*), intent(in) :: name

    call sync_all()
    current_part = name
  end subroutine

  subroutine check(condition, what)
    logical, intent(in) :: condition
    character(*), intent(in) :: what

    conditions = conditions + 1
    if (condition) return
    failures = failures + 1
    write (error_unit, '(a, i0, 4a)') 'image ', this_image(), ': ', current_part, ': not so: ', what
  end subroutine

  ! A procedure that must refuse gave this stat and this errmsg.
  subroutine check_refused(stat, errmsg, words)
    integer, intent(in) :: stat
    character(*), intent(in) :: errmsg, words

    call check(stat == makespan_bad_input, 'refused, with a text about ' // words)
    call check(index(errmsg, words) > 0, 'the text has "' // words // '": ' // trim(errmsg))
  end subroutine

  ! On all images: ends the program with an error if a condition did not hold anywhere.
  subroutine conclude_checks()
    call check(conditions > 100, 'the conditions were looked at')
    call co_sum(failures)
    if (failures == 0) return
    if (this_image() == 1) write (error_unit, '(i0, a)') failures, ' conditions do not hold'
    error stop 1
  end subroutine

end module checks
