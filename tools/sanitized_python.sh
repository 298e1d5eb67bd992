#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Python with an extension that was built under a sanitizer: tools/sanitized_python.sh asan|tsan ARGUMENTS
#
# The preset is built already. Python itself is not: the sanitizer's library is loaded before all else, in each process that is started.
# The checkout's own extension stays as it is: the sanitized one is in a copy of python/, which an environment of its own finds first.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
preset=$1
shift
case $preset in
asan) libraries="libasan.so libubsan.so" ;;
tsan) libraries="libtsan.so" ;;
*)
  echo "sanitized_python: no preset $preset (the others have no Python extension): asan or tsan" >&2
  exit 1
  ;;
esac

python=$(tools/python_of_build.sh "build/$preset")

preload=
for library in $libraries libstdc++.so.6; do
  preload+=$(gcc -print-file-name="$library"):
done

# What is found ends the process that it is found in by a signal, and is kept in a file: what a worker ends with and says is not seen, nor is it of a
# process that a test expects to fail. Before a fork the allocator within polars takes more locks than the search for deadlocks can count: that
# search is left to the C++ tests, and so are threads that are not joined: a process may end with one that hangs, or by a signal.
reports=$PWD/build/$preset/python-report
rm -f "$reports".*
# In these variables a value ends at a blank, comma or colon, but for one in quotes (tests/torture/reports.py has the same).
case $PWD in
*\'*\"* | *\"*\'*)
  echo "sanitized_python: $PWD has both kinds of quotes, and no sanitizer could read it from its options: give the checkout another folder" >&2
  exit 1
  ;;
*\'*) quote='"' ;;
*) quote="'" ;;
esac
log_path=log_path=$quote$reports
thread_options=halt_on_error=1:abort_on_error=1:ignore_noninstrumented_modules=1:allocator_may_return_null=1
thread_options+=:detect_deadlocks=0:die_after_fork=0:report_thread_leaks=0:suppressions=$quote$PWD/tests/thread_sanitizer.supp$quote:$log_path.tsan$quote

# Nothing of Python's is told as leaked, and MPI's hooks of memory are the sanitizer's business. A process that a signal would end is ended
# by one, as without a sanitizer: that is how the package knows what SimGrid does with some files. The allocator within polars would start a
# thread that the sanitizer does not know: the process would die.
code=0
LD_PRELOAD=$preload \
  ASAN_OPTIONS=detect_leaks=0:abort_on_error=1:allocator_may_return_null=1:$log_path.asan$quote \
  UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:abort_on_error=1:$log_path.ubsan$quote \
  TSAN_OPTIONS="$thread_options" \
  _RJEM_MALLOC_CONF=background_thread:false \
  UCX_MEM_MMAP_HOOK_MODE=none \
  HWLOC_COMPONENTS=-pci \
  "$python" "$@" || code=$?
# SimGrid's own death of a file that is tried, which a test expects, is none.
"$python" tests/torture/reports.py "$reports" || code=1
exit "$code"
