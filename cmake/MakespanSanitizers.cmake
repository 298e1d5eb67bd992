# SPDX-License-Identifier: Apache-2.0
# MAKESPAN_SANITIZE=address|undefined|address,undefined|thread: the whole build under sanitizers. The first finding ends the program.

set(
  MAKESPAN_SANITIZE
  ""
  CACHE STRING
  "Sanitizers for the whole build: address, undefined, both with a comma, thread, or empty"
)
set_property(
  CACHE MAKESPAN_SANITIZE
  PROPERTY STRINGS "" address undefined address,undefined thread
)

if(MAKESPAN_SANITIZE)
  if(NOT MAKESPAN_SANITIZE MATCHES "^(address|undefined|address,undefined|thread)$")
    message(
      FATAL_ERROR
      "MAKESPAN_SANITIZE=${MAKESPAN_SANITIZE} (there is no such build): address, undefined, address,undefined or thread"
    )
  endif()
  set(MAKESPAN_SANITIZER_FLAGS -fsanitize=${MAKESPAN_SANITIZE} -DMAKESPAN_SANITIZED)
  add_compile_options(${MAKESPAN_SANITIZER_FLAGS} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # gfortran looks at the value of an argument that is absent when it is only passed on.
  if(MAKESPAN_SANITIZE MATCHES "undefined")
    add_compile_options($<$<COMPILE_LANGUAGE:Fortran>:-fno-sanitize=null>)
  endif()
  add_link_options(${MAKESPAN_SANITIZER_FLAGS})
endif()
