// SPDX-License-Identifier: Apache-2.0
// Goal: where there is no memory at the first operation on an image's heap, later ones find the way
// to it. Method: allocations of C++ fail during that operation; the other image is a process that
// UCX reaches by TCP, so that there are ways to choose from.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "../../../scoped_variable.hpp"
#include "forked_pair.hpp"
#include "makespan/pgas/transport/ucx/ucx_transport.hpp"
#include "noted_memory.hpp"

namespace {

thread_local bool has_no_memory = false;

}  // namespace

// NOLINTBEGIN(cppcoreguidelines-no-malloc): what stands in for operator new cannot call it
// Not inlined: GCC would warn of free() on what operator new gave.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  void* const memory = has_no_memory ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  std::free(memory);
}
// NOLINTEND(cppcoreguidelines-no-malloc)

namespace makespan::pgas {
namespace {

constexpr ImageId other{1};
UcxOptions const with_heap{.heap_bytes = 1 << 16, .rma = RmaUse::automatic};

TEST(UcxWithoutMemoryTest, Heap_is_found_by_the_next_operation) {
  ScopedVariable const without_mapping("UCX_TLS", "tcp,self");
  ForkedPair pair(Distance::far, [](PairJob& job) {
    UcxTransport theirs(job, with_heap);
    auto const their_link = theirs.open_link_all(0, LinkThreading::serialized);
    while (true) ::pause();
  });
  UcxTransport transport(pair.job(), with_heap);
  auto const link = transport.open_link_all(0, LinkThreading::serialized);
  NotedMemory by_messages;
  auto const memory = transport.open_memory_all(LinkThreading::serialized, *link, by_messages);
  std::vector<std::byte> const data(8);
  Counting done;
  auto const put = [&] { return memory->put(other, 0, data, &done); };

  has_no_memory = true;
  bool has_thrown = false;
  try {
    static_cast<void>(put());
  } catch (std::bad_alloc const&) {
    has_thrown = true;
  }
  has_no_memory = false;

  EXPECT_TRUE(has_thrown);
  EXPECT_EQ(put(), StartOutcome::started);
}

}  // namespace
}  // namespace makespan::pgas
