! SPDX-License-Identifier: Apache-2.0
! ATOMIC_FETCH_ADD on a counter of image 1 from image 2, in Fortran 2018 coarrays: what the bench of
! the runtime compares itself with. For two images of OpenCoarrays:
!
!   coarray_counter ROUNDS OPERATIONS PASSIVE_ROUNDS COMPUTE_S
!
! First image 1 waits in SYNC ALL; then, in the passive rounds, it computes for COMPUTE_S seconds and
! calls nothing. Each round prints a line of JSON.
program coarray_counter
  use, intrinsic :: iso_c_binding, only: c_int
  use, intrinsic :: iso_fortran_env, only: atomic_int_kind, int64, output_unit, real64
  use peer_process, only: end_process, now
  implicit none

  integer(atomic_int_kind) :: counter[*]
  integer :: rounds, operations, passive_rounds, compute_seconds
  integer :: round

  if (num_images() /= 2) error stop "coarray_counter: for two images"
  rounds = argument(1)
  operations = argument(2)
  passive_rounds = argument(3)
  compute_seconds = argument(4)
  if (this_image() == 1) call atomic_define(counter, 0_atomic_int_kind)

  do round = 0, rounds
    sync all
    if (this_image() == 2) call add_many(round)
    sync all
  end do
  do round = 1, passive_rounds
    sync all
    if (this_image() == 1) call compute()
    if (this_image() == 2) call add_while_the_other_computes(round)
    sync all
  end do
  flush (output_unit)
  sync all
  call end_process(0_c_int)

contains

  integer function argument(place)
    integer, intent(in) :: place
    character(len=32) :: text

    call get_command_argument(place, text)
    read (text, *) argument
  end function argument

  subroutine add_one()
    integer(atomic_int_kind) :: old

    call atomic_fetch_add(counter[1], 1_atomic_int_kind, old)
  end subroutine add_one

  ! Round 0 warms up.
  subroutine add_many(round)
    integer, intent(in) :: round
    real(real64) :: begin
    integer :: operation

    begin = now()
    do operation = 1, operations
      call add_one()
    end do
    if (round > 0) call report("opencoarrays.fetch_add", round, (now() - begin) / operations)
  end subroutine add_many

  ! One operation, a hundredth of a second into the computation.
  subroutine add_while_the_other_computes(round)
    integer, intent(in) :: round
    real(real64) :: begin

    begin = now()
    do while (now() < begin + 0.01_real64)
    end do
    begin = now()
    call add_one()
    call report("opencoarrays.passive", round, now() - begin)
  end subroutine add_while_the_other_computes

  subroutine compute()
    real(real64) :: begin
    real(real64), volatile :: value

    begin = now()
    value = 1
    do while (now() < begin + compute_seconds)
      value = value * 1.0000001_real64 + 1e-9_real64
    end do
  end subroutine compute

  subroutine report(contestant, round, seconds)
    character(len=*), intent(in) :: contestant
    integer, intent(in) :: round
    real(real64), intent(in) :: seconds

    write (output_unit, "(3a,i0,a,es16.9,a)") '{"contestant": "', contestant, '", "round": ', &
      round, ', "seconds": ', seconds, "}"
  end subroutine report
end program coarray_counter
