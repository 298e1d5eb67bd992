# SPDX-License-Identifier: Apache-2.0
# makespan_add_program_group(examples FOLDER): a target that builds all programs and libraries of a folder and of those below it.

function(makespan_add_program_group group folder)
  if(NOT TARGET ${group})
    add_custom_target(${group})
  endif()
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(type MATCHES "EXECUTABLE|LIBRARY")
      add_dependencies(${group} ${target})
    endif()
  endforeach()
  get_property(folders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(below IN LISTS folders)
    makespan_add_program_group(${group} "${below}")
  endforeach()
endfunction()
