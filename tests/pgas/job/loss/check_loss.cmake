# SPDX-License-Identifier: Apache-2.0
# Runs what stands after `--`. Each image of SURVIVORS must print all that EXPECT lists, and the command must come back with
# RESULT: success, failure, or any.
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
if(RESULT STREQUAL "success" AND NOT result EQUAL 0)
  message(FATAL_ERROR "the launcher returned ${result}")
endif()
if(RESULT STREQUAL "failure" AND result EQUAL 0)
  message(FATAL_ERROR "the launcher returned 0, though a process was killed")
endif()
foreach(image IN LISTS SURVIVORS)
  foreach(text IN LISTS EXPECT)
    if(NOT output MATCHES "image ${image}[: ][^\n]*${text}")
      message(FATAL_ERROR "image ${image} did not say '${text}'")
    endif()
  endforeach()
endforeach()
