! SPDX-License-Identifier: Apache-2.0
! makespan/capi/pgas.h in Fortran: its functions, and by makespan_c_types its numbers and structures.
! Images count from 0 here, as in C; the modules above count from 1.
module makespan_c
  use, intrinsic :: iso_c_binding, only: c_char, c_double, c_funptr, c_int, c_int32_t, c_int64_t, &
      c_ptr, c_size_t
  use makespan_c_types
  implicit none
  public

  interface
    ! ---- status
    function c_last_error() bind(C, name='makespan_last_error') result(text)
      import :: c_ptr
      type(c_ptr) :: text
    end function
    function c_strlen(text) bind(C, name='strlen') result(length)
      import :: c_ptr, c_size_t
      type(c_ptr), value :: text
      integer(c_size_t) :: length
    end function

    ! ---- the job
    subroutine c_options_init(options) bind(C, name='makespan_options_init')
      import :: c_options
      type(c_options), intent(out) :: options
    end subroutine
    function c_begin_all(options, runtime) bind(C, name='makespan_begin_all') result(status)
      import :: c_int, c_options, c_ptr
      type(c_options), intent(in) :: options
      type(c_ptr), intent(out) :: runtime
      integer(c_int) :: status
    end function
    function c_end_all(runtime) bind(C, name='makespan_end_all') result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: runtime
      integer(c_int) :: status
    end function
    function c_describe(runtime, description) bind(C, name='makespan_describe') result(status)
      import :: c_description, c_int, c_ptr
      type(c_ptr), value :: runtime
      type(c_description), intent(out) :: description
      integer(c_int) :: status
    end function
    function c_use_endpoint(runtime, thread) bind(C, name='makespan_use_endpoint') result(status)
      import :: c_int, c_int32_t, c_ptr
      type(c_ptr), value :: runtime
      integer(c_int32_t), value :: thread
      integer(c_int) :: status
    end function
    function c_here() bind(C, name='makespan_here') result(endpoint)
      import :: c_ptr
      type(c_ptr) :: endpoint
    end function
    function c_progress(here, happened) bind(C, name='makespan_progress') result(status)
      import :: c_int, c_int32_t, c_ptr
      type(c_ptr), value :: here
      integer(c_int32_t), intent(out) :: happened
      integer(c_int) :: status
    end function

    ! ---- lost images
    function c_is_alive(runtime, image, is_alive) bind(C, name='makespan_is_alive') result(status)
      import :: c_int, c_int32_t, c_ptr
      type(c_ptr), value :: runtime
      integer(c_int32_t), value :: image
      integer(c_int32_t), intent(out) :: is_alive
      integer(c_int) :: status
    end function
    function c_loss_of(runtime, image, why) bind(C, name='makespan_loss_of') result(status)
      import :: c_int, c_int32_t, c_ptr
      type(c_ptr), value :: runtime
      integer(c_int32_t), value :: image
      type(c_ptr), intent(out) :: why
      integer(c_int) :: status
    end function
    function c_accept_loss(runtime, image) bind(C, name='makespan_accept_loss') result(status)
      import :: c_int, c_int32_t, c_ptr
      type(c_ptr), value :: runtime
      integer(c_int32_t), value :: image
      integer(c_int) :: status
    end function

    ! ---- memory
    function c_allocate_all(runtime, bytes, name, offset) bind(C, name='makespan_allocate_all') &
        result(status)
      import :: c_char, c_int, c_int64_t, c_ptr
      type(c_ptr), value :: runtime
      integer(c_int64_t), value :: bytes
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int64_t), intent(out) :: offset
      integer(c_int) :: status
    end function
    function c_free_all(runtime, offset) bind(C, name='makespan_free_all') result(status)
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: runtime
      integer(c_int64_t), value :: offset
      integer(c_int) :: status
    end function
    function c_local(runtime, offset, bytes, local) bind(C, name='makespan_local') result(status)
      import :: c_int, c_int64_t, c_ptr
      type(c_ptr), value :: runtime
      integer(c_int64_t), value :: offset
      integer(c_int64_t), value :: bytes
      type(c_ptr), intent(out) :: local
      integer(c_int) :: status
    end function
    function c_put(here, to, data, bytes) bind(C, name='makespan_put') result(status)
      import :: c_address, c_int, c_int64_t, c_ptr
      type(c_ptr), value :: here
      type(c_address), value :: to
      type(c_ptr), value :: data
      integer(c_int64_t), value :: bytes
      integer(c_int) :: status
    end function
    function c_get(here, from, data, bytes) bind(C, name='makespan_get') result(status)
      import :: c_address, c_int, c_int64_t, c_ptr
      type(c_ptr), value :: here
      type(c_address), value :: from
      type(c_ptr), value :: data
      integer(c_int64_t), value :: bytes
      integer(c_int) :: status
    end function
    function c_put_strided(here, to, from, box) bind(C, name='makespan_put_strided') result(status)
      import :: c_address, c_box, c_int, c_ptr
      type(c_ptr), value :: here
      type(c_address), value :: to
      type(c_ptr), value :: from
      type(c_box), intent(in) :: box
      integer(c_int) :: status
    end function
    function c_get_strided(here, from, to, box) bind(C, name='makespan_get_strided') result(status)
      import :: c_address, c_box, c_int, c_ptr
      type(c_ptr), value :: here
      type(c_address), value :: from
      type(c_ptr), value :: to
      type(c_box), intent(in) :: box
      integer(c_int) :: status
    end function
    function c_put_signal(here, to, data, bytes, signal) bind(C, name='makespan_put_signal') &
        result(status)
      import :: c_address, c_int, c_int64_t, c_ptr, c_signal
      type(c_ptr), value :: here
      type(c_address), value :: to
      type(c_ptr), value :: data
      integer(c_int64_t), value :: bytes
      type(c_signal), intent(in) :: signal
      integer(c_int) :: status
    end function
    function c_flush(here, image) bind(C, name='makespan_flush') result(status)
      import :: c_int, c_int32_t, c_ptr
      type(c_ptr), value :: here
      integer(c_int32_t), value :: image
      integer(c_int) :: status
    end function
    function c_flush_all(here) bind(C, name='makespan_flush_all') result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: here
      integer(c_int) :: status
    end function

    ! ---- remote calls, and operations that go on
    function c_register_function(name, function) bind(C, name='makespan_register_function') &
        result(status)
      import :: c_char, c_funptr, c_int
      character(kind=c_char), intent(in) :: name(*)
      type(c_funptr), value :: function
      integer(c_int) :: status
    end function
    function c_rpc(here, call_there, request) bind(C, name='makespan_rpc') result(status)
      import :: c_int, c_ptr, c_remote_call
      type(c_ptr), value :: here
      type(c_remote_call), intent(in) :: call_there
      type(c_ptr), intent(out) :: request
      integer(c_int) :: status
    end function

    function c_put_async(here, to, data, bytes, request) bind(C, name='makespan_put_async') &
        result(status)
      import :: c_address, c_int, c_int64_t, c_ptr
      type(c_ptr), value :: here
      type(c_address), value :: to
      type(c_ptr), value :: data
      integer(c_int64_t), value :: bytes
      type(c_ptr), intent(out) :: request
      integer(c_int) :: status
    end function
    function c_get_async(here, from, data, bytes, request) bind(C, name='makespan_get_async') &
        result(status)
      import :: c_address, c_int, c_int64_t, c_ptr
      type(c_ptr), value :: here
      type(c_address), value :: from
      type(c_ptr), value :: data
      integer(c_int64_t), value :: bytes
      type(c_ptr), intent(out) :: request
      integer(c_int) :: status
    end function
    function c_fetch_async(here, atomic, old, request) bind(C, name='makespan_fetch_async') &
        result(status)
      import :: c_atomic, c_int, c_ptr
      type(c_ptr), value :: here
      type(c_atomic), intent(in) :: atomic
      type(c_ptr), value :: old
      type(c_ptr), intent(out) :: request
      integer(c_int) :: status
    end function
    function c_request_wait(request) bind(C, name='makespan_request_wait') result(status)
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: request
      integer(c_int) :: status
    end function
    function c_request_test(request, is_done) bind(C, name='makespan_request_test') result(status)
      import :: c_int, c_int32_t, c_ptr
      type(c_ptr), intent(inout) :: request
      integer(c_int32_t), intent(out) :: is_done
      integer(c_int) :: status
    end function

    ! ---- atomics and events
    function c_fetch(here, atomic, old) bind(C, name='makespan_fetch') result(status)
      import :: c_atomic, c_int, c_ptr
      type(c_ptr), value :: here
      type(c_atomic), intent(in) :: atomic
      type(c_ptr), value :: old
      integer(c_int) :: status
    end function
    function c_update(here, atomic) bind(C, name='makespan_update') result(status)
      import :: c_atomic, c_int, c_ptr
      type(c_ptr), value :: here
      type(c_atomic), intent(in) :: atomic
      integer(c_int) :: status
    end function
    function c_event_post(here, event) bind(C, name='makespan_event_post') result(status)
      import :: c_address, c_int, c_ptr
      type(c_ptr), value :: here
      type(c_address), value :: event
      integer(c_int) :: status
    end function
    function c_event_wait(here, event, count) bind(C, name='makespan_event_wait') result(status)
      import :: c_address, c_int, c_int64_t, c_ptr
      type(c_ptr), value :: here
      type(c_address), value :: event
      integer(c_int64_t), value :: count
      integer(c_int) :: status
    end function
    function c_event_query(here, event, count) bind(C, name='makespan_event_query') result(status)
      import :: c_address, c_int, c_int64_t, c_ptr
      type(c_ptr), value :: here
      type(c_address), value :: event
      integer(c_int64_t), intent(out) :: count
      integer(c_int) :: status
    end function

    ! ---- teams
    function c_team_of_all(runtime, team) bind(C, name='makespan_team_of_all') result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: runtime
      type(c_ptr), intent(out) :: team
      integer(c_int) :: status
    end function
    function c_team_rank(team) bind(C, name='makespan_team_rank') result(rank)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: team
      integer(c_int32_t) :: rank
    end function
    function c_team_size(team) bind(C, name='makespan_team_size') result(members)
      import :: c_int32_t, c_ptr
      type(c_ptr), value :: team
      integer(c_int32_t) :: members
    end function
    function c_team_member(team, rank, image) bind(C, name='makespan_team_member') result(status)
      import :: c_int, c_int32_t, c_ptr
      type(c_ptr), value :: team
      integer(c_int32_t), value :: rank
      integer(c_int32_t), intent(out) :: image
      integer(c_int) :: status
    end function
    function c_team_split_all(team, color, key, part) bind(C, name='makespan_team_split_all') &
        result(status)
      import :: c_int, c_int32_t, c_ptr
      type(c_ptr), value :: team
      integer(c_int32_t), value :: color
      integer(c_int32_t), value :: key
      type(c_ptr), intent(out) :: part
      integer(c_int) :: status
    end function
    function c_team_free_all(team) bind(C, name='makespan_team_free_all') result(status)
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: team
      integer(c_int) :: status
    end function
    function c_barrier_all(team) bind(C, name='makespan_barrier_all') result(status)
      import :: c_int, c_ptr
      type(c_ptr), value :: team
      integer(c_int) :: status
    end function
    function c_sync_images(here, images, count) bind(C, name='makespan_sync_images') result(status)
      import :: c_int, c_int32_t, c_ptr
      type(c_ptr), value :: here
      integer(c_int32_t), intent(in) :: images(*)
      integer(c_int32_t), value :: count
      integer(c_int) :: status
    end function
    function c_broadcast_all(team, data, bytes, root) bind(C, name='makespan_broadcast_all') &
        result(status)
      import :: c_int, c_int32_t, c_int64_t, c_ptr
      type(c_ptr), value :: team
      type(c_ptr), value :: data
      integer(c_int64_t), value :: bytes
      integer(c_int32_t), value :: root
      integer(c_int) :: status
    end function
    function c_gather_all(team, data, bytes, all, root) bind(C, name='makespan_gather_all') &
        result(status)
      import :: c_int, c_int32_t, c_int64_t, c_ptr
      type(c_ptr), value :: team
      type(c_ptr), value :: data
      integer(c_int64_t), value :: bytes
      type(c_ptr), value :: all
      integer(c_int32_t), value :: root
      integer(c_int) :: status
    end function
    function c_reduce_all(team, reduction, values, results, root) &
        bind(C, name='makespan_reduce_all') result(status)
      import :: c_int, c_int32_t, c_ptr, c_reduction
      type(c_ptr), value :: team
      type(c_reduction), intent(in) :: reduction
      type(c_ptr), value :: values
      type(c_ptr), value :: results
      integer(c_int32_t), value :: root
      integer(c_int) :: status
    end function
  end interface

end module makespan_c
