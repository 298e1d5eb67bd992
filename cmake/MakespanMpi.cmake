# SPDX-License-Identifier: Apache-2.0
# Rooms that call MPI. They are built in two ways: as libraries for the MPI that was found (MAKESPAN_HAVE_MPI), and once
# more in a plugin for each MPI ABI whose headers are there, which the Python extension loads (src/makespan/pgas/mpi/plugin).
#
#   makespan_add_mpi_room(
#     NAME pgas_am …                        # as makespan_add_room(); nothing is built where there is no MPI
#     LINKED_SOURCES linked_mpi.cpp)        # not for plugins
#
#   makespan_mpi_include_dirs(variable mpich)   # where that ABI's mpi.h is; empty if it is not there
#
# MAKESPAN_MPICH_INCLUDE_DIR and MAKESPAN_OPENMPI_INCLUDE_DIR say where; looked for, unless MAKESPAN_WITH_MPI=OFF, in the
# MPI that was found and where distributions have them. The headers of one MPI serve all of its ABI, older and newer.

set(
  MAKESPAN_MPICH_INCLUDE_DIR
  ""
  CACHE PATH
  "Folder of MPICH's mpi.h, for the Python package's plugin; empty: look for it"
)
set(
  MAKESPAN_OPENMPI_INCLUDE_DIR
  ""
  CACHE PATH
  "Folder of Open MPI's mpi.h, for the Python package's plugin; empty: look for it"
)

function(makespan_add_mpi_room)
  cmake_parse_arguments(
    PARSE_ARGV 0
    room
    ""
    "NAME"
    "SOURCES;LINKED_SOURCES;HEADERS;PUBLIC_DEPS;PRIVATE_DEPS"
  )
  set(sources ${room_SOURCES})
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(TRANSFORM sources PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  set_property(GLOBAL APPEND PROPERTY MAKESPAN_MPI_SOURCES ${sources})
  if(MAKESPAN_HAVE_MPI)
    makespan_add_room(
      NAME ${room_NAME}
      SOURCES ${room_SOURCES} ${room_LINKED_SOURCES}
      HEADERS ${room_HEADERS}
      PUBLIC_DEPS ${room_PUBLIC_DEPS}
      PRIVATE_DEPS ${room_PRIVATE_DEPS} MPI::MPI_CXX
    )
  endif()
endfunction()

# What only this ABI's mpi.h defines.
set(makespan_mpich_mark "#define MPICH_VERSION")
set(makespan_openmpi_mark "#define OMPI_MAJOR_VERSION")

function(makespan_mpi_include_dirs variable abi)
  string(TOUPPER "${abi}" name)
  set(told "${MAKESPAN_${name}_INCLUDE_DIR}")
  set(folders "${told}")
  if(NOT told AND NOT MAKESPAN_WITH_MPI STREQUAL "OFF")
    set(
      folders
      ${MPI_CXX_INCLUDE_DIRS}
      /usr/include/${CMAKE_LIBRARY_ARCHITECTURE}/${abi} # Debian's MPICH
      /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/${abi}/include # Debian's Open MPI
      /usr/include/${abi}-${CMAKE_SYSTEM_PROCESSOR} # Fedora's
    )
  endif()
  foreach(folder IN LISTS folders)
    if(NOT EXISTS "${folder}/mpi.h")
      continue()
    endif()
    file(STRINGS "${folder}/mpi.h" marks REGEX "${makespan_${abi}_mark}" LIMIT_COUNT 1)
    if(marks)
      set(${variable} "${folder}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  if(told)
    message(
      FATAL_ERROR
      "MAKESPAN_${name}_INCLUDE_DIR=${told} (there is no mpi.h of ${abi} in it): name its folder, or leave it empty"
    )
  endif()
  set(${variable} "" PARENT_SCOPE)
endfunction()
