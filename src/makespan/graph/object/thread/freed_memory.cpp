// SPDX-License-Identifier: Apache-2.0
#include "makespan/graph/object/thread/freed_memory.hpp"

#include <atomic>
#include <cstdlib>
#include <initializer_list>
#include <mutex>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace makespan::graph {

#if defined(__GLIBC__)

namespace {

// The largest that glibc takes for this threshold on machines of 64 bits.
constexpr int mapped_from_bytes = 32 << 20;
// More than is kept by any run, and less than an int holds.
constexpr int kept_bytes = 2'000'000'000;

std::atomic<bool> is_kept{false};

bool environment_decides() {
  for (char const* const name :
       {"GLIBC_TUNABLES", "MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

}  // namespace

void keep_freed_memory() {
  static std::once_flag once;
  std::call_once(once, [] {
    if (environment_decides()) return;
    // To set either ends glibc's own adjustment of both (mallopt(3)), so both are set.
    mallopt(M_TRIM_THRESHOLD, kept_bytes);
    mallopt(M_MMAP_THRESHOLD, mapped_from_bytes);
    is_kept = true;
  });
}

void give_back_freed_memory() {
  if (is_kept) malloc_trim(0);
}

#else

void keep_freed_memory() {
}
void give_back_freed_memory() {
}

#endif

}  // namespace makespan::graph
