/* SPDX-License-Identifier: Apache-2.0 */
/* Goal: the header is C11, and a program in C that is linked by a C compiler counts with all its
 * images. */
#include "makespan/capi/pgas.h"

#include <stdio.h>
#include <stdlib.h>

static void check(int status) {
  if (status == MAKESPAN_OK) return;
  fprintf(stderr, "%s: %s\n", makespan_status_name(status), makespan_last_error());
  exit(EXIT_FAILURE);
}

int main(void) {
  enum { EACH = 1000 };
  makespan_runtime* runtime;
  makespan_team* all_images;
  int64_t counter;
  int64_t total = 0;

  check(makespan_begin_all(NULL, &runtime));
  check(makespan_team_of_all(runtime, &all_images));
  check(makespan_allocate_all(runtime, sizeof total, "counter", &counter));
  makespan_atomic const one = {.at = {.offset = counter, .image = 0},
                               .op = MAKESPAN_ADD,
                               .bytes = sizeof total,
                               .operand = 1};
  for (int i = 0; i < EACH; ++i) {
    int64_t mine;
    check(makespan_fetch(makespan_here(), &one, &mine));
  }
  check(makespan_barrier_all(all_images));
  check(makespan_get(makespan_here(), one.at, &total, sizeof total));
  int const is_right = total == EACH * (int64_t)makespan_images(runtime);
  check(makespan_end_all(runtime));
  return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
