# SPDX-License-Identifier: Apache-2.0
# find_package(makespan): the C++ library for other projects. Component `development`, so that a wheel can leave it out.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(makespan_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/makespan")
install(
  EXPORT makespan_targets
  NAMESPACE makespan::
  DESTINATION "${makespan_package_dir}"
  COMPONENT development
)
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/makespan-config.cmake.in"
  "${PROJECT_BINARY_DIR}/makespan-config.cmake"
  INSTALL_DESTINATION "${makespan_package_dir}"
)
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/makespan-config-version.cmake"
  COMPATIBILITY SameMinorVersion
)
install(
  FILES
    "${PROJECT_BINARY_DIR}/makespan-config.cmake"
    "${PROJECT_BINARY_DIR}/makespan-config-version.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/FindSCOTCH.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/FindMETIS.cmake"
  DESTINATION "${makespan_package_dir}"
  COMPONENT development
)
