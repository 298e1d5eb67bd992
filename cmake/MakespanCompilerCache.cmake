# SPDX-License-Identifier: Apache-2.0
# ccache, when it is installed and the user chose no other launcher.

find_program(MAKESPAN_CCACHE ccache)
mark_as_advanced(MAKESPAN_CCACHE)
if(MAKESPAN_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${MAKESPAN_CCACHE}")
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${MAKESPAN_CCACHE}")
endif()
