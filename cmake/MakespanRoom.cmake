# SPDX-License-Identifier: Apache-2.0
# makespan_add_room(): one room of src/makespan is one library target.
#
#   makespan_add_room(
#     NAME bag_policy                       # target makespan_bag_policy, also makespan::bag_policy
#     SOURCES equal_time.cpp detail/x.cpp   # every file of the room; headers may stand here or under HEADERS
#     HEADERS equal_time.hpp detail/x.hpp
#     PUBLIC_DEPS makespan::base            # seen by code that includes our headers
#     PRIVATE_DEPS hwy::hwy)                # seen by our sources only
#
# Installed are the headers that cmake/installed_headers.txt names: what the facades reach (tools/installed_headers.py). With
# MAKESPAN_CHECK_HEADERS, the target `check_headers` compiles every header alone, but for bodies of kernels (`*-inl.hpp`), which
# only make sense inside their includers, and headers of rooms that need what is not here. A room without a .cpp is an interface
# library.
#
# makespan_add_facade(NAME bag ROOMS bag_image bag_team): the target makespan::bag for src/makespan/bag.hpp, which includes what
# users need of these rooms.

option(MAKESPAN_CHECK_HEADERS "Make the target check_headers, which compiles each header alone" OFF)
set(makespan_installed_headers_file "${PROJECT_SOURCE_DIR}/cmake/installed_headers.txt")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${makespan_installed_headers_file}")
file(STRINGS "${makespan_installed_headers_file}" MAKESPAN_INSTALLED_HEADERS REGEX "^makespan/")

function(makespan_add_room)
  cmake_parse_arguments(PARSE_ARGV 0 room "" "NAME" "SOURCES;HEADERS;PUBLIC_DEPS;PRIVATE_DEPS")
  if(room_UNPARSED_ARGUMENTS OR NOT room_NAME)
    message(
      FATAL_ERROR
      "makespan_add_room: unknown argument '${room_UNPARSED_ARGUMENTS}', or no NAME"
    )
  endif()

  set(target makespan_${room_NAME})
  set(headers ${room_SOURCES} ${room_HEADERS})
  set(sources ${room_SOURCES})
  list(FILTER headers INCLUDE REGEX "\\.(h|hpp)$")
  list(FILTER sources EXCLUDE REGEX "\\.(h|hpp)$")
  file(RELATIVE_PATH folder "${PROJECT_SOURCE_DIR}/src" "${CMAKE_CURRENT_SOURCE_DIR}")
  set(installed "")
  foreach(header IN LISTS headers)
    if("${folder}/${header}" IN_LIST MAKESPAN_INSTALLED_HEADERS)
      list(APPEND installed ${header})
    endif()
  endforeach()

  if(sources)
    set(scope PUBLIC)
    add_library(${target} STATIC ${sources} ${headers})
    target_link_libraries(${target} PRIVATE ${room_PRIVATE_DEPS})
    set(gpu_sources ${sources})
    list(FILTER gpu_sources INCLUDE REGEX "\\.cu$")
    if(gpu_sources)
      makespan_compile_for_gpu(${target} ${gpu_sources})
    endif()
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  add_library(makespan::${room_NAME} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${room_NAME})
  makespan_install_headers(${target} ${scope} ${installed})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_link_libraries(${target} ${scope} ${room_PUBLIC_DEPS})
  if(sources)
    target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:makespan_flags>)
    set_target_properties(
      ${target}
      PROPERTIES UNITY_BUILD ${MAKESPAN_UNITY} UNITY_BUILD_BATCH_SIZE ${MAKESPAN_UNITY_SOURCES}
    )
    makespan_precompile_room(${target})
  endif()
  if(MAKESPAN_CHECK_HEADERS)
    makespan_check_headers(${target} ${headers})
    if(TARGET ${target}_headers)
      target_link_libraries(${target}_headers PRIVATE ${room_PRIVATE_DEPS})
    endif()
  endif()
endfunction()

function(makespan_add_facade)
  cmake_parse_arguments(PARSE_ARGV 0 facade "" "NAME" "ROOMS")
  set(target makespan_facade_${facade_NAME})
  list(TRANSFORM facade_ROOMS PREPEND makespan::)
  add_library(${target} INTERFACE)
  add_library(makespan::${facade_NAME} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${facade_NAME})
  makespan_install_headers(${target} INTERFACE ${facade_NAME}.hpp)
  target_link_libraries(${target} INTERFACE ${facade_ROOMS})
  if(MAKESPAN_CHECK_HEADERS)
    makespan_check_headers(${target} ${facade_NAME}.hpp)
  endif()
endfunction()

# A target's headers, relative to this folder, and the target itself.
function(makespan_install_headers target scope)
  target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
  target_sources(
    ${target}
    ${scope}
    FILE_SET HEADERS
    BASE_DIRS
    "${PROJECT_SOURCE_DIR}/src"
    FILES
    ${ARGN}
  )
  install(
    TARGETS ${target}
    EXPORT makespan_targets
    COMPONENT development
    FILE_SET HEADERS COMPONENT development
  )
endfunction()

function(makespan_check_headers target)
  set(sources "")
  foreach(header IN LISTS ARGN)
    if(header MATCHES "-inl\\.hpp$")
      continue()
    endif()
    file(RELATIVE_PATH path "${PROJECT_SOURCE_DIR}/src" "${CMAKE_CURRENT_SOURCE_DIR}/${header}")
    set(source "${CMAKE_CURRENT_BINARY_DIR}/check_headers/${header}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"${path}\"\n")
    list(APPEND sources "${source}")
  endforeach()
  if(NOT TARGET check_headers)
    add_custom_target(check_headers)
  endif()
  if(sources)
    add_library(${target}_headers OBJECT EXCLUDE_FROM_ALL ${sources})
    target_link_libraries(${target}_headers PRIVATE ${target} makespan_flags)
    add_dependencies(check_headers ${target}_headers)
  endif()
endfunction()
