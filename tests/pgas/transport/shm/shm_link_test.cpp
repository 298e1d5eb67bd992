// SPDX-License-Identifier: Apache-2.0
// Goal: messages arrive once, whole and in order, and the limits hold. Method: two images in one
// thread.
#include "makespan/pgas/transport/shm/detail/shm_link.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "link_parts.hpp"
#include "makespan/base/contracts.hpp"

namespace makespan::pgas {
namespace {

using namespace ::makespan::pgas::fake;

class ShmLinkOfTwo : public TwoImages {};

TEST_F(ShmLinkOfTwo, delivers_headers_and_payloads_of_every_size) {
  open(Wakeup::none);
  EXPECT_EQ(link0->payload_bytes_max(), payload_bytes_max);
  for (std::size_t const bytes : {0U, 1U, 8U, 63U, 64U, 65U, 4095U, 4096U}) {
    ASSERT_EQ(link0->send(image1, header_of(0, bytes), bytes_of(bytes, bytes)), SendOutcome::sent);
    ASSERT_EQ(link1->poll(inbox), 1);

    EXPECT_EQ(inbox.messages.back().header.kind, WireKind::rpc);
    EXPECT_EQ(inbox.messages.back().header.source, 0);
    EXPECT_EQ(inbox.messages.back().header.offset, bytes);
    EXPECT_EQ(inbox.messages.back().header.thread, 7U);
    EXPECT_EQ(inbox.messages.back().payload, bytes_of(bytes, bytes));
  }
  EXPECT_EQ(link1->poll(inbox), 0);
  EXPECT_EQ(link0->poll(inbox), 0);
  EXPECT_TRUE(link0->is_drained());
}

TEST_F(ShmLinkOfTwo, is_busy_when_the_ring_is_full_and_others_are_not) {
  open(Wakeup::none);
  std::uint64_t sent = 0;
  while (link0->send(image1, header_of(0, sent), bytes_of(sent, 1000)) == SendOutcome::sent) ++sent;
  EXPECT_GT(sent, 100U);

  EXPECT_EQ(link0->send(image1, header_of(0, sent), bytes_of(sent, 1000)), SendOutcome::busy);
  EXPECT_EQ(link0->send(image0, header_of(0, 0), {}), SendOutcome::sent);
  EXPECT_EQ(link1->send(image1, header_of(1, 0), {}), SendOutcome::sent);
  EXPECT_GT(link1->poll(inbox), 0);
  EXPECT_EQ(link0->send(image1, header_of(0, sent), bytes_of(sent, 1000)), SendOutcome::sent);
  while (link1->poll(inbox) > 0) {
  }

  std::erase_if(inbox.messages, [](auto const& message) { return message.header.source != 0; });
  ASSERT_EQ(inbox.messages.size(), sent + 1);
  for (std::uint64_t message = 0; message <= sent; ++message) {
    EXPECT_EQ(inbox.messages[message].header.offset, message);
    EXPECT_EQ(inbox.messages[message].payload, bytes_of(message, 1000));
  }
}

TEST_F(ShmLinkOfTwo, delivers_what_its_sink_refuses_once) {
  class Refusing final : public MessageSink {
   public:
    void deliver(WireHeader const& header, std::span<std::byte const>) override {
      seen.push_back(header.offset);
      if (header.offset == 1) throw std::runtime_error("no");
    }
    std::vector<std::uint64_t> seen;
  };
  open(Wakeup::none);
  for (std::uint64_t message = 0; message < 3; ++message) {
    ASSERT_EQ(link0->send(image1, header_of(0, message), bytes_of(message, 300)),
              SendOutcome::sent);
  }
  Refusing sink;

  EXPECT_THROW(link1->poll(sink), std::runtime_error);
  EXPECT_EQ(link1->poll(sink), 1);

  EXPECT_EQ(sink.seen, (std::vector<std::uint64_t>{0, 1, 2}));
}

TEST_F(ShmLinkOfTwo, delivers_a_bounded_number_at_a_time_from_each_image) {
  open(Wakeup::none);
  for (std::uint64_t message = 0; message < 100; ++message) {
    ASSERT_EQ(link0->send(image1, header_of(0, message), {}), SendOutcome::sent);
  }
  ASSERT_EQ(link1->send(image1, header_of(1, 0), {}), SendOutcome::sent);

  EXPECT_LT(link1->poll(inbox), 100);
  EXPECT_EQ(std::ranges::count(inbox.messages, 1, [](auto const& m) { return m.header.source; }),
            1);
}

// Answers every message to its sender, from inside deliver().
struct Echo final : MessageSink {
  explicit Echo(Link& own_link) : link(own_link) {}
  Link& link;

  void deliver(WireHeader const& header, std::span<std::byte const> payload) override {
    EXPECT_EQ(link.send(ImageId{header.source}, header, payload), SendOutcome::sent);
  }
};

TEST_F(ShmLinkOfTwo, may_send_while_it_delivers) {
  open(Wakeup::none);
  Echo echo(*link1);
  ASSERT_EQ(link0->send(image1, header_of(0, 5), bytes_of(5, 50)), SendOutcome::sent);

  EXPECT_EQ(link1->poll(echo), 1);
  EXPECT_EQ(link0->poll(inbox), 1);
  EXPECT_EQ(inbox.messages.front().payload, bytes_of(5, 50));
}

TEST_F(ShmLinkOfTwo, forgets_an_image_that_was_abandoned) {
  open(Wakeup::doorbell);
  ASSERT_EQ(link1->send(image0, header_of(1, 0), {}), SendOutcome::sent);
  while (link0->send(image1, header_of(0, 0), bytes_of(0, 4000)) == SendOutcome::sent) {
  }

  link0->abandon(image1);

  EXPECT_EQ(link0->poll(inbox), 0);
  EXPECT_TRUE(link0->arm());
  EXPECT_EQ(link0->send(image1, header_of(0, 0), bytes_of(0, 4000)), SendOutcome::sent);
  EXPECT_EQ(link0->send(image0, header_of(0, 3), {}), SendOutcome::sent);
  EXPECT_EQ(link0->poll(inbox), 1);
}

TEST_F(ShmLinkOfTwo, refuses_invalid_calls) {
  open(Wakeup::none);

  EXPECT_THROW(static_cast<void>(link0->send(ImageId{2}, {}, {})), ContractViolated);
  EXPECT_THROW(static_cast<void>(link0->send(ImageId{}, {}, {})), ContractViolated);
  EXPECT_THROW(static_cast<void>(link0->send(image1, {}, bytes_of(0, 4097))), ContractViolated);
}

}  // namespace
}  // namespace makespan::pgas
