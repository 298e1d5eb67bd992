#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The Python tests with an extension that was built under a sanitizer: tools/sanitized_pytest.sh asan|tsan [PYTEST ARGUMENTS]
set -euo pipefail
preset=$1
shift
# Browsers are not run: they bring a sanitizer's worst case, and no code of ours.
left_out='browser or page_is_drawn or simulation_page'
# A thread that begins in a fork of a process with threads ends it: the thread sanitizer takes its id for one that is in use ("dup thread").
[[ $preset != tsan ]] || left_out+=' or map-fork'
# A thread that a sanitizer slows is reported as one that hangs, by a warning: an error to pytest.
exec "$(dirname "${BASH_SOURCE[0]}")/sanitized_python.sh" "$preset" -m pytest -m 'not slow' -n 2 --dist loadfile tests/python \
  -k "not ($left_out)" -W 'ignore:a thread of device:RuntimeWarning' "$@"
