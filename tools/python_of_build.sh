#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a Python environment with the package as a build folder has it, and prints the path of its interpreter.
#
#   tools/python_of_build.sh build/asan
#
# What the environment .venv has is there too, but for the hook that finds the checkout: it comes before PYTHONPATH.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$PWD/$1
copy=$build/python-copy
venv=$build/python-venv
rm -rf "$copy"
mkdir -p "$copy"
tar -C python --exclude='*.so' --exclude=__pycache__ -cf - makespan | tar -C "$copy" -xf -
cmake --install "$build" --component python --prefix "$copy" >/dev/null

cp tools/sanitizer_reports.py "$copy"

# A folder that a .pth names is not looked into for such.
site=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
[ -x "$venv/bin/python" ] || .venv/bin/python -m venv --without-pip "$venv"
printf '%s\n%s\nimport sanitizer_reports\n' "$copy" "$site" >"$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/makespan.pth"
echo "$venv/bin/python"
