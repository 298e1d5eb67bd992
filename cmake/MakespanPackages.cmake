# SPDX-License-Identifier: Apache-2.0
# Debian packages, by `make packages` (docs/decisions/0085-debian-packages.md):
#
#   libmakespan0      component library      libmakespan.so.0, for programs in C, Fortran and other languages
#   libmakespan-dev   component development  headers, rooms, find_package(makespan), pkg-config, the Fortran module
#   makespan          component command      /usr/bin/makespan, with its Python packages in /usr/lib/makespan
#
# The `packages` preset configures for the prefix /usr, so that libraries go where Debian looks for them.

set(makespan_private_dir "lib/makespan")

if(MAKESPAN_BUILD_PYTHON)
  # What python/bindings found, which is not seen from here.
  find_package(Python 3.11 COMPONENTS Interpreter REQUIRED)
  set(makespan_extensions makespan_core)
  if(TARGET makespan_simulator)
    list(APPEND makespan_extensions makespan_simulator)
  endif()
  install(
    TARGETS ${makespan_extensions}
    LIBRARY DESTINATION "${makespan_private_dir}/makespan" COMPONENT command EXCLUDE_FROM_ALL
  )
  install(
    DIRECTORY "${PROJECT_SOURCE_DIR}/python/makespan"
    DESTINATION "${makespan_private_dir}"
    COMPONENT command
    EXCLUDE_FROM_ALL
    PATTERN "__pycache__" EXCLUDE
    PATTERN "_core*.so" EXCLUDE
    PATTERN "_simulator*.so" EXCLUDE
  )
  # What Python knows an installed package by: makespan --version asks it.
  file(
    CONFIGURE
    OUTPUT "${PROJECT_BINARY_DIR}/METADATA"
    CONTENT "Metadata-Version: 2.1\nName: makespan\nVersion: ${PROJECT_VERSION}\n"
  )
  install(
    FILES "${PROJECT_BINARY_DIR}/METADATA"
    DESTINATION "${makespan_private_dir}/makespan-${PROJECT_VERSION}.dist-info"
    COMPONENT command
    EXCLUDE_FROM_ALL
  )
  set(makespan_python_version "${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}")
  configure_file(
    "${PROJECT_SOURCE_DIR}/cmake/makespan-command.in"
    "${PROJECT_BINARY_DIR}/makespan-command"
    @ONLY
  )
  install(
    PROGRAMS "${PROJECT_BINARY_DIR}/makespan-command"
    DESTINATION bin
    RENAME makespan
    COMPONENT command
    EXCLUDE_FROM_ALL
  )
  # The network is needed here, when a package is made, and not where it is installed.
  install(
    CODE
      "
    execute_process(
      COMMAND \"${Python_EXECUTABLE}\" \"${PROJECT_SOURCE_DIR}/tools/vendor_requirements.py\"
        \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${makespan_private_dir}\"
      COMMAND_ERROR_IS_FATAL ANY
    )"
    COMPONENT command
    EXCLUDE_FROM_ALL
  )
endif()

# Debug information of the static rooms would be ten times their code.
install(
  CODE
    "
  if(CMAKE_INSTALL_DO_STRIP)
    file(GLOB archives \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libmakespan_*.a\")
    execute_process(
      COMMAND \"${CMAKE_STRIP}\" --strip-debug --enable-deterministic-archives \${archives}
      COMMAND_ERROR_IS_FATAL ANY
    )
  endif()"
  COMPONENT development
)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME makespan)
set(CPACK_PACKAGE_VENDOR "the authors of makespan")
set(CPACK_PACKAGE_CONTACT "the authors of makespan <maintainers@makespan.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # else it is the first line of each package's own
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX "${CMAKE_INSTALL_PREFIX}")
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL library development)
if(MAKESPAN_BUILD_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL command)
endif()
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd) # a quarter of the time of xz; dpkg of Debian 12 and Ubuntu 22.04 reads it
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

# What makespan-config.cmake looks for, and the compiler's own needs.
set(makespan_dev_packages libhwy-dev libcereal-dev)
set(makespan_dev_package_MPI libmpich-dev)
set(makespan_dev_package_UCX libucx-dev pkg-config)
set(makespan_dev_package_HWLOC libhwloc-dev pkg-config)
set(makespan_dev_package_SIMGRID libsimgrid-dev pkg-config)
set(makespan_dev_package_SCOTCH libscotch-dev)
set(makespan_dev_package_METIS libmetis-dev)
foreach(dependency IN LISTS MAKESPAN_OPTIONAL_DEPENDENCIES)
  if(MAKESPAN_HAVE_${dependency})
    list(APPEND makespan_dev_packages ${makespan_dev_package_${dependency}})
  endif()
endforeach()
list(REMOVE_DUPLICATES makespan_dev_packages)
list(JOIN makespan_dev_packages ", " makespan_dev_packages)

set(makespan_deb_version "${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")
set(makespan_library_package "libmakespan${MAKESPAN_SOVERSION}")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ${makespan_library_package})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_GENERATE_SHLIBS ON)
set(
  CPACK_COMPONENT_LIBRARY_DESCRIPTION
  "makespan's one-sided runtime as a shared library
Images that read, write and count in each other's memory, for programs in C, Fortran and other languages."
)

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libmakespan-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF) # it has no programs
set(
  CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "${makespan_library_package} (= ${makespan_deb_version}), ${makespan_dev_packages}"
)
set(
  CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
  "makespan as a library for C++, C and Fortran: what programs are built with
Headers, static libraries, files for CMake and pkg-config, the Fortran module and its sources."
)

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME makespan)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION science)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SHLIBDEPS OFF) # MakespanPackagesAtCpack adds what the extensions need
set(CPACK_DEBIAN_COMMAND_PACKAGE_DEPENDS "python${makespan_python_version}")
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "mpich, libhwloc-plugins")
set(
  CPACK_COMPONENT_COMMAND_DESCRIPTION
  "${PROJECT_DESCRIPTION}
The command `makespan`: prices books of Asian options, places and moves objects, computes grids on uneven devices, and
simulates machines. Python packages that it needs lie in /usr/lib/makespan and are seen by it alone."
)

if(MAKESPAN_BUILD_PYTHON)
  set(makespan_extension_files "")
  foreach(extension IN LISTS makespan_extensions)
    string(APPEND makespan_extension_files " \"$<TARGET_FILE:${extension}>\"")
  endforeach()
  configure_file(
    "${PROJECT_SOURCE_DIR}/cmake/MakespanPackagesAtCpack.cmake.in"
    "${PROJECT_BINARY_DIR}/MakespanPackagesAtCpack.cmake.in"
    @ONLY
  )
  file(
    GENERATE OUTPUT "${PROJECT_BINARY_DIR}/MakespanPackagesAtCpack.cmake"
    INPUT "${PROJECT_BINARY_DIR}/MakespanPackagesAtCpack.cmake.in"
  )
  set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_BINARY_DIR}/MakespanPackagesAtCpack.cmake")
endif()

include(CPack)
