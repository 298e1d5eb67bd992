// SPDX-License-Identifier: Apache-2.0
#pragma once

// Images whose heaps UCX knows, in a ring; their messages go to a stand-in.

#include <gtest/gtest.h>

#include <memory>

#include "makespan/pgas/transport/ucx/detail/ucx_link.hpp"
#include "makespan/pgas/transport/ucx/ucx_transport.hpp"
#include "noted_memory.hpp"
#include "test_job.hpp"

namespace makespan::pgas {

class UcxHeapTest : public testing::Test {
 protected:
  void open_all(RmaUse use) {
    transport = std::make_unique<UcxTransport>(*job, UcxOptions{.heap_bytes = 1 << 20, .rma = use});
    link = transport->open_link_all(0, LinkThreading::serialized);
    memory = transport->open_memory_all(LinkThreading::serialized, *link, by_messages);
  }
  void close_all() {
    memory.reset();
    link.reset();
    transport->close_all();
    job->finish_all();
  }

  void meet_all() { static_cast<void>(job->exchange_all({})); }
  [[nodiscard]] ImageId next() const { return ImageId{(job->image().value() + 1) % job->images()}; }
  [[nodiscard]] int previous() const {
    return static_cast<int>((job->image().value() + job->images() - 1) % job->images());
  }

  std::unique_ptr<Job> job{open_test_job_all()};
  std::unique_ptr<UcxTransport> transport;
  std::unique_ptr<Link> link;
  NotedMemory by_messages;
  std::unique_ptr<RemoteMemory> memory;
  Counting done;
};

}  // namespace makespan::pgas
