# SPDX-License-Identifier: Apache-2.0
# Installs BUILD into a fresh folder under SCRATCH, then configures (with SETTINGS), builds and runs CONSUMER against it. With
# FORTRAN, a compiler, the sources of the module are compiled by hand, too, as docs/how-to/fortran.md says.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${SCRATCH}")
set(prefix "${SCRATCH}/prefix")
foreach(component library development)
  run(${CMAKE_COMMAND} --install "${BUILD}" --component ${component} --prefix "${prefix}")
endforeach()
run(${CMAKE_COMMAND} -G Ninja -S "${CONSUMER}" -B "${SCRATCH}/build" "-DCMAKE_PREFIX_PATH=${prefix}" ${SETTINGS})
run(${CMAKE_COMMAND} --build "${SCRATCH}/build")
run("${SCRATCH}/build/consumer")

if(FORTRAN)
  file(GLOB_RECURSE library "${prefix}/libmakespan.so")
  cmake_path(GET library PARENT_PATH folder)
  file(GLOB program "${CONSUMER}/*.f90")
  set(flags ${FLAGS} "-J${SCRATCH}")
  run(${FORTRAN} ${flags} -c "${prefix}/share/makespan/fortran/makespan_whole.F90" -o "${SCRATCH}/makespan.o")
  run(${FORTRAN} ${flags} "${program}" "${SCRATCH}/makespan.o" "-L${folder}" -lmakespan "-Wl,-rpath,${folder}"
      -o "${SCRATCH}/by_hand"
  )
  run("${SCRATCH}/by_hand")
endif()
