! SPDX-License-Identifier: Apache-2.0
! A book of options priced by the images of a Fortran 2018 program that share one counter: what the
! bench of images compares makespan with. Each image claims the next CHUNK blocks of paths from a
! counter of image 1, and runs them by makespan's own kernel (bench/bag/asian_sums.cpp) into sums of
! its own. In the end CO_SUM adds those of all images, and image 1 makes the prices.
!
!   coarray_book BOOK.csv SEED CHUNK
!
! All images read the book: calls and puts, with the columns of bench.bag.devices.book. Image 1
! prints a line of JSON for each price, and one for the seconds from the first claim to the last
! price.
program coarray_book
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_int, c_int64_t, c_ptr
  use, intrinsic :: iso_fortran_env, only: atomic_int_kind, int64, iostat_end, output_unit, real64
  use peer_process, only: end_process, now
  implicit none

  type, bind(c) :: book_option
    real(c_double) :: side, spot, strike, rate, volatility, expiry
    integer(c_int64_t) :: fixings, paths
  end type book_option

  interface
    function asian_sums_open(seed) bind(c)
      import :: c_int64_t, c_ptr
      integer(c_int64_t), value :: seed
      type(c_ptr) :: asian_sums_open
    end function asian_sums_open

    integer(c_int) function asian_sums_per_option() bind(c)
      import :: c_int
    end function asian_sums_per_option

    subroutine asian_sums_add(book, id, id_length, option) bind(c)
      import :: book_option, c_char, c_int, c_ptr
      type(c_ptr), value :: book
      character(kind=c_char), intent(in) :: id(*)
      integer(c_int), value :: id_length
      type(book_option), intent(in) :: option
    end subroutine asian_sums_add

    integer(c_int64_t) function asian_sums_blocks(book, option) bind(c)
      import :: c_int64_t, c_ptr
      type(c_ptr), value :: book
      integer(c_int64_t), value :: option
    end function asian_sums_blocks

    subroutine asian_sums_run(book, option, block_begin, block_end, sums) bind(c)
      import :: c_double, c_int64_t, c_ptr
      type(c_ptr), value :: book
      integer(c_int64_t), value :: option, block_begin, block_end
      real(c_double), intent(inout) :: sums(*)
    end subroutine asian_sums_run

    real(c_double) function asian_sums_price(book, option, sums) bind(c)
      import :: c_double, c_int64_t, c_ptr
      type(c_ptr), value :: book
      integer(c_int64_t), value :: option
      real(c_double), intent(in) :: sums(*)
    end function asian_sums_price
  end interface

  integer(atomic_int_kind) :: counter[*]
  real(real64), allocatable :: sums(:, :)[:]
  real(real64), allocatable :: prices(:)
  type(c_ptr) :: book
  integer(int64), allocatable :: block_bounds(:) ! first block of each option, and that after all
  integer(int64) :: options, option, chunk
  real(real64) :: begin

  book = asian_sums_open(number(2))
  chunk = number(3)
  call read_book(argument(1))
  allocate (block_bounds(options + 1), prices(options))
  block_bounds(1) = 0
  do option = 1, options
    block_bounds(option + 1) = block_bounds(option) + asian_sums_blocks(book, option - 1)
  end do
  if (block_bounds(options + 1) + (num_images() + 1) * chunk > huge(0_atomic_int_kind)) &
    error stop "coarray_book: more blocks than the counter counts"
  allocate (sums(asian_sums_per_option(), options)[*])
  sums = 0
  if (this_image() == 1) call atomic_define(counter, 0_atomic_int_kind)

  sync all
  begin = now()
  call claim_until_none_is_left()
  call co_sum(sums, result_image=1)
  if (this_image() == 1) then
    do option = 1, options
      prices(option) = asian_sums_price(book, option - 1, sums(:, option))
    end do
    call report(now() - begin)
  end if
  sync all
  call end_process(0_c_int)

contains

  function argument(place)
    integer, intent(in) :: place
    character(len=:), allocatable :: argument
    integer :: length

    call get_command_argument(place, length=length)
    allocate (character(len=length) :: argument)
    call get_command_argument(place, argument)
  end function argument

  integer(int64) function number(place)
    integer, intent(in) :: place
    character(len=:), allocatable :: text

    text = argument(place)
    read (text, *) number
  end function number

  subroutine read_book(path)
    character(len=*), intent(in) :: path
    character(len=64) :: id, option_type, grid
    type(book_option) :: row
    integer :: file, status

    open (newunit=file, file=path, status="old", action="read")
    read (file, *)
    options = 0
    do
      read (file, *, iostat=status) id, option_type, row%spot, row%strike, row%rate, &
        row%volatility, row%expiry, row%fixings, grid, row%paths
      if (status == iostat_end) exit
      if (status /= 0) error stop "coarray_book: a row of the book cannot be read"
      if (grid /= "exclude_start") error stop "coarray_book: for the grid exclude_start"
      row%side = merge(1, -1, option_type == "call")
      call asian_sums_add(book, id, len_trim(id), row)
      options = options + 1
    end do
    close (file)
  end subroutine read_book

  subroutine claim_until_none_is_left()
    integer(atomic_int_kind) :: seen

    seen = 0
    do
      call claim(seen)
      if (seen >= block_bounds(options + 1)) exit
      call run_blocks(int(seen, int64), seen + chunk)
      seen = seen + int(chunk, atomic_int_kind)
    end do
  end subroutine claim_until_none_is_left

  ! Adds a chunk to the counter; `seen` is where it may stand, and then where it stood.
  !
  ! By ATOMIC_CAS: ATOMIC_FETCH_ADD of OpenCoarrays 2.10.1 adds, but leaves OLD as it was
  ! (github.com/sourceryinstitute/OpenCoarrays/issues/772). Once it gives OLD, one call does it.
  subroutine claim(seen)
    integer(atomic_int_kind), intent(inout) :: seen
    integer(atomic_int_kind) :: old

    do
      call atomic_cas(counter[1], old, seen, seen + int(chunk, atomic_int_kind))
      if (old == seen) exit
      seen = old
    end do
  end subroutine claim

  ! Blocks first .. last - 1 of the book, as far as there are.
  subroutine run_blocks(first, last)
    integer(int64), intent(in) :: first, last
    integer(int64) :: own, from, to

    do own = 1, options
      from = max(first, block_bounds(own))
      to = min(last, block_bounds(own + 1))
      if (from >= to) cycle
      call asian_sums_run(book, own - 1, from - block_bounds(own), to - block_bounds(own), &
        sums(:, own))
    end do
  end subroutine run_blocks

  subroutine report(seconds)
    real(real64), intent(in) :: seconds
    integer(int64) :: own

    do own = 1, options
      write (output_unit, "(a,es24.16e3,a)") '{"price": ', prices(own), "}"
    end do
    write (output_unit, "(a,es16.9,a)") '{"seconds": ', seconds, "}"
    flush (output_unit)
  end subroutine report
end program coarray_book
