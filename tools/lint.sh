#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every check of the sources, or with --fix what can be repaired by itself. Run by `make lint` and `make format`; `make test`
# asks for --quick: all but clang-tidy, which takes ten minutes where nothing has passed yet, and CI has 25.
# All checks run, so that one call shows everything; the exit code is 1 when any failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
bin=.venv/bin
build=build/tidy

own() {
  git ls-files --cached --others --exclude-standard -- "$@" | while read -r file; do
    if [ -f "$file" ]; then printf '%s\n' "$file"; fi
  done
}
mapfile -t cpp < <(own '*.hpp' '*.cpp' '*.cu')
mapfile -t cmake < <(own 'CMakeLists.txt' '*/CMakeLists.txt' '*.cmake')

if [ "${1:-}" = --fix ]; then
  clang-format-19 -i "${cpp[@]}"
  "$bin/gersemi" --in-place "${cmake[@]}"
  "$bin/ruff" check --quiet --fix . || true # what it cannot repair is for `make lint` to report
  "$bin/ruff" format --quiet .
  exit 0
fi

failed=()
check() {
  local name=$1
  shift
  "$@" || failed+=("$name")
}

check layers "$bin/python" tools/check_layers.py
check tidy "$bin/python" tools/tidy.py
check links "$bin/python" tools/check_links.py
check reference "$bin/python" tools/write_reference.py --check
check clang-format clang-format-19 --dry-run --Werror "${cpp[@]}"
check gersemi "$bin/gersemi" --check --quiet "${cmake[@]}"
check ruff "$bin/ruff" check --quiet .
check ruff-format "$bin/ruff" format --quiet --check .
check mypy "$bin/mypy" --no-error-summary
check codespell "$bin/codespell"
if [ "${1:-}" != --quick ]; then
  # The commands that clang-tidy reads come from a configuration of its own, in which each source is compiled alone; nothing is
  # compiled for it but the header with the commit, which is written while a build runs.
  cmake --preset release -B "$build" -D MAKESPAN_UNITY=OFF -D MAKESPAN_PRECOMPILE=OFF >/dev/null
  cmake --build "$build" --target makespan_git_commit >/dev/null
  check clang-tidy "$bin/python" tools/clang_tidy.py "$build" --jobs "$(nproc)"
fi

if [ ${#failed[@]} -gt 0 ]; then
  echo "lint: failed: ${failed[*]}" >&2
  exit 1
fi
