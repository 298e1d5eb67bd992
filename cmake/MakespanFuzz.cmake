# SPDX-License-Identifier: Apache-2.0
# makespan_add_fuzz_target(): one reader of bytes that come from outside of the process, to be fed anything.
#
#   makespan_add_fuzz_target(
#     NAME envelope                          # the source is envelope_fuzz.cpp, the seeds lie in seeds/envelope
#     BYTES_MAX 4096                        # longest input that the fuzzer makes; default: 4096
#     DEPS makespan::graph_object)
#
# An ordinary build makes one program of all targets, makespan_fuzz_seeds, which feeds a target the files that it is given: the test
# fuzz_seeds.<NAME> feeds it all of its seeds. With MAKESPAN_FUZZ=ON (the preset `fuzz`, by clang) each target is a program of
# libFuzzer under the address and undefined-behaviour sanitizers, fuzz_<NAME>; fuzz_programs builds all of them, and
# fuzz_targets.txt in the build folder lists them with their BYTES_MAX for tools/fuzz.py.

option(MAKESPAN_FUZZ "Build the fuzz targets for libFuzzer, and no other tests" OFF)

if(MAKESPAN_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(
      FATAL_ERROR
      "MAKESPAN_FUZZ=ON (libFuzzer is clang's, this is ${CMAKE_CXX_COMPILER_ID}): cmake --preset fuzz"
    )
  endif()
  set(MAKESPAN_FUZZ_SANITIZERS address,undefined)
  add_compile_options(
    -fsanitize=fuzzer-no-link,${MAKESPAN_FUZZ_SANITIZERS}
    -fno-sanitize-recover=all
    -fno-omit-frame-pointer
    -DMAKESPAN_SANITIZED
  )
  add_link_options(-fsanitize=${MAKESPAN_FUZZ_SANITIZERS})
endif()

function(makespan_add_fuzz_program name source)
  cmake_parse_arguments(PARSE_ARGV 2 fuzz "" "BYTES_MAX" "DEPS")
  add_executable(fuzz_${name} ${source})
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(fuzz_${name} PRIVATE makespan_fuzz_main makespan_flags ${fuzz_DEPS})
  if(NOT TARGET fuzz_programs)
    add_custom_target(fuzz_programs)
  endif()
  add_dependencies(fuzz_programs fuzz_${name})
  set_property(GLOBAL APPEND PROPERTY makespan_fuzz_targets "${name} ${fuzz_BYTES_MAX}")
endfunction()

function(makespan_add_fuzz_target)
  cmake_parse_arguments(PARSE_ARGV 0 fuzz "" "NAME;BYTES_MAX" "DEPS")
  if(fuzz_UNPARSED_ARGUMENTS OR NOT fuzz_NAME)
    message(
      FATAL_ERROR
      "makespan_add_fuzz_target: unknown argument '${fuzz_UNPARSED_ARGUMENTS}', or no NAME"
    )
  endif()
  if(NOT fuzz_BYTES_MAX)
    set(fuzz_BYTES_MAX 4096)
  endif()
  set(source ${fuzz_NAME}_fuzz.cpp)
  set(seeds "${CMAKE_CURRENT_SOURCE_DIR}/seeds/${fuzz_NAME}")
  if(NOT IS_DIRECTORY "${seeds}")
    message(FATAL_ERROR "fuzz target ${fuzz_NAME}: it has no seeds: put one into ${seeds}")
  endif()
  if(MAKESPAN_FUZZ)
    makespan_add_fuzz_program(${fuzz_NAME} ${source} BYTES_MAX ${fuzz_BYTES_MAX} DEPS ${fuzz_DEPS})
    return()
  endif()
  target_sources(makespan_fuzz_seeds PRIVATE ${source})
  target_link_libraries(makespan_fuzz_seeds PRIVATE ${fuzz_DEPS})
  add_test(NAME fuzz_seeds.${fuzz_NAME} COMMAND makespan_fuzz_seeds ${fuzz_NAME} "${seeds}")
  set_tests_properties(
    fuzz_seeds.${fuzz_NAME}
    PROPERTIES TIMEOUT 60 LABELS unit ${MAKESPAN_TEST_PROPERTIES}
  )
endfunction()
