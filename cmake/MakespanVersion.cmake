# SPDX-License-Identifier: Apache-2.0
# Sets MAKESPAN_VERSION to what pyproject.toml says: the number stands there alone. Also a script, which prints it:
#   cmake -P cmake/MakespanVersion.cmake

set(makespan_pyproject "${CMAKE_CURRENT_LIST_DIR}/../pyproject.toml")
file(
  STRINGS "${makespan_pyproject}"
  makespan_version_lines
  REGEX "^version = \"[0-9]+\\.[0-9]+\\.[0-9]+\"$"
)
list(LENGTH makespan_version_lines makespan_version_count)
if(NOT makespan_version_count EQUAL 1)
  message(
    FATAL_ERROR
    "${makespan_pyproject}: ${makespan_version_count} lines are like version = \"1.2.3\" (the version of makespan is "
    "read from there): write one"
  )
endif()
string(REGEX MATCH "[0-9.]+" MAKESPAN_VERSION "${makespan_version_lines}")
if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  message(NOTICE "${MAKESPAN_VERSION}")
endif()
