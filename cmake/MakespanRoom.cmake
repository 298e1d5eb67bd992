# SPDX-License-Identifier: Apache-2.0
# makespan_add_room(): one room of src/makespan is one library target.
#
#   makespan_add_room(
#     NAME bag_policy                       # target makespan_bag_policy, also makespan::bag_policy
#     SOURCES equal_time.cpp equal_time.hpp # every file of the room; headers may stand here or under HEADERS
#     PRIVATE_HEADERS own.hpp               # seen by other rooms of ours, not installed: they need PRIVATE_DEPS
#     PUBLIC_DEPS makespan::base            # seen by code that includes our headers
#     PRIVATE_DEPS hwy::hwy)                # seen by our sources only
#
# Headers go into a file set, so that they are installed and, in the `dev` preset, each compiled alone. Kernel bodies
# (`*-inl.hpp`) are neither: they only make sense inside their includers. A room without a .cpp is an interface library.

function(makespan_add_room)
  cmake_parse_arguments(
    PARSE_ARGV 0
    room
    ""
    "NAME"
    "SOURCES;HEADERS;PRIVATE_HEADERS;PUBLIC_DEPS;PRIVATE_DEPS"
  )
  if(room_UNPARSED_ARGUMENTS OR NOT room_NAME)
    message(
      FATAL_ERROR
      "makespan_add_room: unknown argument '${room_UNPARSED_ARGUMENTS}', or no NAME"
    )
  endif()

  set(target makespan_${room_NAME})
  set(public_headers ${room_SOURCES} ${room_HEADERS})
  set(bodies ${public_headers})
  set(sources ${room_SOURCES})
  list(FILTER public_headers INCLUDE REGEX "\\.(h|hpp)$")
  list(FILTER public_headers EXCLUDE REGEX "-inl\\.hpp$")
  list(FILTER bodies INCLUDE REGEX "-inl\\.hpp$")
  list(FILTER sources EXCLUDE REGEX "\\.(h|hpp)$")

  if(sources)
    set(scope PUBLIC)
    add_library(${target} STATIC ${sources} ${bodies} ${room_PRIVATE_HEADERS})
    target_link_libraries(${target} PRIVATE ${room_PRIVATE_DEPS})
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  add_library(makespan::${room_NAME} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${room_NAME})

  target_sources(
    ${target}
    ${scope}
    FILE_SET HEADERS
    BASE_DIRS
    "${PROJECT_SOURCE_DIR}/src"
    FILES
    ${public_headers}
  )
  target_compile_features(${target} ${scope} cxx_std_20)
  target_link_libraries(${target} ${scope} ${room_PUBLIC_DEPS})
  if(sources)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:makespan_flags>)
    set_target_properties(
      ${target}
      PROPERTIES UNITY_BUILD ${MAKESPAN_UNITY} UNITY_BUILD_BATCH_SIZE ${MAKESPAN_UNITY_SOURCES}
    )
  endif()

  install(
    TARGETS ${target}
    EXPORT makespan_targets
    COMPONENT development
    FILE_SET HEADERS COMPONENT development
  )
endfunction()
