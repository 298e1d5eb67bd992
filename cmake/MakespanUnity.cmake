# SPDX-License-Identifier: Apache-2.0
# MAKESPAN_UNITY=ON|OFF: whether the sources of a room are compiled several at a time, as one. Most of what a compiler reads of
# a source of ours are headers, which it then reads once (docs/decisions/0087-several-sources-as-one.md). Sources with options of
# their own, kernels among them, are always compiled alone. The `dev` preset compiles each source alone, so that each
# includes what it uses.

option(MAKESPAN_UNITY "Compile several sources of a room as one" ON)
set(
  MAKESPAN_UNITY_SOURCES
  12
  CACHE STRING
  "How many sources of a room are compiled as one; 0: all of them"
)
set(
  MAKESPAN_UNITY_TESTS
  12
  CACHE STRING
  "How many sources of a test program are compiled as one; 0: all"
)
mark_as_advanced(MAKESPAN_UNITY_SOURCES MAKESPAN_UNITY_TESTS)

# gcc warns of a class with a member of an anonymous namespace's type in whatever is no main file, which a source of several is
# not.
if(MAKESPAN_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(
    makespan_flags
    INTERFACE "$<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>>"
  )
endif()

# A tenth of gcc's time goes into collecting garbage, most of it below half a GiB. A source of several needs 0.6 to 1.1 GiB so,
# a quarter more than it would.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(
    makespan_flags
    INTERFACE "$<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=524288>>"
  )
endif()
