! SPDX-License-Identifier: Apache-2.0
! Memory that all images have, as bytes: what symmetric arrays of every type stand on. Checks subscripts and images,
! and speaks to C. Element numbers count from 1.
module makespan_memory
  use, intrinsic :: iso_c_binding, only: c_associated, c_int, c_int32_t, c_int64_t, &
      c_null_char, c_null_ptr, c_ptr
  use makespan_c
  use makespan_job, only: is_initial_team, job_image
  use makespan_open_job, only: is_in_job, jobs_begun, runtime
  use makespan_outcome, only: conclude, refuse, text_of, text_of_long
  use makespan_requests, only: async_request, is_free
  implicit none
  private

  public :: block, async_request
  public :: allocate_block, free_block, is_of_this_job, element_number, elements_of
  public :: put_block, get_block, put_block_async, get_block_async, put_block_signal
  public :: put_section, get_section
  public :: fetch_word, update_word, fetch_word_async
  public :: locate, one, expect_contiguous

  integer(c_int64_t), parameter :: one = 1  ! elements, to locate()
  integer(c_int64_t), parameter :: far_out = huge(0)  ! as a number: of no element, as its negative is

  ! Elements at the same place of every image's heap.
  type :: block
    integer(c_int64_t) :: offset = -1       ! [bytes]
    integer(c_int64_t) :: element_bytes = 0
    integer, allocatable :: extents(:)      ! as allocated; not allocated: nothing is
    integer :: job = 0                      ! that it was allocated in; it ended with that
  end type

