# SPDX-License-Identifier: Apache-2.0
# makespan_add_test(): one GoogleTest program, which is one test of ctest.
#
#   makespan_add_test(
#     NAME bag_policy_equal_time            # the program is <NAME>_test, the test <NAME>
#     SOURCES equal_time_test.cpp
#     DEPS makespan::bag_policy
#     LABELS unit                           # default: unit
#     TIMEOUT_S 600)                        # default: 300, with RANKS 20, under sanitizers 900 and 120; a hang is a failure
#
# One of its cases alone: build/release/tests/…/<NAME>_test --gtest_filter=Subject.behaviour
#
# A broken contract throws in a test (tests/test_main.cpp), so that EXPECT_THROW can see it.
#
# With RANKS 1 2 3 5 the program runs as a whole under the MPI launcher, once with each number of images (tests/mpi_main.cpp
# is its main), as <NAME>.ranks_3; ALONE is a run without launcher. The label is then mpi. Without MPI, ranks above 1 are
# skipped. ENVIRONMENT and ARGUMENTS are for these runs. One program can be run in more ways:
#
#   makespan_add_rank_runs(NAME pgas_am PROGRAM pgas_test RANKS 2 3 ENVIRONMENT MAKESPAN_TRANSPORT=am)
#
# makespan_skip_without_gpu(NAME): ctest tells that it is skipped where CUDA finds no GPU, without which all of the program is.
#
# makespan_add_must_not_compile(): the compiler must refuse a source with CASE = 1, 2, … and accept it with CASE = 0, which
# shows that it is the case that is refused. REFUSALS has a regular expression for each case: why, in words that all compilers
# have in common.
#
#   makespan_add_must_not_compile(NAME ids SOURCE ids.cpp REFUSALS "DeviceId.*TaskId" "conversion from")

set(MAKESPAN_HAVE_TESTS FALSE)
if(MAKESPAN_BUILD_TESTS STREQUAL "AUTO" AND NOT EXISTS "${PROJECT_SOURCE_DIR}/tests")
  set(GTest_FOUND FALSE) # an sdist has no tests
elseif(MAKESPAN_BUILD_TESTS STREQUAL "AUTO")
  find_package(GTest QUIET)
