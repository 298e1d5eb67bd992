# SPDX-License-Identifier: Apache-2.0
# A source distribution holds no git: the commit that it was made from goes into python/makespan/_commit.txt, which
# MakespanGitCommit and makespan.base.version read. pyproject.toml asks for it (sdist.cmake).

include("${CMAKE_CURRENT_LIST_DIR}/MakespanDescribeCommit.cmake")
makespan_describe_commit("${PROJECT_SOURCE_DIR}" commit)
file(WRITE "${PROJECT_SOURCE_DIR}/python/makespan/_commit.txt" "${commit}\n")
