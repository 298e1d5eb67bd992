# SPDX-License-Identifier: Apache-2.0
# What every target of ours is compiled with: warnings, and the floating-point rules that the results stand on.

option(MAKESPAN_WARNINGS_AS_ERRORS "Treat compiler warnings as errors (on in CI)" OFF)

add_library(makespan_flags INTERFACE)
target_compile_features(makespan_flags INTERFACE cxx_std_20)

# Same bits on every machine: a fused multiply-add only where the source says so. Never fast-math; never -march, since
# the instruction set is chosen at run time.
set(MAKESPAN_FLOATING_POINT_FLAGS -ffp-contract=off)

set(
  MAKESPAN_WARNING_FLAGS
  -Wall
  -Wextra
  -Wconversion
  -Wsign-conversion
  -Wshadow
  -Wnon-virtual-dtor
  -Wold-style-cast
)
if(MAKESPAN_WARNINGS_AS_ERRORS)
  list(APPEND MAKESPAN_WARNING_FLAGS -Werror)
endif()

foreach(flag IN LISTS MAKESPAN_FLOATING_POINT_FLAGS MAKESPAN_WARNING_FLAGS)
  target_compile_options(
    makespan_flags
    INTERFACE "$<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:${flag}>>"
  )
endforeach()

# Paths in messages start at the repository's root, so that two checkouts build the same bytes (and share ccache).
target_compile_options(
  makespan_flags
  INTERFACE
    "$<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CXX>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=>>"
)
