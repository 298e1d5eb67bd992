// SPDX-License-Identifier: Apache-2.0
// Goal: a runtime that C could not begin, and has no handle of, is given back, so that the next one
// can begin. Method: the last allocations of makespan_begin_all(), which are for handles of the
// runtime's many endpoints and for the memory of its meetings, fail one after the other.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>

#include "makespan/capi/pgas.h"

namespace {

constexpr std::int64_t all_succeed = -1;

// Of this thread: what it has allocated, and the allocation that fails.
thread_local std::int64_t allocations = 0;
thread_local std::int64_t failing = all_succeed;

// NOLINTBEGIN(cppcoreguidelines-no-malloc): what stands in for operator new cannot call it
void* allocated(std::size_t bytes, std::size_t alignment) {
  if (allocations++ == failing) throw std::bad_alloc();
  std::size_t const rounded = (bytes + alignment - 1) / alignment * alignment;
  void* const memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// Not inlined: GCC would warn of free() on what operator new gave.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  return allocated(bytes, alignof(std::max_align_t));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocated(bytes, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*bytes*/,
                                       std::align_val_t /*alignment*/) noexcept {
  std::free(memory);
}
// NOLINTEND(cppcoreguidelines-no-malloc)

namespace makespan::capi {
namespace {

int begin_with_failing(std::int64_t allocation, makespan_runtime** runtime) {
  makespan_options options;
  makespan_options_init(&options);
  options.threads = 100;  // whose handles need several blocks of memory
  options.heap_bytes = 1 << 20;
  allocations = 0;
  failing = allocation;
  int const status = makespan_begin_all(&options, runtime);
  failing = all_succeed;
  return status;
}

// The last allocations of one that succeeds.
std::int64_t allocations_of_success() {
  makespan_runtime* runtime = nullptr;
  EXPECT_EQ(begin_with_failing(all_succeed, &runtime), MAKESPAN_OK) << makespan_last_error();
  std::int64_t const counted = allocations;
  EXPECT_EQ(makespan_end_all(runtime), MAKESPAN_OK);
  return counted;
}

TEST(RuntimeWithoutMemory, is_given_back) {
  static_cast<void>(allocations_of_success());  // what is allocated only once is there
  std::int64_t const last = allocations_of_success() - 1;

  for (std::int64_t failing_one = last; failing_one > last - 20; --failing_one) {
    SCOPED_TRACE(failing_one);
    makespan_runtime* runtime = nullptr;

    EXPECT_NE(begin_with_failing(failing_one, &runtime), MAKESPAN_OK);

    EXPECT_EQ(runtime, nullptr);
    EXPECT_EQ(begin_with_failing(all_succeed, &runtime), MAKESPAN_OK) << makespan_last_error();
    EXPECT_EQ(makespan_end_all(runtime), MAKESPAN_OK);
  }
}

}  // namespace
}  // namespace makespan::capi
