# SPDX-License-Identifier: Apache-2.0
# Python and nanobind, for python/bindings. The `release` presets take Python from .venv (make setup); `pip install .` takes
# the one that runs pip.

find_package(Python 3.11 COMPONENTS Interpreter Development.Module ${SKBUILD_SABI_COMPONENT})
if(NOT Python_FOUND)
  message(
    FATAL_ERROR
    "no Python >= 3.11 with headers at '${Python_EXECUTABLE}' (the extension makespan._core needs it): "
    "run `make setup`, or configure with -DMAKESPAN_BUILD_PYTHON=OFF"
  )
endif()
execute_process(
  COMMAND "${Python_EXECUTABLE}" -m nanobind --cmake_dir
  OUTPUT_VARIABLE nanobind_ROOT
  OUTPUT_STRIP_TRAILING_WHITESPACE
)
find_package(nanobind CONFIG REQUIRED) # which version, says pyproject.toml
