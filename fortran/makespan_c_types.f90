! SPDX-License-Identifier: Apache-2.0
! The numbers and the structures of makespan/capi/pgas.h in Fortran.
module makespan_c_types
  use, intrinsic :: iso_c_binding, only: c_double, c_int32_t, c_int64_t, c_null_ptr, c_ptr
  implicit none
  public

  ! enum makespan_status
  integer, parameter :: makespan_ok = 0  ! all went well
  integer, parameter :: makespan_bad_input = 1  ! an invalid or inconsistent argument, variable or call
  integer, parameter :: makespan_image_failed = 2  ! an image that was needed died, or fell silent; final
  integer, parameter :: makespan_timeout = 3  ! nothing came for longer than the limit on waits
  integer, parameter :: makespan_mpi_error = 4  ! an MPI call failed; the job cannot go on
  integer, parameter :: makespan_not_configured = 5  ! this build or this machine does not have that
  integer, parameter :: makespan_internal = 6  ! a defect, or no memory; the job cannot go on
  integer, parameter :: makespan_remote_error = 7  ! a function that another image ran for this one failed there

  ! enum makespan_progress_mode
  integer, parameter :: makespan_progress_manual = 0  ! no helper thread: only calls that drive progress serve other images
  integer, parameter :: makespan_progress_nap = 1  ! a helper thread that looks and naps in turn
  integer, parameter :: makespan_progress_event = 2  ! a helper thread that the network wakes
  integer, parameter :: makespan_progress_spin = 3  ! a helper thread that never rests: wants a core of its own

  ! enum makespan_atomic_op
  integer(c_int32_t), parameter :: op_load = 0, op_store = 1, op_add = 2, op_and = 3, op_or = 4
  integer(c_int32_t), parameter :: op_xor = 5, op_swap = 6, op_compare_swap = 7

  ! enum makespan_type, enum makespan_reduce_op
  integer(c_int32_t), parameter :: type_int32 = 0, type_int64 = 2, type_real32 = 4, type_real64 = 5
  integer(c_int32_t), parameter :: reduce_sum = 0, reduce_min = 2, reduce_max = 3

  ! MAKESPAN_ALL_RANKS
  integer(c_int32_t), parameter :: all_ranks = -1

  type, bind(C) :: c_options
    integer(c_int32_t) :: threads
    integer(c_int32_t) :: progress
    integer(c_int32_t) :: endpoints
    integer(c_int32_t) :: stealing
    integer(c_int64_t) :: heap_bytes
    integer(c_int64_t) :: message_bytes_max
    real(c_double) :: silence_s
    real(c_double) :: wait_limit_s
    type(c_ptr) :: transport
  end type

  type, bind(C) :: c_description
    integer(c_int32_t) :: images
    integer(c_int32_t) :: nodes
    integer(c_int32_t) :: threads
    integer(c_int32_t) :: reserved
    integer(c_int64_t) :: heap_bytes
    type(c_ptr) :: launcher
    type(c_ptr) :: transport
    type(c_ptr) :: endpoints
    type(c_ptr) :: progress
  end type

  type, bind(C) :: c_remote_call
    integer(c_int32_t) :: image = 0
    integer(c_int32_t) :: thread = 0
    type(c_ptr) :: name = c_null_ptr
    type(c_ptr) :: arguments = c_null_ptr
    integer(c_int64_t) :: bytes = 0
    type(c_ptr) :: result = c_null_ptr
    integer(c_int64_t) :: result_bytes = 0
  end type

  type, bind(C) :: c_address
    integer(c_int64_t) :: offset
    integer(c_int32_t) :: image
  end type

  type, bind(C) :: c_dimension
    integer(c_int64_t) :: count
    integer(c_int64_t) :: source_stride
    integer(c_int64_t) :: target_stride
  end type

  type, bind(C) :: c_box
    integer(c_int64_t) :: element_bytes
    type(c_dimension) :: dimensions(4)
  end type

  type, bind(C) :: c_signal
    integer(c_int64_t) :: offset
    integer(c_int64_t) :: value
    integer(c_int32_t) :: kind
  end type

  type, bind(C) :: c_atomic
    type(c_address) :: at
    integer(c_int32_t) :: op
    integer(c_int32_t) :: bytes
    integer(c_int64_t) :: operand
    integer(c_int64_t) :: expected
  end type

  type, bind(C) :: c_reduction
    integer(c_int64_t) :: count
    integer(c_int32_t) :: type
    integer(c_int32_t) :: op
  end type

end module makespan_c_types
