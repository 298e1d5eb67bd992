# SPDX-License-Identifier: Apache-2.0
# MAKESPAN_PRECOMPILE=ON|OFF: whether headers that nearly all sources include are read once: those of the standard library for
# all rooms, GoogleTest's with them for all tests (MakespanTestMain). The `dev` preset does without, so that each source includes
# what it uses (docs/decisions/0055-cheap-checks-often.md).

option(MAKESPAN_PRECOMPILE "Read headers of the standard library, and GoogleTest's, once" ON)
set(
  MAKESPAN_STANDARD_HEADERS
  <algorithm>
  <array>
  <atomic>
  <chrono>
  <cmath>
  <cstdint>
  <cstring>
  <functional>
  <limits>
  <map>
  <memory>
  <mutex>
  <optional>
  <span>
  <string>
  <string_view>
  <thread>
  <utility>
  <vector>
)

# What was precompiled serves all targets with the same flags: the first room's is every room's.
function(makespan_precompile_room target)
  if(NOT MAKESPAN_PRECOMPILE)
    return()
  endif()
  if(target STREQUAL makespan_base)
    target_precompile_headers(${target} PRIVATE ${MAKESPAN_STANDARD_HEADERS})
  else()
    target_precompile_headers(${target} REUSE_FROM makespan_base)
  endif()
endfunction()
