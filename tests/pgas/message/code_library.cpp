// SPDX-License-Identifier: Apache-2.0
// A shared library with a function of its own, as an extension module has.
int makespan_code_library_answer();

int makespan_code_library_answer() {
  return 42;
}
