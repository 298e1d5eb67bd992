# SPDX-License-Identifier: Apache-2.0
# makespan_add_cluster_test(): an MPI program on several hosts, which exist as long as the test (tests/cluster).
#
#   makespan_add_cluster_test(
#     NAME pgas_get                         # tests cluster.<NAME>.hosts2, cluster.<NAME>.hosts3, label cluster
#     PROGRAM pgas_get_test                 # a target, or a file
#     ARGUMENTS --gtest_filter=Get.*        # {hosts} and {ranks_per_host} stand for the numbers
#     HOSTS 2 3                             # default: 2 3
#     RANKS_PER_HOST 2                      # default: 1
#     SHAPE "tbf rate 200mbit burst 64kb latency 50ms"   # of what each host sends, as `tc qdisc` has it
#     ENVIRONMENT MAKESPAN_TRANSPORT=am
#     TIMEOUT_S 60)                         # default: 60; a hang is a failure
#
# Where namespaces are not permitted, such a test is skipped and says why. One runs at a time, beside other tests; where
# ranks wait by polling (docs/decisions/0128) it counts for two of these.

find_package(Python3 3.11 COMPONENTS Interpreter QUIET)

# What netcluster.py exits with when it may not make namespaces.
set(makespan_not_permitted 77)

function(makespan_add_cluster_test)
  cmake_parse_arguments(
    PARSE_ARGV 0
    cluster
    ""
    "NAME;PROGRAM;RANKS_PER_HOST;SHAPE;TIMEOUT_S"
    "ARGUMENTS;HOSTS;ENVIRONMENT"
  )
  if(cluster_UNPARSED_ARGUMENTS OR NOT cluster_NAME OR NOT cluster_PROGRAM)
    message(
      FATAL_ERROR
      "makespan_add_cluster_test: unknown argument '${cluster_UNPARSED_ARGUMENTS}', or no NAME or no PROGRAM"
    )
  endif()
  if(NOT cluster_HOSTS)
    set(cluster_HOSTS 2 3)
  endif()
  if(NOT cluster_RANKS_PER_HOST)
    set(cluster_RANKS_PER_HOST 1)
  endif()
  if(NOT cluster_TIMEOUT_S)
    set(cluster_TIMEOUT_S 60)
  endif()
  if(TARGET ${cluster_PROGRAM})
    set(cluster_PROGRAM "$<TARGET_FILE:${cluster_PROGRAM}>")
  endif()
  math(EXPR cluster_TIMEOUT_S "${cluster_TIMEOUT_S} * ${MAKESPAN_TIME_LIMIT_SCALE}")
  # The program that takes hosts down gets time for it before ctest ends everything.
  math(EXPR ctest_timeout_s "${cluster_TIMEOUT_S} + 20")
  set(processors 2)
  if(TARGET makespan_yielding_mpi)
    set(processors 1)
  endif()

  set(shape "")
  if(cluster_SHAPE)
    set(shape --shape "${cluster_SHAPE}")
  endif()

  foreach(hosts IN LISTS cluster_HOSTS)
    set(arguments ${cluster_ARGUMENTS})
    list(TRANSFORM arguments REPLACE "{hosts}" "${hosts}")
    list(TRANSFORM arguments REPLACE "{ranks_per_host}" "${cluster_RANKS_PER_HOST}")
    set(test cluster.${cluster_NAME}.hosts${hosts})
    if(cluster_RANKS_PER_HOST GREATER 1)
      string(APPEND test x${cluster_RANKS_PER_HOST})
    endif()
    add_test(
      NAME ${test}
      COMMAND
        Python3::Interpreter "${PROJECT_SOURCE_DIR}/tests/cluster/netcluster.py" launch --hosts
        ${hosts} --ranks-per-host ${cluster_RANKS_PER_HOST} --mpirun "${MPIEXEC_EXECUTABLE}" --limit
        ${cluster_TIMEOUT_S} ${shape} -- "${cluster_PROGRAM}" ${arguments}
    )
    set_tests_properties(
      ${test}
      PROPERTIES
        LABELS cluster
        ENVIRONMENT "${MAKESPAN_RANK_ENVIRONMENT};${cluster_ENVIRONMENT}"
        RESOURCE_LOCK cluster
        PROCESSORS ${processors}
        SKIP_RETURN_CODE ${makespan_not_permitted}
        TIMEOUT ${ctest_timeout_s}
    )
  endforeach()
endfunction()
