# SPDX-License-Identifier: Apache-2.0
# Who compiles sources for a GPU (*.cu) and implements the CUDA runtime:
#
#   NVIDIA's toolkit, if nvcc is found; or
#   chipStar, if MAKESPAN_CHIPSTAR names the folder in which it is installed: clang makes SPIR-V of the same sources, OpenCL
#   runs it, on a processor too (docs/how-to/use-a-gpu.md). CMAKE_CXX_COMPILER must be the clang++ that chipStar was
#   built with.
#
# MAKESPAN_CUDA_RUNTIME is the runtime's library. makespan_compile_for_gpu(TARGET FILES…), which makespan_add_room() calls for
# the sources of a room that end in .cu, says how they are compiled.

set(
  MAKESPAN_CHIPSTAR
  ""
  CACHE PATH
  "Where chipStar is installed, in place of NVIDIA's toolkit; empty: not used"
)

# Floating point as on the CPU: the answer does not depend on who computed it. (Of chipStar's compiler -ffp-contract=off asks the
# same: MakespanWarnings.)
set(
  MAKESPAN_NVCC_FLAGS
  -fmad=false
  -prec-div=true
  -prec-sqrt=true
  -ftz=false
  --expt-relaxed-constexpr
  -Xcompiler=-ffp-contract=off
)

macro(makespan_look_for_cuda found)
  if(MAKESPAN_CHIPSTAR)
    makespan_find_chipstar()
    set(MAKESPAN_CUDA_RUNTIME hip::host)
    list(APPEND CMAKE_INSTALL_RPATH "${MAKESPAN_CHIPSTAR}/lib")
    set(${found} TRUE)
  else()
    check_language(CUDA)
    if(CMAKE_CUDA_COMPILER)
      # Machine code for what is in use today, and PTX, which the driver compiles for what comes after. All of it comes from one
      # PTX: nvcc takes four times as long to write that as to make machine code of it, and the kernels use nothing that 9.0
      # has and 8.0 lacks.
      if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
        set(CMAKE_CUDA_ARCHITECTURES OFF)
        set(codes "--generate-code=arch=compute_80,code=[sm_80,sm_90,compute_80]")
      endif()
      enable_language(CUDA)
      set(CMAKE_CUDA_STANDARD 20)
      set(CMAKE_CUDA_STANDARD_REQUIRED ON)
      # Else -isystem /usr/include, of some library, would come before where gcc expects it.
      list(APPEND CMAKE_CUDA_IMPLICIT_INCLUDE_DIRECTORIES ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES})
      if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION) # CMake 3.25.1, Debian 12's, does not know that nvcc has it since 12.0
        set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
        set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
      endif()
      add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:${codes};${MAKESPAN_NVCC_FLAGS}>")
      find_package(CUDAToolkit REQUIRED)
      set(MAKESPAN_CUDA_RUNTIME CUDA::cudart_static)
      set(${found} TRUE)
    endif()
  endif()
endmacro()

# chipStar says how in the package that HIP has everywhere: hip::host is the runtime, hip::device what the compiler is told.
function(makespan_find_chipstar)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(
      FATAL_ERROR
      "MAKESPAN_CHIPSTAR wants the clang++ that chipStar was built with (the compiler is ${CMAKE_CXX_COMPILER}): say -D CMAKE_CXX_COMPILER=clang++-19"
    )
  endif()
  find_package(hip CONFIG QUIET PATHS "${MAKESPAN_CHIPSTAR}" NO_DEFAULT_PATH GLOBAL)
  if(NOT TARGET hip::host OR NOT TARGET hip::device)
    message(
      FATAL_ERROR
      "MAKESPAN_CHIPSTAR=${MAKESPAN_CHIPSTAR} (no chipStar is installed there): name the folder that has lib/cmake/hip"
    )
  endif()
endfunction()

# nvcc knows them by their suffix. To chipStar's clang++ they are C++ with options of their own.
function(makespan_compile_for_gpu target)
  if(NOT MAKESPAN_CHIPSTAR)
    return()
  endif()
  target_link_libraries(${target} PRIVATE ${MAKESPAN_CUDA_RUNTIME})
  get_target_property(options hip::device INTERFACE_COMPILE_OPTIONS)
  list(
    APPEND options
    -include
    "${PROJECT_SOURCE_DIR}/src/makespan/cuda/detail/chipstar_device-inl.hpp"
    "-Wno-#warnings"
  )
  if(MAKESPAN_SANITIZE) # the compiler of SPIR-V knows none; of the host's side these sources have the launches alone
    list(APPEND options -fno-sanitize=all)
  endif()
  set_source_files_properties(
    ${ARGN}
    PROPERTIES
      LANGUAGE CXX
      COMPILE_OPTIONS "${options}"
      SKIP_UNITY_BUILD_INCLUSION ON
      SKIP_PRECOMPILE_HEADERS ON
  )
endfunction()
