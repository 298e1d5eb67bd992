#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# nvcc for tools/gpu_check, as MAKESPAN_NVCC names it: what it compiled of a source is kept beside it, so that a machine with a GPU
# and without a compiler has the same. Called as nvcc is, with the source before `-o LIBRARY` at the end. What lies there is taken
# as it is: `tools/gpu_check build` begins with none.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
library=${*: -1}
source=${*: -3:1}
# For another kind of GPU the same source is another library.
options=("${@:1:$#-3}")
kept=$here/kernels/$({ echo "${options[@]}" && cat "$source"; } | sha256sum | cut -d' ' -f1).so
if [ ! -e "$kept" ]; then
  nvcc=$(command -v nvcc || echo "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc")
  mkdir -p "$here/kernels"
  "$nvcc" "${options[@]}" "$source" -o "$kept.$$"
  mv "$kept.$$" "$kept"
fi
cp "$kept" "$library"
