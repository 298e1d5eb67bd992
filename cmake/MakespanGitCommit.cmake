# SPDX-License-Identifier: Apache-2.0
# Writes git_commit.hpp, when the commit changed. Run at each build, as a script:
#   cmake -D SOURCE_DIR=… -D OUTPUT=… -P MakespanGitCommit.cmake
# Only base/configuration.cpp includes what it writes, so a commit costs one small file and the links. Sources without .git, such
# as an sdist (make sdist), have the commit in .git_archival.txt, where `git archive` wrote it.

find_program(GIT_EXECUTABLE git)
set(commit "unknown")
if(GIT_EXECUTABLE AND EXISTS "${SOURCE_DIR}/.git")
  execute_process(
    COMMAND ${GIT_EXECUTABLE} describe --always --dirty --abbrev=12 --match=no-tag
    WORKING_DIRECTORY "${SOURCE_DIR}"
    OUTPUT_VARIABLE described
    OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET
  )
  if(described)
    set(commit "${described}")
  endif()
elseif(EXISTS "${SOURCE_DIR}/.git_archival.txt")
  file(READ "${SOURCE_DIR}/.git_archival.txt" archived)
  if(archived MATCHES "commit: ([0-9a-f]+)")
    string(SUBSTRING "${CMAKE_MATCH_1}" 0 12 commit)
  endif()
endif()

set(content "inline constexpr char const* makespan_git_commit = \"${commit}\";\n")
set(previous "")
if(EXISTS "${OUTPUT}")
  file(READ "${OUTPUT}" previous)
endif()
if(NOT content STREQUAL previous)
  file(WRITE "${OUTPUT}" "${content}")
endif()
