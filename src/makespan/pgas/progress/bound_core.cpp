// SPDX-License-Identifier: Apache-2.0
#include "makespan/pgas/progress/bound_core.hpp"

#include <pthread.h>
#include <sched.h>

#include <string>

#include "makespan/base/error.hpp"

namespace makespan::pgas {

namespace {

// Whether the operating system took it.
bool bind(int core) noexcept {
  if (core < 0 || core >= CPU_SETSIZE) return false;
  cpu_set_t chosen;
  CPU_ZERO(&chosen);
  CPU_SET(static_cast<std::size_t>(core), &chosen);
  return ::pthread_setaffinity_np(::pthread_self(), sizeof chosen, &chosen) == 0;
}

}  // namespace

// Tried out, since a thread may be bound outside the processors that it has now, as long as its
// control group has them.
void expect_usable_core(int core) {
  cpu_set_t before;
  CPU_ZERO(&before);
  // Fails where the kernel may have more processors than a cpu_set_t.
  bool is_usable = ::sched_getaffinity(0, sizeof before, &before) == 0 && bind(core);
  is_usable = is_usable && ::sched_setaffinity(0, sizeof before, &before) == 0;
  if (is_usable) return;
  throw InputError(
      "runtime option progress_core (MAKESPAN_PROGRESS_CORE) = " + std::to_string(core),
      "this process may not use that processor",
      "give the number of one that it may; `nproc` and `lscpu -e` show them");
}

void bind_this_thread(int core) noexcept {
  bind(core);
}

}  // namespace makespan::pgas
