# SPDX-License-Identifier: Apache-2.0
# find_package(makespan) and `pkg-config makespan`: the library for other projects. Its components are `library`, what programs
# need to run, and `development`, what they need to be built; a wheel has neither.

include(CMakePackageConfigHelpers)

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

# The C interface, for build systems other than CMake. It says where things are by where it is itself.
file(
  RELATIVE_PATH
  makespan_include_from_pkgconfig
  "/${CMAKE_INSTALL_LIBDIR}/pkgconfig"
  "/${CMAKE_INSTALL_INCLUDEDIR}"
)
configure_file(
  "${PROJECT_SOURCE_DIR}/cmake/makespan.pc.in"
  "${PROJECT_BINARY_DIR}/makespan.pc"
  @ONLY
)
install(
  FILES "${PROJECT_BINARY_DIR}/makespan.pc"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
  COMPONENT development
)
