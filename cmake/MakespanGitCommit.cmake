# SPDX-License-Identifier: Apache-2.0
# Writes git_commit.hpp, when the commit changed. Run at each build, as a script:
#   cmake -D SOURCE_DIR=… -D OUTPUT=… -P MakespanGitCommit.cmake
# Only base/configuration.cpp includes what it writes, so a commit costs one small file and the links.

include("${CMAKE_CURRENT_LIST_DIR}/MakespanDescribeCommit.cmake")
makespan_describe_commit("${SOURCE_DIR}" commit)

set(content "inline constexpr char const* makespan_git_commit = \"${commit}\";\n")
set(previous "")
if(EXISTS "${OUTPUT}")
  file(READ "${OUTPUT}" previous)
endif()
if(NOT content STREQUAL previous)
  file(WRITE "${OUTPUT}" "${content}")
endif()
