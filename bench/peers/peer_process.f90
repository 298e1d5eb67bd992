! SPDX-License-Identifier: Apache-2.0
! What the coarray programs need of the process that they run in: the time, and an end.
module peer_process
  use, intrinsic :: iso_c_binding, only: c_int
  use, intrinsic :: iso_fortran_env, only: int64, real64
  implicit none
  private

  public :: end_process, now

  interface
    ! Ends this process without the library's own ending, which calls MPI_Finalize: MPICH 4.0 can
    ! hang there between hosts (github.com/pmodels/mpich/pull/6596). mpiexec may then kill images
    ! that are just ending, and say so; all is printed by then.
    subroutine end_process(code) bind(c, name="_exit")
      import :: c_int
      integer(c_int), value :: code
    end subroutine end_process
  end interface

contains

  ! In seconds.
  real(real64) function now()
    integer(int64) :: ticks, ticks_per_second

    call system_clock(ticks, ticks_per_second)
    now = real(ticks, real64) / real(ticks_per_second, real64)
  end function now

end module peer_process
