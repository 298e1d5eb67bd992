! SPDX-License-Identifier: Apache-2.0
! Symmetric arrays and collective procedures of real(real32).
#define ELEMENT real(value_kind)
module makespan_real32
  use, intrinsic :: iso_c_binding, only: c_associated, c_f_pointer, c_int32_t, c_int64_t, c_loc, &
      c_null_ptr, c_ptr, value_kind => c_float
  use makespan_c
  use makespan_collectives, only: broadcast_block, gather_block, reduce_block
  use makespan_events, only: symmetric_event
  use makespan_memory
  use makespan_outcome, only: ended_well
  implicit none
  private
  public :: symmetric
  public :: co_broadcast, co_sum, co_min, co_max, co_gather

  integer(c_int32_t), parameter :: type_code = type_real32
  integer(c_int64_t), parameter :: element_bytes = 4

#include "symmetric_array.inc"
#include "collectives.inc"

end module makespan_real32
#undef ELEMENT
