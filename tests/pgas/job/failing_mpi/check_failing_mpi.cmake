# SPDX-License-Identifier: Apache-2.0
# Runs what stands after `--` again and again, with another call of MPI failing each time: the CALL_FIRSTth to the CALLSth of all
# on image IMAGE, every CALL_STEPth (MAKESPAN_TEST_FAIL_STEP, if that is set), or the first CALLS of each function in FUNCTIONS. It
# must never hang, and never crash; and where the call was reached and it did
# not end well all the same, an image must say why.
set(command "")
set(is_command FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(index RANGE ${last})
  if(is_command)
    list(APPEND command "${CMAKE_ARGV${index}}")
  elseif("${CMAKE_ARGV${index}}" STREQUAL "--")
    set(is_command TRUE)
  endif()
endforeach()

function(check function call)
  set(ENV{MAKESPAN_TEST_FAIL_MPI_FUNCTION} "${function}")
  set(ENV{MAKESPAN_TEST_FAIL_MPI_CALL} ${call})
  set(ENV{MAKESPAN_TEST_FAIL_IMAGE} ${IMAGE})
  execute_process(
    COMMAND ${command}
    RESULT_VARIABLE result
    OUTPUT_VARIABLE output
    ERROR_VARIABLE output
    TIMEOUT 20
  )
  set(what "call ${call} of '${function}' on image ${IMAGE}: ")
  if(result MATCHES "timeout")
    message(FATAL_ERROR "${what}hung\n${output}")
  endif()
  if(output MATCHES "terminate called|[Ss]egmentation|signal (4|6|7|8|11)|does not hold|wrong: ")
    message(FATAL_ERROR "${what}crashed\n${output}")
  endif()
  if(NOT result EQUAL 0 AND NOT output MATCHES "image [0-9?]+ on host")
    message(FATAL_ERROR "${what}ended with ${result}, and no image said why\n${output}")
  endif()
  string(REGEX MATCH "image [0-9?]+ on host[^\n]*" said "${output}")
  string(REGEX MATCH "made to fail: [A-Za-z_]*" failed "${output}")
  message("${what}${failed}; ${result}; ${said}")
  set(was_reached FALSE PARENT_SCOPE)
  if(failed)
    set(was_reached TRUE PARENT_SCOPE)
  elseif(NOT result EQUAL 0)
    message(FATAL_ERROR "${what}was not reached, and it failed\n${output}")
  endif()
endfunction()

if(FUNCTIONS)
  foreach(function IN LISTS FUNCTIONS)
    foreach(call RANGE 1 ${CALLS})
      check("${function}" ${call})
      if(NOT was_reached)
        break()
      endif()
    endforeach()
  endforeach()
else()
  if(DEFINED ENV{MAKESPAN_TEST_FAIL_STEP})
    set(CALL_STEP $ENV{MAKESPAN_TEST_FAIL_STEP})
  endif()
  foreach(call RANGE ${CALL_FIRST} ${CALLS} ${CALL_STEP})
    check("" ${call})
  endforeach()
endif()
