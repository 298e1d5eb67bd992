// SPDX-License-Identifier: Apache-2.0
// Goal: a link that has no memory for a long message for a while loses none, and delivers each with
// its own content. Method: nothing as long as a payload can be allocated while the link is used.
#include <gtest/gtest.h>

#include <memory>
#include <new>

#include "../../../refused_memory.hpp"
#include "makespan/pgas/transport/am/am_transport.hpp"
#include "transport_test.hpp"

namespace makespan::pgas {
namespace {

constexpr std::size_t long_bytes = 50000;

class AmWithoutMemoryTest : public TransportTest {
 protected:
  void TearDown() override {
    EXPECT_TRUE(wait_until([&] { return link->is_drained(); }, [&] { link->poll(inbox); }));
    meet_all();
    link.reset();
    transport->close_all();
    TransportTest::TearDown();
  }

  SendOutcome send(std::uint64_t operand, std::span<std::byte const> payload) {
    return link->send(self(),
                      {.kind = WireKind::put,
                       .source = static_cast<std::int32_t>(self().value()),
                       .operand = operand},
                      payload);
  }

  // Whether `use` finds no memory for a payload.
  template <class Use>
  static bool lacks_memory(Use const& use) {
    bool is_refused = false;
    refused_from_bytes = 4096;
    try {
      use();
    } catch (std::bad_alloc const&) {
      is_refused = true;
    }
    refused_from_bytes = nothing_is_refused;
    return is_refused;
  }

  std::unique_ptr<AmTransport> transport{std::make_unique<AmTransport>(job, AmOptions{})};
  std::unique_ptr<Link> link{transport->open_link_all(0, LinkThreading::serialized)};
  Inbox inbox;
};

TEST_F(AmWithoutMemoryTest, Long_message_is_delivered_when_there_is_memory_for_it) {
  auto const first = pattern(long_bytes, 1);
  auto const second = pattern(long_bytes, 2);
  ASSERT_EQ(send(1, first), SendOutcome::sent);
  bool is_refused = false;
  ASSERT_TRUE(wait_until([&] { return is_refused; },
                         [&] { is_refused = lacks_memory([&] { link->poll(inbox); }); }));
  ASSERT_EQ(send(2, second), SendOutcome::sent);

  ASSERT_TRUE(wait_until([&] { return inbox.messages.size() >= 2; }, [&] { link->poll(inbox); }));

  EXPECT_EQ(inbox.messages[0].header.operand, 1U);
  EXPECT_TRUE(inbox.messages[0].payload == first);
  EXPECT_EQ(inbox.messages[1].header.operand, 2U);
  EXPECT_TRUE(inbox.messages[1].payload == second);
}

TEST_F(AmWithoutMemoryTest, Sender_has_as_much_room_as_before) {
  auto const payload = pattern(long_bytes, 3);
  // More than may be under way.
  for (int time = 0; time < 1000; ++time) {
    ASSERT_TRUE(lacks_memory([&] { static_cast<void>(send(0, payload)); })) << time;
  }

  EXPECT_EQ(send(0, payload), SendOutcome::sent);
}

}  // namespace
}  // namespace makespan::pgas
