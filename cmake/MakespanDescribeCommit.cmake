# SPDX-License-Identifier: Apache-2.0
# The commit of a source folder, "-dirty" after it when files differ; "unknown" where nothing tells.

# Without git asks _commit.txt, which source distributions hold.
function(makespan_describe_commit source_dir result)
  set(commit "unknown")
  find_program(GIT_EXECUTABLE git)
  set(note "${source_dir}/python/makespan/_commit.txt")
  if(GIT_EXECUTABLE AND EXISTS "${source_dir}/.git")
    execute_process(
      COMMAND ${GIT_EXECUTABLE} describe --always --dirty --abbrev=12 --match=no-tag
      WORKING_DIRECTORY "${source_dir}"
      OUTPUT_VARIABLE described
      OUTPUT_STRIP_TRAILING_WHITESPACE
      ERROR_QUIET
    )
    if(described)
      set(commit "${described}")
    endif()
  elseif(EXISTS "${note}")
    file(STRINGS "${note}" commit LIMIT_COUNT 1)
  endif()
  set(${result} "${commit}" PARENT_SCOPE)
endfunction()
