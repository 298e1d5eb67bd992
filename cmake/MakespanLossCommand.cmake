# SPDX-License-Identifier: Apache-2.0
# makespan_loss_command(): how to start a job of which images die, so that the launcher lets the others live.
#
#   makespan_loss_command(command 3 bag_loss_program steal 1)   # variable, images, target, its arguments
#   if(command)
#     makespan_add_run_test(NAME … COMMAND ${command} …  RESULT any)   # as the launcher sees it
#   endif()
#
# Empty where an MPI ends the whole job whatever is asked of it. What a launcher makes of a death differs. Open MPI with ULFM
# lets the others live. MPICH's kills them, whatever it is told, unless a shell stands between it and the process that dies;
# it then only sends SIGUSR1, which must be ignored. Open MPI without ULFM ends every job in which a process does not come to
# MPI_Finalize. MAKESPAN_MPI_HAS_ULFM and MAKESPAN_MPI_IS_MPICH say which it is, makespan_outlive_flags what launchers are
# told.
include(CheckCXXSourceCompiles)
include(CheckCXXSymbolExists)
include(CMakePushCheckState)

cmake_push_check_state()
set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_CXX)
check_cxx_symbol_exists(OMPI_HAVE_MPI_EXT_FTMPI "mpi.h;mpi-ext.h" MAKESPAN_MPI_HAS_ULFM)
check_cxx_symbol_exists(MPICH_VERSION "mpi.h" MAKESPAN_MPI_IS_MPICH)
# Whose launcher tells the result of a process that was killed, or ended without MPI_Finalize. That of MPICH 4.2.1 (which
# Debian 13 calls 4.3.0+really4.2.1) returns 0 at times, also for programs of three calls of MPI: 16 of 40 runs with one
# killed, 12 of 40 where all called _exit(1), while others used both cores; that of 4.0.2 returned 9 or 1 in each.
check_cxx_source_compiles(
  "#include <mpi.h>
  #if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION >= 40201000 && MPICH_NUMVERSION < 40202000
  #error
  #endif
  int main() {}"
  MAKESPAN_MPI_TELLS_HOW_IMAGES_END
)
cmake_pop_check_state()

set(makespan_outlive_flags "")
if(MAKESPAN_MPI_HAS_ULFM)
  set(makespan_outlive_flags --with-ft ulfm)
elseif(MAKESPAN_MPI_IS_MPICH)
  set(makespan_outlive_flags -disable-auto-cleanup)
endif()

function(makespan_loss_command variable images program)
  set(launch "${MPIEXEC_EXECUTABLE}" ${makespan_outlive_flags} ${MPIEXEC_NUMPROC_FLAG} ${images})
  set(command "")
  if(MAKESPAN_MPI_HAS_ULFM)
    set(command ${launch} $<TARGET_FILE:${program}> ${ARGN})
  elseif(MAKESPAN_MPI_IS_MPICH)
    list(JOIN ARGN " " arguments)
    set(command ${launch} sh -c "trap '' USR1 && $<TARGET_FILE:${program}> ${arguments} || sleep 4")
  endif()
  set(${variable} "${command}" PARENT_SCOPE)
endfunction()
