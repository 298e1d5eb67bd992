# SPDX-License-Identifier: Apache-2.0
# MAKESPAN_WITH_<X>=AUTO|ON|OFF for each dependency that a build can do without: MPI, UCX, HWLOC, SCOTCH, METIS,
# SIMGRID, CUDA, and FORTRAN, a compiler for the module `makespan`.
#
# A room that has a use for one says makespan_optional(MPI) and then asks MAKESPAN_HAVE_MPI. AUTO takes it if it is
# there, ON insists, OFF does not look. Nothing is looked for before a room asks, except what is ON.
#
# Of several MPIs MPICH is taken, unless MPI_CXX_COMPILER names another one's wrapper. Its launcher, from the same folder,
# is MPIEXEC_EXECUTABLE: programs of one MPI under the launcher of another run as so many jobs of one.
#   cmake -D MPI_CXX_COMPILER=/opt/openmpi/bin/mpicxx …

include(CheckLanguage)
include(MakespanCuda)
set(
  MAKESPAN_OPTIONAL_DEPENDENCIES
  MPI
  UCX
  HWLOC
  SCOTCH
  METIS
  SIMGRID
  CUDA
  FORTRAN
)

foreach(dependency IN LISTS MAKESPAN_OPTIONAL_DEPENDENCIES)
  set(
    MAKESPAN_WITH_${dependency}
    AUTO
    CACHE STRING
    "Use ${dependency}: AUTO (if it is there), ON (insist), OFF"
  )
  set_property(CACHE MAKESPAN_WITH_${dependency} PROPERTY STRINGS AUTO ON OFF)
endforeach()

# Names the wrapper and the launcher of one MPI, for FindMPI to ask. Debian calls MPICH's mpicxx.mpich and mpiexec.mpich,
# whatever plain mpicxx is at the moment.
macro(makespan_choose_mpi)
  if(NOT DEFINED CACHE{MPI_CXX_COMPILER} AND NOT DEFINED MPI_HOME)
    find_program(MPI_CXX_COMPILER NAMES mpicxx.mpich mpicxx mpic++)
  endif()
  if(MPI_CXX_COMPILER AND NOT MPIEXEC_EXECUTABLE)
    cmake_path(GET MPI_CXX_COMPILER PARENT_PATH makespan_mpi_folder)
    cmake_path(GET MPI_CXX_COMPILER EXTENSION LAST_ONLY makespan_mpi_suffix) # ".mpich", or nothing
    find_program(
      MPIEXEC_EXECUTABLE
      NAMES mpiexec${makespan_mpi_suffix} mpirun${makespan_mpi_suffix}
      HINTS "${makespan_mpi_folder}"
      NO_DEFAULT_PATH
    )
  endif()
endmacro()

# Looks for `dependency` in its own way; sets `found` in the caller.
macro(makespan_look_for dependency found)
  if("${dependency}" STREQUAL "CUDA")
    makespan_look_for_cuda(${found})
  elseif("${dependency}" STREQUAL "FORTRAN")
    check_language(Fortran)
    if(CMAKE_Fortran_COMPILER)
      enable_language(Fortran)
      set(${found} TRUE)
    endif()
  elseif("${dependency}" STREQUAL "MPI")
    set(MPI_CXX_SKIP_MPICXX TRUE)
    makespan_choose_mpi()
    find_package(MPI COMPONENTS CXX QUIET)
    set(${found} ${MPI_CXX_FOUND})
  elseif("${dependency}" STREQUAL "SCOTCH")
    find_package(SCOTCH 7 QUIET) # 7: sequences of draws that belong to a call
    set(${found} ${SCOTCH_FOUND})
  elseif("${dependency}" STREQUAL "METIS")
    find_package(METIS QUIET)
    set(${found} ${METIS_FOUND})
  else()
    string(TOLOWER "${dependency}" module)
    find_package(PkgConfig QUIET)
    if(PkgConfig_FOUND)
      pkg_check_modules(${dependency} QUIET IMPORTED_TARGET ${module})
      set(${found} ${${dependency}_FOUND})
    endif()
  endif()
endmacro()

# Sets MAKESPAN_HAVE_<dependency> for the whole build. A macro, since enable_language() wants the top scope.
macro(makespan_optional dependency)
  set(makespan_found FALSE)
  if(NOT MAKESPAN_WITH_${dependency} STREQUAL "OFF")
    makespan_look_for(${dependency} makespan_found)
  endif()
  if(MAKESPAN_WITH_${dependency} STREQUAL "ON" AND NOT makespan_found)
    message(
      FATAL_ERROR
      "MAKESPAN_WITH_${dependency}=ON (${dependency} was not found): install it, or say AUTO or OFF"
    )
  endif()
  set(MAKESPAN_HAVE_${dependency} ${makespan_found} CACHE INTERNAL "${dependency} was found")
endmacro()

foreach(dependency IN LISTS MAKESPAN_OPTIONAL_DEPENDENCIES)
  unset(MAKESPAN_HAVE_${dependency} CACHE)
  if(MAKESPAN_WITH_${dependency} STREQUAL "ON")
    makespan_optional(${dependency})
  endif()
endforeach()
