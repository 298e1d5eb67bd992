# SPDX-License-Identifier: Apache-2.0
# Every function of MPI that a source under SOURCES calls is in WRAPPERS, so that it can be made to fail.
file(GLOB_RECURSE sources "${SOURCES}/*.cpp" "${SOURCES}/*.hpp")
file(READ "${WRAPPERS}" wrappers)

# Names of types, which look the same; and what must work for a failure to end the job.
set(
  not_functions
  MPI_Aint
  MPI_Comm
  MPI_Count
  MPI_Datatype
  MPI_Errhandler
  MPI_Group
  MPI_Info
  MPI_Message
  MPI_Offset
  MPI_Op
  MPI_Request
  MPI_Status
  MPI_Win
  MPI_Abort
)

set(called "")
foreach(source IN LISTS sources)
  file(READ "${source}" text)
  string(REGEX REPLACE "//[^\n]*" "" text "${text}")
  string(REGEX REPLACE "\"[^\"\n]*\"" "" text "${text}")
  string(REGEX MATCHALL "MPIX?_[A-Z][a-z][A-Za-z0-9_]*" names "${text}")
  list(APPEND called ${names})
endforeach()
list(REMOVE_DUPLICATES called)
list(REMOVE_ITEM called ${not_functions})

list(LENGTH called count)
if(count LESS 20)
  message(FATAL_ERROR "only ${count} functions found under ${SOURCES}: is it the right folder?")
endif()
set(missing "")
foreach(function IN LISTS called)
  if(NOT wrappers MATCHES "FAILING\\(${function},")
    list(APPEND missing ${function})
  endif()
endforeach()
if(missing)
  message(FATAL_ERROR "${WRAPPERS} cannot make these fail: ${missing}")
endif()
message("${count} functions are called, and all can fail")
