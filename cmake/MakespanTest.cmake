# SPDX-License-Identifier: Apache-2.0
# makespan_add_test(): one GoogleTest program, each of its tests known to ctest.
#
#   makespan_add_test(
#     NAME bag_policy_equal_time            # the program is <NAME>_test, its tests <NAME>.<Subject_behaviour>
#     SOURCES equal_time_test.cpp
#     DEPS makespan::bag_policy
#     LABELS unit                           # default: unit
#     TIMEOUT_S 60)                         # default: 20; a hang is a failure
#
# A broken contract throws in a test (tests/test_main.cpp), so that EXPECT_THROW can see it.
#
# makespan_add_must_not_compile(): the compiler must refuse a source with CASE = 1, 2, … and accept it with CASE = 0, which
# shows that it is the case that is refused.
#
#   makespan_add_must_not_compile(NAME quantity SOURCE quantity.cpp CASES 7)

find_package(GTest REQUIRED)
include(GoogleTest)

add_library(makespan_test_main OBJECT "${PROJECT_SOURCE_DIR}/tests/test_main.cpp")
target_link_libraries(
  makespan_test_main
  PUBLIC makespan::base GTest::gtest GTest::gmock
  PRIVATE makespan_flags
)

function(makespan_add_test)
  cmake_parse_arguments(PARSE_ARGV 0 test "" "NAME;TIMEOUT_S" "SOURCES;DEPS;LABELS")
  if(test_UNPARSED_ARGUMENTS OR NOT test_NAME OR NOT test_SOURCES)
    message(
      FATAL_ERROR
      "makespan_add_test: unknown argument '${test_UNPARSED_ARGUMENTS}', or no NAME or no SOURCES"
    )
  endif()
  if(NOT test_LABELS)
    set(test_LABELS unit)
  endif()
  if(NOT test_TIMEOUT_S)
    set(test_TIMEOUT_S 20)
  endif()

  set(target ${test_NAME}_test)
  add_executable(${target} ${test_SOURCES})
  target_link_libraries(${target} PRIVATE makespan_test_main makespan_flags ${test_DEPS})
  gtest_discover_tests(
    ${target}
    TEST_PREFIX "${test_NAME}."
    DISCOVERY_MODE PRE_TEST
    PROPERTIES TIMEOUT ${test_TIMEOUT_S} LABELS "${test_LABELS}"
  )
endfunction()

function(makespan_add_must_not_compile)
  cmake_parse_arguments(PARSE_ARGV 0 refuse "" "NAME;SOURCE;CASES" "")
  foreach(case RANGE 0 ${refuse_CASES})
    set(test must_not_compile.${refuse_NAME}.${case})
    add_test(
      NAME ${test}
      COMMAND
        ${CMAKE_CXX_COMPILER} -std=c++20 -fsyntax-only "-I${PROJECT_SOURCE_DIR}/src"
        -DMAKESPAN_CONTRACT_LEVEL=${MAKESPAN_CONTRACT_LEVEL} -DCASE=${case}
        "${CMAKE_CURRENT_SOURCE_DIR}/${refuse_SOURCE}"
    )
    set_tests_properties(${test} PROPERTIES TIMEOUT 20 LABELS unit)
    if(case GREATER 0)
      set_tests_properties(${test} PROPERTIES PASS_REGULAR_EXPRESSION "error: ")
    endif()
  endforeach()
endfunction()