contains

  ! ---- allocation, collective over all images of the job

  subroutine allocate_block(this, extents, element_bytes, local, name, stat, errmsg)
    type(block), intent(inout) :: this
    integer, intent(in) :: extents(:)
    integer(c_int64_t), intent(in) :: element_bytes
    type(c_ptr), intent(out) :: local
    character(*), intent(in), optional :: name
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: elements
    character(:), allocatable :: label
    character(13 * size(extents)) :: numbers
    integer(c_int) :: status

    local = c_null_ptr
    if (.not. is_allowed('allocate', stat, errmsg)) return
    if (is_of_this_job(this)) then
      call refuse('allocate of an array that is allocated', 'its memory would be lost', &
          'call its deallocate before', stat, errmsg)
      return
    end if
    ! C refuses -1 on all images together.
    elements = elements_of(extents)
    label = 'a symmetric array'
    if (present(name)) label = trim(name)
    status = c_allocate_all(runtime, elements * element_bytes, label // c_null_char, this%offset)
    if (status == makespan_ok) then
      status = c_local(runtime, this%offset, elements * element_bytes, local)
      this%element_bytes = element_bytes
      this%extents = extents
      this%job = jobs_begun
    else if (status == makespan_bad_input .and. elements < 0) then
      write (numbers, '(*(i0, :, ", "))') extents
      call refuse('allocate of extents [' // trim(numbers) // '] for ' // label, 'an array has 0 to ' // &
          text_of(huge(0)) // ' elements', 'give extents of 0 or more with no larger product', stat, errmsg)
      return
    end if
    call conclude(status, stat, errmsg)
  end subroutine

  ! -1 where an array has no such extents, or more elements than a default integer counts.
  pure integer(c_int64_t) function elements_of(extents)
    integer, intent(in) :: extents(:)
    integer :: d

    elements_of = -1
    if (any(extents < 0)) return
    elements_of = 0
    if (any(extents == 0)) return
    elements_of = 1
    ! One by one: the product of all may be too large for any integer.
    do d = 1, size(extents)
      elements_of = elements_of * extents(d)
      if (elements_of <= huge(0)) cycle
      elements_of = -1
      return
    end do
  end function

  subroutine free_block(this, stat, errmsg)
    type(block), intent(inout) :: this
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    if (.not. is_allowed('deallocate', stat, errmsg)) return
    if (.not. is_allocated(this, 'deallocate', stat, errmsg)) return
    deallocate (this%extents)
    call conclude(c_free_all(runtime, this%offset), stat, errmsg)
  end subroutine

  logical function is_allowed(procedure_name, stat, errmsg)
    character(*), intent(in) :: procedure_name
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    is_allowed = .false.
    if (.not. is_in_job(procedure_name, stat, errmsg)) return
    is_allowed = is_initial_team()
    if (.not. is_allowed) then
      call refuse(procedure_name // ' inside change_team', 'symmetric arrays are on all images', &
          'call it in the initial team', stat, errmsg)
    end if
  end function

  logical function is_of_this_job(this)
    type(block), intent(in) :: this

    is_of_this_job = allocated(this%extents) .and. this%job == jobs_begun
  end function

  logical function is_allocated(this, procedure_name, stat, errmsg)
    type(block), intent(in) :: this
    character(*), intent(in) :: procedure_name
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    is_allocated = is_of_this_job(this)
    if (.not. is_allocated) then
      call refuse(procedure_name // ' on an array that is not allocated in this job', &
          'it has no memory', 'call its allocate before, on all images', stat, errmsg)
    end if
  end function

  ! ---- where elements are

  ! The number in array element order of the element with these subscripts; of subscripts far out of bounds, or in
  ! another rank than the array's, one that is out of bounds.
  integer function element_number(this, subscripts)
    type(block), intent(in) :: this
    integer, intent(in) :: subscripts(:)
    integer(c_int64_t) :: number, stride
    integer :: d

    element_number = -int(far_out)
    if (.not. allocated(this%extents)) return
    if (size(subscripts) /= size(this%extents)) return
    element_number = 1
    if (elements_of(this%extents) == 0) return
    number = 1
    stride = 1
    do d = 1, size(subscripts)
      number = number + (subscripts(d) - 1_c_int64_t) * stride
      number = max(-far_out, min(number, far_out))
      stride = stride * this%extents(d)
    end do
    element_number = int(number)
  end function

  ! The place of `count` elements from number `first` (1 if absent) on `image`. False if there is no such
  ! place; then stat and errmsg are as they should be, or the program has ended.
  logical function locate(this, procedure_name, image, first, count, place, stat, errmsg)
    type(block), intent(in) :: this
    character(*), intent(in) :: procedure_name
    integer, intent(in) :: image
    integer, intent(in), optional :: first
    integer(c_int64_t), intent(in) :: count
    type(c_address), intent(out) :: place
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer :: begin, elements

    locate = .false.
    place = c_address(-1, -1)
    if (.not. is_allocated(this, procedure_name, stat, errmsg)) return
    if (.not. job_image(procedure_name, image, place%image, stat, errmsg)) return
    begin = 1
    if (present(first)) begin = first
    elements = int(elements_of(this%extents))
    if (begin < 1 .or. count > elements .or. begin - 1 > elements - count) then
      call refuse(procedure_name // ' of ' // text_of_long(count) // ' elements from number ' // &
          text_of(begin), 'the array has ' // text_of(elements) // ' elements on each image', &
          'stay within 1 to ' // text_of(elements), stat, errmsg)
      return
    end if
    place%offset = this%offset + (begin - 1) * this%element_bytes
    locate = .true.
  end function

  ! A compiler may copy an argument with gaps, and throw the copy away before the operation is over.
  logical function expect_contiguous(is_so, procedure_name, stat, errmsg)
    logical, intent(in) :: is_so
    character(*), intent(in) :: procedure_name
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    expect_contiguous = is_so
    if (.not. is_so) then
      call refuse(procedure_name // ' of values that are not contiguous', &
          'they stay where they are until it is over', 'copy them before', stat, errmsg)
    end if
  end function

  ! ---- put and get

  subroutine put_block(this, values, count, image, first, stat, errmsg)
    type(block), intent(in) :: this
    type(c_ptr), intent(in) :: values
    integer(c_int64_t), intent(in) :: count
    integer, intent(in) :: image
    integer, intent(in), optional :: first
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_address) :: to

    if (.not. locate(this, 'put', image, first, count, to, stat, errmsg)) return
    call conclude(c_put(c_here(), to, values, count * this%element_bytes), stat, errmsg)
  end subroutine

  subroutine get_block(this, values, count, image, first, stat, errmsg)
    type(block), intent(in) :: this
    type(c_ptr), intent(in) :: values
    integer(c_int64_t), intent(in) :: count
    integer, intent(in) :: image
    integer, intent(in), optional :: first
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_address) :: from

    if (.not. locate(this, 'get', image, first, count, from, stat, errmsg)) return
    call conclude(c_get(c_here(), from, values, count * this%element_bytes), stat, errmsg)
  end subroutine

  subroutine put_block_async(this, values, count, image, request, first, stat, errmsg)
    type(block), intent(in) :: this
    type(c_ptr), intent(in) :: values
    integer(c_int64_t), intent(in) :: count
    integer, intent(in) :: image
    type(async_request), intent(inout) :: request
    integer, intent(in), optional :: first
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_address) :: to

    if (.not. is_free(request, 'put_async', stat, errmsg)) return
    if (.not. locate(this, 'put_async', image, first, count, to, stat, errmsg)) return
    call conclude(c_put_async(c_here(), to, values, count * this%element_bytes, request%handle), &
        stat, errmsg)
  end subroutine

  subroutine get_block_async(this, values, count, image, request, first, stat, errmsg)
    type(block), intent(in) :: this
    type(c_ptr), intent(in) :: values
    integer(c_int64_t), intent(in) :: count
    integer, intent(in) :: image
    type(async_request), intent(inout) :: request
    integer, intent(in), optional :: first
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_address) :: from

    if (.not. is_free(request, 'get_async', stat, errmsg)) return
    if (.not. locate(this, 'get_async', image, first, count, from, stat, errmsg)) return
    call conclude(c_get_async(c_here(), from, values, count * this%element_bytes, &
        request%handle), stat, errmsg)
  end subroutine

  ! Puts, and then posts to an event, whose place on `image` is `event`.
  subroutine put_block_signal(this, values, count, image, event, first, stat, errmsg)
    type(block), intent(in) :: this
    type(c_ptr), intent(in) :: values
    integer(c_int64_t), intent(in) :: count
    integer, intent(in) :: image
    type(c_address), intent(in) :: event
    integer, intent(in), optional :: first
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_address) :: to
    type(c_signal) :: signal

    if (.not. locate(this, 'put_signal', image, first, count, to, stat, errmsg)) return
    signal = c_signal(offset=event%offset, value=1, kind=0)
    call conclude(c_put_signal(c_here(), to, values, count * this%element_bytes, signal), stat, &
        errmsg)
  end subroutine

  ! ---- sections: subscript first(d) and then every stride(d)-th, counts(d) times, in each dimension

  subroutine put_section(this, values, counts, image, first, stride, stat, errmsg)
    type(block), intent(in) :: this
    type(c_ptr), intent(in) :: values
    integer(c_int64_t), intent(in) :: counts(:)
    integer, intent(in) :: image, first(:)
    integer, intent(in), optional :: stride(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_address) :: to
    type(c_box) :: box
    integer(c_int64_t) :: strides_there(4)

    if (.not. locate_section(this, 'put_section', counts, image, first, stride, to, stat, errmsg)) &
        return
    box = section_box(this, counts, stride)
    strides_there = box%dimensions%source_stride
    box%dimensions%source_stride = box%dimensions%target_stride
    box%dimensions%target_stride = strides_there
    call conclude(c_put_strided(c_here(), to, values, box), stat, errmsg)
  end subroutine

  subroutine get_section(this, values, counts, image, first, stride, stat, errmsg)
    type(block), intent(in) :: this
    type(c_ptr), intent(in) :: values
    integer(c_int64_t), intent(in) :: counts(:)
    integer, intent(in) :: image, first(:)
    integer, intent(in), optional :: stride(:)
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_address) :: from

    if (.not. locate_section(this, 'get_section', counts, image, first, stride, from, stat, &
        errmsg)) return
    call conclude(c_get_strided(c_here(), from, values, section_box(this, counts, stride)), stat, &
        errmsg)
  end subroutine

  logical function locate_section(this, procedure_name, counts, image, first, stride, place, &
      stat, errmsg)
    type(block), intent(in) :: this
    character(*), intent(in) :: procedure_name
    integer(c_int64_t), intent(in) :: counts(:)
    integer, intent(in) :: image, first(:)
    integer, intent(in), optional :: stride(:)
    type(c_address), intent(out) :: place
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int64_t) :: last
    integer :: d, step

    locate_section = .false.
    if (.not. is_allocated(this, procedure_name, stat, errmsg)) return
    if (size(this%extents) /= size(counts) .or. size(first) /= size(counts)) then
      call refuse(procedure_name // ' of rank ' // text_of(size(counts)) // ' from ' // &
          text_of(size(first)) // ' subscripts', 'the array was allocated with rank ' // &
          text_of(size(this%extents)), 'give values and subscripts of that rank', stat, errmsg)
      return
    end if
    if (any(counts == 0)) then
      locate_section = locate(this, procedure_name, image, 1, 0_c_int64_t, place, stat, errmsg)
      return
    end if
    do d = 1, size(counts)
      step = step_of(stride, d)
      last = first(d) + (counts(d) - 1) * step
      if (min(int(first(d), c_int64_t), last) < 1 .or. &
          max(int(first(d), c_int64_t), last) > this%extents(d)) then
        call refuse(procedure_name // ': subscripts ' // text_of(first(d)) // ' to ' // &
            text_of_long(last) // ' in dimension ' // text_of(d), 'the array has ' // &
            text_of(this%extents(d)) // ' there', 'stay within 1 to ' // &
            text_of(this%extents(d)), stat, errmsg)
        return
      end if
    end do
    locate_section = locate(this, procedure_name, image, element_number(this, first), one, place, &
        stat, errmsg)
  end function

  integer function step_of(stride, d)
    integer, intent(in), optional :: stride(:)
    integer, intent(in) :: d

    step_of = 1
    if (present(stride)) step_of = stride(d)
  end function

  ! From the array to contiguous values. Fortran's first dimension is C's last.
  type(c_box) function section_box(this, counts, stride) result(box)
    type(block), intent(in) :: this
    integer(c_int64_t), intent(in) :: counts(:)
    integer, intent(in), optional :: stride(:)
    integer(c_int64_t) :: there, here
    integer :: d

    box%element_bytes = this%element_bytes
    box%dimensions = c_dimension(1, 0, 0)
    there = this%element_bytes
    here = this%element_bytes
    do d = 1, size(counts)
      box%dimensions(5 - d) = c_dimension(counts(d), there * step_of(stride, d), here)
      there = there * this%extents(d)
      here = here * counts(d)
    end do
  end function

  ! ---- atomics

  type(c_atomic) function word_operation(op, place, this, operand, expected) result(atomic)
    integer(c_int32_t), intent(in) :: op
    type(c_address), intent(in) :: place
    type(block), intent(in) :: this
    integer(c_int64_t), intent(in) :: operand
    integer(c_int64_t), intent(in), optional :: expected

    atomic = c_atomic(place, op, int(this%element_bytes, c_int32_t), operand, 0)
    if (present(expected)) atomic%expected = expected
  end function

  ! `old` is the address of an integer as wide as the word.
  subroutine fetch_word(this, op, operand, old, image, index, expected, stat, errmsg)
    type(block), intent(in) :: this
    integer(c_int32_t), intent(in) :: op
    integer(c_int64_t), intent(in) :: operand
    type(c_ptr), intent(in) :: old
    integer, intent(in) :: image
    integer, intent(in), optional :: index
    integer(c_int64_t), intent(in), optional :: expected
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_address) :: at

    if (.not. locate(this, 'an atomic operation', image, index, one, at, stat, errmsg)) return
    call conclude(c_fetch(c_here(), word_operation(op, at, this, operand, expected), old), stat, &
        errmsg)
  end subroutine

  subroutine update_word(this, op, operand, image, index, stat, errmsg)
    type(block), intent(in) :: this
    integer(c_int32_t), intent(in) :: op
    integer(c_int64_t), intent(in) :: operand
    integer, intent(in) :: image
    integer, intent(in), optional :: index
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_address) :: at

    if (.not. locate(this, 'an atomic operation', image, index, one, at, stat, errmsg)) return
    call conclude(c_update(c_here(), word_operation(op, at, this, operand)), stat, errmsg)
  end subroutine

  subroutine fetch_word_async(this, op, operand, old, image, request, index, stat, errmsg)
    type(block), intent(in) :: this
    integer(c_int32_t), intent(in) :: op
    integer(c_int64_t), intent(in) :: operand
    type(c_ptr), intent(in) :: old
    integer, intent(in) :: image
    type(async_request), intent(inout) :: request
    integer, intent(in), optional :: index
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_address) :: at

    if (.not. is_free(request, 'an atomic operation', stat, errmsg)) return
    if (.not. locate(this, 'an atomic operation', image, index, one, at, stat, errmsg)) return
    call conclude(c_fetch_async(c_here(), word_operation(op, at, this, operand), old, &
        request%handle), stat, errmsg)
  end subroutine

end module makespan_memory
