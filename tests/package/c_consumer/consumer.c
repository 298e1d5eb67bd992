/* SPDX-License-Identifier: Apache-2.0 */
/* What a user of the shared library writes in C; ends with 0 when each image has counted once. */
#include <makespan/capi/pgas.h>
#include <stdio.h>

static int failed(char const* what) {
  fprintf(stderr, "%s: %s\n", what, makespan_last_error());
  return 1;
}

int main(void) {
  makespan_runtime* runtime = NULL;
  makespan_endpoint* here = NULL;
  makespan_team* all = NULL;
  int64_t counter = 0;
  int64_t count = 0;
  if (makespan_begin_all(NULL, &runtime)) return failed("begin");
  if (makespan_endpoint_of(runtime, 0, &here)) return failed("endpoint");
  if (makespan_team_of_all(runtime, &all)) return failed("team");
  if (makespan_allocate_all(runtime, 8, "counter", &counter)) return failed("allocate");
  makespan_address const word = {.offset = counter, .image = 0};
  if (makespan_fetch_add(here, word, 1, &count)) return failed("fetch_add");
  if (makespan_barrier_all(all)) return failed("barrier");
  if (makespan_fetch_add(here, word, 0, &count)) return failed("fetch_add");
  if (count != makespan_images(runtime)) return failed("the counter is wrong");
  return makespan_end_all(runtime) ? failed("end") : 0;
}
