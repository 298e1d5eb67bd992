// SPDX-License-Identifier: Apache-2.0
#include "makespan/grid/field/field_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <limits>
#include <string>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"

namespace makespan::grid {

namespace {
constexpr std::size_t large_page = std::size_t{2} << 20;
}  // namespace

std::int64_t host_memory() {
  std::int64_t const pages = sysconf(_SC_PHYS_PAGES);
  std::int64_t const page = sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? pages * page : std::numeric_limits<std::int64_t>::max();
}

FieldMemory::FieldMemory(std::int64_t count) : count_{count} {
  MAKESPAN_EXPECT(count >= 0);
  if (count == 0) return;
  std::size_t const bytes =
      (static_cast<std::size_t>(count) * sizeof(double) + large_page - 1) / large_page * large_page;
  // Whole large pages, from the beginning of one: the system makes large pages of nothing else.
  void* const memory = std::aligned_alloc(large_page, bytes);
  if (memory == nullptr) {
    throw InputError("a field of " + std::to_string(bytes >> 20) + " MiB",
                     "the system does not have as much memory",
                     "take fewer points, or more images on other nodes");
  }
#ifdef MADV_HUGEPAGE
  // Only a wish: without it everything works, slower (a page of 4 KiB is less than many rows).
  static_cast<void>(madvise(memory, bytes, MADV_HUGEPAGE));
#endif
  memory_ = {static_cast<double*>(memory), [](double* mine) { std::free(mine); }};
}

}  // namespace makespan::grid
