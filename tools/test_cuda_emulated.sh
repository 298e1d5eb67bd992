#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the CUDA code on a machine without a GPU: chipStar compiles it to SPIR-V and implements the CUDA runtime over OpenCL, and
# PoCL is an OpenCL for processors (docs/how-to/use-a-gpu.md).
#
#   tools/test_cuda_emulated.sh CHIPSTAR              the folder that chipStar is installed in
#   tools/test_cuda_emulated.sh CHIPSTAR sanitized    the host's side under the address sanitizer, C++ tests only
#
# CXX names the clang++ that chipStar was built with, clang++-19 if not set. Which OpenCL runs it, and how much chipStar says, is
# told by its own variables (CHIP_PLATFORM, CHIP_DEVICE, CHIP_DEVICE_TYPE, CHIP_LOGLEVEL).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

chipstar=${1:-}
how=${2:-}
jobs=${JOBS:-$(nproc)}
say() {
  echo "test-cuda-emulated: $*" >&2
}
if [ -z "$chipstar" ] || [ ! -e "$chipstar/lib/cmake/hip/hip-config.cmake" ]; then
  say "no chipStar at '$chipstar' (no lib/cmake/hip is there): name the folder that it is installed in,"
  say "  make test-cuda-emulated CHIPSTAR=/opt/chipStar (docs/how-to/use-a-gpu.md tells what is needed)"
  exit 2
fi
if [ -n "$how" ] && [ "$how" != sanitized ]; then
  say "'$how' is no way to run it: leave it out, or say sanitized"
  exit 2
fi
: "${CXX:=clang++-19}"
# Of equations of one's own; it is called as CUDA's is. A script: what it calls may be another one the next time.
export MAKESPAN_NVCC=${MAKESPAN_NVCC:-$chipstar/bin/nvcc}
XDG_CACHE_HOME=$(mktemp -d)
export XDG_CACHE_HOME
trap 'rm -rf "$XDG_CACHE_HOME"' EXIT
export CHIP_DEVICE_TYPE=${CHIP_DEVICE_TYPE:-cpu} CHIP_LOGLEVEL=${CHIP_LOGLEVEL:-crit}

folder=build/cuda-chipstar
programs=(cuda_test simd_gpu_test grid_gpu_test asian_gpu_test diffusion_gpu_test calcium_gpu_test equations_gpu_test)
options=(-D "MAKESPAN_CHIPSTAR=$chipstar" -D "CMAKE_CXX_COMPILER=$CXX" -D MAKESPAN_BUILD_TESTS=ON -D MAKESPAN_BUILD_PYTHON=ON)
if [ "$how" = sanitized ]; then
  folder=build/cuda-chipstar-sanitized
  options+=(-D MAKESPAN_SANITIZE=address -D MAKESPAN_BUILD_PYTHON=OFF)
  # PoCL and LLVM keep what they have until the process is gone; chipStar, until 2026, deletes an event by its base class.
  export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:new_delete_type_mismatch=0
else
  programs+=(gpu_check makespan_core)
fi
cmake --preset cuda-chipstar -B "$folder" "${options[@]}" >"$folder.log" || {
  tail -20 "$folder.log" >&2
  exit 1
}
cmake --build "$folder" -j "$jobs" --target "${programs[@]}"

ctest --test-dir "$folder" --output-on-failure --no-tests=error \
  -R '^(cuda|simd_gpu|grid_gpu|asian_gpu|diffusion_gpu|calcium_gpu|equations_gpu)$'
if [ "$how" = sanitized ]; then
  exit 0
fi
echo "--- hashes of books"
"$folder/tests/apps/asian/gpu_check" small
echo "--- the commands"
python=$(tools/python_of_build.sh "$folder")
if ! "$python" -c 'from makespan.base.engine import load_engine; raise SystemExit(load_engine().gpus()["why_none"] or None)'; then
  say "the package sees no GPU, so that its tests would all be skipped"
  exit 1
fi
"$python" -m pytest -q tests/python/test_gpu_devices.py
