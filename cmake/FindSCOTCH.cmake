# SPDX-License-Identifier: Apache-2.0
# The graph partitioner Scotch, which comes without files for CMake or pkg-config at Debian: SCOTCH::SCOTCH, SCOTCH_FOUND.
# Read by makespan's build and, installed, by makespan-config.cmake.

include(FindPackageHandleStandardArgs)
find_path(SCOTCH_INCLUDE_DIR scotch.h PATH_SUFFIXES scotch)
find_library(SCOTCH_LIBRARY scotch)
find_library(SCOTCH_ERROR_LIBRARY scotcherr) # says what is wrong on stderr, and goes on
mark_as_advanced(SCOTCH_INCLUDE_DIR SCOTCH_LIBRARY SCOTCH_ERROR_LIBRARY)
set(SCOTCH_VERSION "")
if(SCOTCH_INCLUDE_DIR)
  file(STRINGS "${SCOTCH_INCLUDE_DIR}/scotch.h" SCOTCH_VERSION REGEX "#define SCOTCH_VERSION ")
  string(REGEX MATCH "[0-9]+" SCOTCH_VERSION "${SCOTCH_VERSION}")
endif()
find_package_handle_standard_args(
  SCOTCH
  REQUIRED_VARS SCOTCH_LIBRARY SCOTCH_ERROR_LIBRARY SCOTCH_INCLUDE_DIR
  VERSION_VAR SCOTCH_VERSION
)

if(SCOTCH_FOUND AND NOT TARGET SCOTCH::SCOTCH)
  add_library(SCOTCH::SCOTCH UNKNOWN IMPORTED)
  set_target_properties(
    SCOTCH::SCOTCH
    PROPERTIES
      IMPORTED_LOCATION "${SCOTCH_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${SCOTCH_INCLUDE_DIR}"
      INTERFACE_LINK_LIBRARIES "${SCOTCH_ERROR_LIBRARY}"
  )
endif()
