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
mark_as_advanced(MAKESPAN_UNITY_SOURCES)
