# SPDX-License-Identifier: Apache-2.0
# What test programs have in common: GoogleTest, main(), headers that are read once for all.

add_library(makespan_test_main OBJECT "${PROJECT_SOURCE_DIR}/tests/test_main.cpp")
target_link_libraries(
  makespan_test_main
  PUBLIC makespan::base GTest::gtest GTest::gmock
  PRIVATE makespan_flags
)

# Tests have little to gain from more than -Og, which takes a third less time to compile than -O1 (tests that compute take
# up to a half longer). It finds variables uninitialized that are not: -O3 looks for these in the sources.
# -pthread, since some MPIs ask for it, and what is precompiled with other flags is of no use.
set(
  MAKESPAN_TEST_OPTIONS
  -pthread
  $<$<CONFIG:Release>:-Og>
  $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:-Wno-maybe-uninitialized>
)
# After makespan_flags: a name of a test that is compiled as one with another may stand in that one, too.
add_library(makespan_test_flags INTERFACE)
if(MAKESPAN_UNITY)
  target_compile_options(makespan_test_flags INTERFACE -Wno-shadow)
endif()
target_compile_options(makespan_test_main PRIVATE ${MAKESPAN_TEST_OPTIONS})
# As programs and objects of programs are: what was precompiled serves only those with the same flags.
set_target_properties(makespan_test_main PROPERTIES POSITION_INDEPENDENT_CODE OFF)
if(MAKESPAN_PRECOMPILE)
  target_precompile_headers(
    makespan_test_main
    PRIVATE <gtest/gtest.h> <gmock/gmock.h> ${MAKESPAN_STANDARD_HEADERS} <random> <tuple> <variant>
  )
endif()

add_library(makespan_mpi_main OBJECT "${PROJECT_SOURCE_DIR}/tests/mpi_main.cpp")
target_include_directories(makespan_mpi_main INTERFACE "${PROJECT_SOURCE_DIR}/tests")
target_link_libraries(
  makespan_mpi_main
  PUBLIC makespan::base makespan::pgas_job GTest::gtest GTest::gmock
  PRIVATE makespan_flags
)
if(MAKESPAN_HAVE_MPI)
  target_link_libraries(makespan_mpi_main PRIVATE MPI::MPI_CXX)
  target_compile_definitions(makespan_mpi_main PRIVATE MAKESPAN_HAVE_MPI)
endif()
