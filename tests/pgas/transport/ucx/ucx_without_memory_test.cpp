// SPDX-License-Identifier: Apache-2.0
// Goal: where there is no memory at the first operation on an image's heap, later ones find the way
// to it. Method: allocations of C++ fail during that operation; the other image is a process that
// UCX reaches by TCP, so that there are ways to choose from.
#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>
#include <new>
#include <vector>

#include "../../../refused_memory.hpp"
#include "../../../scoped_variable.hpp"
#include "forked_pair.hpp"
#include "makespan/pgas/transport/ucx/ucx_transport.hpp"
#include "noted_memory.hpp"

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

  refused_from_bytes = 0;
  bool has_thrown = false;
  try {
    static_cast<void>(put());
  } catch (std::bad_alloc const&) {
    has_thrown = true;
  }
  refused_from_bytes = nothing_is_refused;

  EXPECT_TRUE(has_thrown);
  EXPECT_EQ(put(), StartOutcome::started);
}

}  // namespace
}  // namespace makespan::pgas
