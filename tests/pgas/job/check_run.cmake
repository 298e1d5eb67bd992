# SPDX-License-Identifier: Apache-2.0
# Runs what stands after `--`. It must not hang, and come back with RESULT: success, failure, or any. Each image of SPEAKERS must
# print all that EXPECT lists, in lines that begin with "image N"; and the output must hold all that HOLDS lists, once each.
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

execute_process(
  COMMAND ${command}
  RESULT_VARIABLE result
  OUTPUT_VARIABLE output
  ERROR_VARIABLE output
  TIMEOUT 35
)
message("${output}")
if(result MATCHES "timeout")
  message(FATAL_ERROR "it hung")
endif()
if(NOT result MATCHES "^[0-9]+$")
  message(FATAL_ERROR "it could not be run, or not to its end: ${result}")
endif()
if(RESULT STREQUAL "success" AND NOT result EQUAL 0)
  message(FATAL_ERROR "it returned ${result}")
endif()
if(RESULT STREQUAL "failure" AND result EQUAL 0)
  message(FATAL_ERROR "it returned 0")
endif()
foreach(image IN LISTS SPEAKERS)
  foreach(text IN LISTS EXPECT)
    if(NOT output MATCHES "image ${image}[: ][^\n]*${text}")
      message(FATAL_ERROR "image ${image} did not say '${text}'")
    endif()
  endforeach()
endforeach()
foreach(text IN LISTS HOLDS)
  string(REGEX MATCHALL "${text}" found "${output}")
  list(LENGTH found count)
  if(NOT count EQUAL 1)
    message(FATAL_ERROR "'${text}' was said ${count} times")
  endif()
endforeach()
