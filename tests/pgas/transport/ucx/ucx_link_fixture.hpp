// SPDX-License-Identifier: Apache-2.0
#pragma once

// A link of a job of the test's own, and messages that tell who sent them, when and how long they
// are.

#include <gtest/gtest.h>

#include <memory>
#include <span>

#include "makespan/pgas/transport/ucx/ucx_transport.hpp"
#include "test_job.hpp"
#include "test_sink.hpp"

namespace makespan::pgas {

class UcxLinkTest : public testing::Test {
 protected:
  void TearDown() override {
    link.reset();
    collectives.reset();
    if (HasFatalFailure()) return;
    transport->close_all();
    EXPECT_EQ(job->lost_images(), 0);
    job->finish_all();
  }

  // Until all that was sent has left, on all images: each drives its links until all are done.
  void drain_all(std::span<std::unique_ptr<Link> const> links, MessageSink& into) {
    auto const poll = [&] {
      for (auto const& each : links) each->poll(into);
    };
    for (auto const& each : links) {
      EXPECT_TRUE(eventually([&] { return each->is_drained(); }, poll));
    }
    auto const meeting = collectives->barrier();
    while (!meeting->test()) poll();
    meet_all();  // so that no image gets the next messages into this sink
  }
  void drain_all() { drain_all(std::span(&link, 1), sink); }
  // Waits for all images without driving the link.
  void meet_all() {
    auto const meeting = collectives->barrier();
    while (!meeting->test()) {
    }
  }

  void open_all(UcxOptions const& options = {},
                LinkThreading threading = LinkThreading::serialized) {
    transport = std::make_unique<UcxTransport>(*job, options);
    link = transport->open_link_all(0, threading);
  }

  [[nodiscard]] int here() const { return static_cast<int>(job->image().value()); }
  [[nodiscard]] WireHeader header(std::uint64_t number, std::size_t bytes, int thread = 0) const {
    return {.kind = WireKind::rpc,
            .thread = static_cast<std::uint16_t>(thread),
            .source = here(),
            .operand = number,
            .compare = bytes};
  }
  // To every image, one message with this number.
  void send_to_all(Link& over, MessageSink& into, std::uint64_t number, std::size_t bytes,
                   int thread = 0) {
    for (int image = 0; image < job->images(); ++image) {
      ASSERT_TRUE(send_soon(over, into, ImageId{image}, header(number, bytes, thread), bytes));
    }
  }
  // From each image.
  void expect_messages(Link& over, CheckingSink& into, int messages) {
    EXPECT_TRUE(eventually([&] { return into.count() >= messages * job->images(); },
                           [&] { over.poll(into); }));
    EXPECT_EQ(into.count(), messages * job->images());
    EXPECT_EQ(into.out_of_order(), 0);
    EXPECT_EQ(into.wrong(), 0);
  }

  std::unique_ptr<Job> job{open_test_job_all()};
  std::unique_ptr<Collectives> collectives{job->world_collectives_all()};
  std::unique_ptr<UcxTransport> transport;
  std::unique_ptr<Link> link;
  CheckingSink sink;
};

}  // namespace makespan::pgas
