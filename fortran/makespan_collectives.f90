! SPDX-License-Identifier: Apache-2.0
! Collective procedures of the current team on bytes: what those of every type stand on.
module makespan_collectives
  use, intrinsic :: iso_c_binding, only: c_int32_t, c_int64_t, c_null_ptr, c_ptr
  use makespan_c
  use makespan_job, only: current_team, num_images, this_image
  use makespan_open_job, only: is_in_job
  use makespan_outcome, only: conclude, refuse, text_of, text_of_long
  implicit none
  private
  public :: broadcast_block, gather_block, reduce_block

contains

  subroutine broadcast_block(values, bytes, source_image, stat, errmsg)
    type(c_ptr), intent(in) :: values
    integer(c_int64_t), intent(in) :: bytes
    integer, intent(in) :: source_image
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int32_t) :: root

    if (.not. is_root('co_broadcast', source_image, root, stat, errmsg)) return
    call conclude(c_broadcast_all(current_team(), some(values, bytes), bytes, root), stat, errmsg)
  end subroutine

  subroutine reduce_block(values, reduction, result_image, stat, errmsg)
    type(c_ptr), intent(in) :: values
    type(c_reduction), intent(in) :: reduction
    integer, intent(in), optional :: result_image
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int32_t) :: root
    type(c_ptr) :: data

    if (.not. is_root('a reduction', result_image, root, stat, errmsg)) return
    data = some(values, reduction%count)
    call conclude(c_reduce_all(current_team(), reduction, data, data, root), stat, errmsg)
  end subroutine

  subroutine gather_block(values, bytes, all, all_bytes, result_image, stat, errmsg)
    type(c_ptr), intent(in) :: values
    integer(c_int64_t), intent(in) :: bytes
    type(c_ptr), intent(in) :: all
    integer(c_int64_t), intent(in) :: all_bytes
    integer, intent(in), optional :: result_image
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    integer(c_int32_t) :: root
    logical :: is_wanted

    if (.not. is_root('co_gather', result_image, root, stat, errmsg)) return
    is_wanted = root == all_ranks .or. root == this_image() - 1
    if (is_wanted .and. all_bytes /= bytes * num_images()) then
      call refuse('co_gather into ' // text_of_long(all_bytes) // ' bytes', 'there are ' // &
          text_of(num_images()) // ' times ' // text_of_long(bytes), &
          'give it the shape [shape of a, num_images()]', stat, errmsg)
      return
    end if
    call conclude(c_gather_all(current_team(), some(values, bytes), bytes, some(all, all_bytes), &
        root), stat, errmsg)
  end subroutine

  ! From an image of the current team, or none, to a rank. False if there is none such, or no job; then stat and
  ! errmsg are as they should be, or the program has ended.
  logical function is_root(procedure_name, image, root, stat, errmsg)
    character(*), intent(in) :: procedure_name
    integer, intent(in), optional :: image
    integer(c_int32_t), intent(out) :: root
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    root = all_ranks
    is_root = is_in_job(procedure_name, stat, errmsg)
    if (.not. (is_root .and. present(image))) return
    root = int(image - 1, c_int32_t)
    is_root = image >= 1 .and. image <= num_images()
    if (is_root) return
    call refuse(procedure_name // ' with image ' // text_of(image), 'the current team has ' // &
        text_of(num_images()) // ' images', 'images are 1 to ' // text_of(num_images()), stat, &
        errmsg)
  end function

  ! Arrays without elements have no address that means anything.
  type(c_ptr) function some(values, count)
    type(c_ptr), intent(in) :: values
    integer(c_int64_t), intent(in) :: count

    some = c_null_ptr
    if (count > 0) some = values
  end function

end module makespan_collectives
