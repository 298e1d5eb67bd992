# SPDX-License-Identifier: Apache-2.0
# The commit of a source folder, "-dirty" after it when files differ; "unknown" where nothing tells.

# Without git asks _commit.txt, which source distributions hold, and .git_archival.txt, into which `git archive` writes it.
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
  elseif(EXISTS "${source_dir}/.git_archival.txt")
    file(READ "${source_dir}/.git_archival.txt" archived)
    if(archived MATCHES "commit: ([0-9a-f]+)") # else it is no archive
      string(SUBSTRING "${CMAKE_MATCH_1}" 0 12 commit)
    endif()
  endif()
  set(${result} "${commit}" PARENT_SCOPE)
endfunction()