elseif(MAKESPAN_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()
if(MAKESPAN_BUILD_TESTS AND GTest_FOUND)
  set(MAKESPAN_HAVE_TESTS TRUE)
  include(MakespanTestMain)
endif()

# Open MPI as root in a container, with more images than cores; nothing of it means anything to MPICH. It gives its images a
# terminal, too.
set(
  MAKESPAN_RANK_ENVIRONMENT
  GTEST_COLOR=no
  OMPI_ALLOW_RUN_AS_ROOT=1
  OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  OMPI_MCA_rmaps_base_oversubscribe=1
  OMPI_MCA_hwloc_base_binding_policy=none
  OMPI_MCA_mpi_yield_when_idle=1
  OMPI_MCA_osc=^ucx
  OMPI_MCA_osc_rdma_acc_use_amo=0
  PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
  PRTE_MCA_hwloc_default_binding_policy=none
)

# UCX, below MPI, replaces functions that hand out memory, which a sanitizer must see itself; MPI keeps what it once had, and
# so does libpciaccess, by which hwloc looks for devices.
set(MAKESPAN_TEST_PROPERTIES "")
set(MAKESPAN_TIME_LIMIT_SCALE 1)
set(MAKESPAN_UNIT_TIME_LIMIT_SCALE 1)
if(MAKESPAN_SANITIZE)
  # The thread sanitizer makes grids and rods, which take 3 seconds without it, ten times as slow, and other work shares the cores.
  set(MAKESPAN_TIME_LIMIT_SCALE 6)
  set(MAKESPAN_UNIT_TIME_LIMIT_SCALE 3) # of limits that are 15 times as long
  set(
    MAKESPAN_TEST_PROPERTIES
    ENVIRONMENT_MODIFICATION
    "UCX_MEM_MMAP_HOOK_MODE=set:none\;HWLOC_COMPONENTS=set:-pci"
  )
  list(
    APPEND MAKESPAN_RANK_ENVIRONMENT
    UCX_MEM_MMAP_HOOK_MODE=none
    ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
    TSAN_OPTIONS=allocator_may_return_null=1:suppressions='${PROJECT_SOURCE_DIR}/tests/thread_sanitizer.supp'
  )
endif()

# MPICH yields its core to other images where it waits (tests/yielding_mpi.cpp); Open MPI has a parameter for it, above. A
# sanitizer wants to be the first library.
if(MAKESPAN_HAVE_TESTS AND MAKESPAN_HAVE_MPI AND UNIX AND NOT APPLE AND NOT MAKESPAN_SANITIZE)
  add_library(makespan_yielding_mpi MODULE "${PROJECT_SOURCE_DIR}/tests/yielding_mpi.cpp")
  target_link_libraries(makespan_yielding_mpi PRIVATE makespan_flags ${CMAKE_DL_LIBS})
  set_target_properties(
    makespan_yielding_mpi
    PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
  )
  list(APPEND MAKESPAN_RANK_ENVIRONMENT LD_PRELOAD=$<TARGET_FILE:makespan_yielding_mpi>)
endif()

# The command that runs `program` as `ranks` images.
function(makespan_rank_command command ranks program)
  if(ranks STREQUAL "ALONE" OR (ranks EQUAL 1 AND NOT MAKESPAN_HAVE_MPI))
    set(${command} ${program} PARENT_SCOPE)
  elseif(MAKESPAN_HAVE_MPI)
    set(
      ${command}
      "${MPIEXEC_EXECUTABLE}"
      ${MPIEXEC_NUMPROC_FLAG}
      ${ranks}
      ${MPIEXEC_PREFLAGS}
      ${program}
      ${MPIEXEC_POSTFLAGS}
      PARENT_SCOPE
    )
  else()
    set(${command} ${CMAKE_COMMAND} -E echo "skipped: built without MPI" PARENT_SCOPE)
  endif()
endfunction()

function(makespan_add_rank_runs)
  cmake_parse_arguments(
    PARSE_ARGV 0
    run
    ""
    "NAME;PROGRAM;TIMEOUT_S"
    "RANKS;LABELS;ENVIRONMENT;ARGUMENTS"
  )
  if(run_UNPARSED_ARGUMENTS OR NOT run_NAME OR NOT run_PROGRAM OR NOT run_RANKS)
    message(
      FATAL_ERROR
      "makespan_add_rank_runs: unknown argument '${run_UNPARSED_ARGUMENTS}', or no NAME, PROGRAM or RANKS"
    )
  endif()
  if(NOT run_LABELS)
    set(run_LABELS mpi)
  endif()
  if(NOT run_TIMEOUT_S)
    set(run_TIMEOUT_S 20)
  endif()
  math(EXPR time_limit_s "${run_TIMEOUT_S} * ${MAKESPAN_TIME_LIMIT_SCALE}")
  foreach(ranks IN LISTS run_RANKS)
    makespan_rank_command(command ${ranks} $<TARGET_FILE:${run_PROGRAM}>)
    string(TOLOWER "ranks_${ranks}" suffix)
    string(REPLACE "ranks_alone" "alone" suffix "${suffix}")
    set(test ${run_NAME}.${suffix})
    add_test(NAME ${test} COMMAND ${command} ${run_ARGUMENTS})
    set_tests_properties(
      ${test}
      PROPERTIES
        TIMEOUT ${time_limit_s}
        LABELS "${run_LABELS}"
        ENVIRONMENT "${MAKESPAN_RANK_ENVIRONMENT};${run_ENVIRONMENT}"
        SKIP_REGULAR_EXPRESSION "skipped: built without MPI"
    )
    # Images yield where they wait; more of them on a core are another order of events, which is welcome.
    if(ranks GREATER 3)
      set_tests_properties(${test} PROPERTIES PROCESSORS 2)
    endif()
  endforeach()
endfunction()

function(makespan_add_test)
  cmake_parse_arguments(
    PARSE_ARGV 0
    test
    ""
    "NAME;TIMEOUT_S"
    "SOURCES;DEPS;LABELS;RANKS;ENVIRONMENT;ARGUMENTS"
  )
  if(test_UNPARSED_ARGUMENTS OR NOT test_NAME OR NOT test_SOURCES)
    message(
      FATAL_ERROR
      "makespan_add_test: unknown argument '${test_UNPARSED_ARGUMENTS}', or no NAME or no SOURCES"
    )
  endif()
  set(target ${test_NAME}_test)
  add_executable(${target} ${test_SOURCES})
  target_compile_options(${target} PRIVATE ${MAKESPAN_TEST_OPTIONS})
  set_target_properties(
    ${target}
    PROPERTIES
      POSITION_INDEPENDENT_CODE OFF
      UNITY_BUILD ${MAKESPAN_UNITY}
      UNITY_BUILD_BATCH_SIZE ${MAKESPAN_UNITY_TESTS}
  )
  if(MAKESPAN_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM makespan_test_main)
  endif()
  if(test_RANKS)
    target_link_libraries(
      ${target}
      PRIVATE makespan_mpi_main makespan_flags makespan_test_flags ${test_DEPS}
    )
    set(limit "")
    if(test_TIMEOUT_S)
      set(limit TIMEOUT_S ${test_TIMEOUT_S})
    endif()
    makespan_add_rank_runs(
      NAME ${test_NAME}
      PROGRAM ${target}
      RANKS ${test_RANKS}
      LABELS ${test_LABELS}
      ${limit}
      ENVIRONMENT ${test_ENVIRONMENT}
      ARGUMENTS ${test_ARGUMENTS}
    )
    return()
  endif()

  if(NOT test_LABELS)
    set(test_LABELS unit)
  endif()
  if(NOT test_TIMEOUT_S)
    set(test_TIMEOUT_S 300)
  endif()
  math(EXPR time_limit_s "${test_TIMEOUT_S} * ${MAKESPAN_UNIT_TIME_LIMIT_SCALE}")
  target_link_libraries(
    ${target}
    PRIVATE makespan_test_main makespan_flags makespan_test_flags ${test_DEPS}
  )
  add_test(NAME ${test_NAME} COMMAND ${target})
  set_tests_properties(
    ${test_NAME}
    PROPERTIES TIMEOUT ${time_limit_s} LABELS "${test_LABELS}" ${MAKESPAN_TEST_PROPERTIES}
  )
endfunction()

function(makespan_skip_without_gpu name)
  set_tests_properties(
    ${name}
    PROPERTIES SKIP_REGULAR_EXPRESSION "CUDA has no driver here|CUDA finds no GPU"
  )
endfunction()

function(makespan_add_must_not_compile)
  cmake_parse_arguments(PARSE_ARGV 0 refuse "" "NAME;SOURCE" "REFUSALS")
  if(refuse_UNPARSED_ARGUMENTS OR NOT refuse_REFUSALS)
    message(
      FATAL_ERROR
      "makespan_add_must_not_compile: unknown argument '${refuse_UNPARSED_ARGUMENTS}', or no REFUSALS"
    )
  endif()
  list(LENGTH refuse_REFUSALS cases)
  foreach(case RANGE 0 ${cases})
    set(test must_not_compile.${refuse_NAME}.${case})
    add_test(
      NAME ${test}
      COMMAND
        ${CMAKE_CXX_COMPILER} -std=c++20 -fsyntax-only "-I${PROJECT_SOURCE_DIR}/src"
        -DMAKESPAN_CONTRACT_LEVEL=${MAKESPAN_CONTRACT_LEVEL} -DCASE=${case}
        "${CMAKE_CURRENT_SOURCE_DIR}/${refuse_SOURCE}"
    )
    set_tests_properties(${test} PROPERTIES TIMEOUT 120 LABELS unit)
    if(case GREATER 0)
      math(EXPR at "${case} - 1")
      list(GET refuse_REFUSALS ${at} why)
      set_tests_properties(${test} PROPERTIES PASS_REGULAR_EXPRESSION "error: .*(${why})")
    endif()
  endforeach()
endfunction()

# makespan_add_transport_runs(NAME uts_search LABELS mpi app TIMEOUT_S 120): NAME_test with two images over messages, by
# MPI and, where it is there, by UCX.
function(makespan_add_transport_runs)
  cmake_parse_arguments(PARSE_ARGV 0 runs "" "NAME;TIMEOUT_S" "LABELS")
  if(NOT MAKESPAN_HAVE_MPI)
    return()
  endif()
  set(transports am)
  if(MAKESPAN_HAVE_UCX)
    list(APPEND transports ucx)
  endif()
  foreach(transport IN LISTS transports)
    makespan_add_rank_runs(
      NAME ${runs_NAME}_${transport}
      PROGRAM ${runs_NAME}_test
      RANKS 2
      LABELS ${runs_LABELS}
      TIMEOUT_S ${runs_TIMEOUT_S}
      ENVIRONMENT MAKESPAN_TRANSPORT=${transport}
    )
  endforeach()
endfunction()
