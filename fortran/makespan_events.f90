! SPDX-License-Identifier: Apache-2.0
! Events: counters of posts that any image posts to, and that their owner waits for, as event_type of Fortran
! 2018. Images and events count from 1.
module makespan_events
  use, intrinsic :: iso_c_binding, only: c_int64_t, c_ptr
  use makespan_c
  use makespan_job, only: sync_memory, this_image
  use makespan_memory, only: allocate_block, block, free_block, locate, one
  use makespan_outcome, only: conclude
  implicit none
  private
  public :: symmetric_event

  ! An event, or several, that every image has. `index`, from 1, says which of several, and is 1 if
  ! absent; image is one of the current team. Each procedure's stat and errmsg are as those of coarray
  ! statements: without stat, an error ends the program.
  type :: symmetric_event
    type(block) :: block
  contains
    procedure :: allocate => allocate_events
    procedure :: deallocate => deallocate_events
    procedure :: post => post_event
    procedure :: wait => wait_for_event
    procedure :: query => query_event
  end type

contains

  ! All images call it: `count` events on each image (1 if absent), without posts.
  subroutine allocate_events(this, count, stat, errmsg)
    class(symmetric_event), intent(inout) :: this
    integer, intent(in), optional :: count
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_ptr) :: local
    integer :: events

    events = 1
    if (present(count)) events = count
    call allocate_block(this%block, [events], 8_c_int64_t, local, 'events', stat, errmsg)
  end subroutine

  ! All images call it, when no image uses it any more.
  subroutine deallocate_events(this, stat, errmsg)
    class(symmetric_event), intent(inout) :: this
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg

    call free_block(this%block, stat, errmsg)
  end subroutine

  ! event post: what this thread has put before can be read by the thread that waits for the post. That takes a
  ! round trip off the node; put_signal takes none of its own. It is a sync_memory of all images first, and
  ! posts nothing where that fails, as with makespan_image_failed at a lost image that accept_loss was not
  ! called for.
  subroutine post_event(this, image, index, stat, errmsg)
    class(symmetric_event), intent(in) :: this
    integer, intent(in) :: image
    integer, intent(in), optional :: index
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_address) :: event
    integer :: status

    if (.not. locate(this%block, 'post', image, index, one, event, stat, errmsg)) return
    if (present(stat)) then
      call sync_memory(stat=status, errmsg=errmsg)
      stat = status
      if (status /= makespan_ok) return
    else
      call sync_memory()
    end if
    call conclude(c_event_post(c_here(), event), stat, errmsg)
  end subroutine

  ! event wait: blocks until an event of this image has `until_count` posts (1 if absent), and takes
  ! them away.
  subroutine wait_for_event(this, until_count, index, stat, errmsg)
    class(symmetric_event), intent(in) :: this
    integer, intent(in), optional :: until_count
    integer, intent(in), optional :: index
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_address) :: event
    integer(c_int64_t) :: posts

    posts = 1
    if (present(until_count)) posts = max(1, until_count)
    if (.not. locate(this%block, 'wait', this_image(), index, one, event, stat, errmsg)) return
    call conclude(c_event_wait(c_here(), event, posts), stat, errmsg)
  end subroutine

  ! event_query: how many posts an event of this image has. Waits for nothing.
  subroutine query_event(this, count, index, stat, errmsg)
    class(symmetric_event), intent(in) :: this
    integer, intent(out) :: count
    integer, intent(in), optional :: index
    integer, intent(out), optional :: stat
    character(*), intent(inout), optional :: errmsg
    type(c_address) :: event
    integer(c_int64_t) :: posts

    count = 0
    if (.not. locate(this%block, 'query', this_image(), index, one, event, stat, errmsg)) return
    posts = 0
    call conclude(c_event_query(c_here(), event, posts), stat, errmsg)
    count = int(posts)
  end subroutine

end module makespan_events
