// SPDX-License-Identifier: Apache-2.0
// Goal: bad options are refused by name; opening and closing leave nothing behind.
#include "makespan/pgas/transport/am/am_transport.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "makespan/base/contracts.hpp"
#include "makespan/base/error.hpp"
#include "transport_test.hpp"

namespace makespan::pgas {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

using AmTransportTest = TransportTest;

TEST_F(AmTransportTest, Transport_has_a_name_and_no_memory) {
  AmTransport transport(job, {});

  EXPECT_EQ(transport.name(), "am");
  EXPECT_TRUE(transport.own_heap().empty());
}

TEST_F(AmTransportTest, Transport_refuses_invalid_options) {
  auto const opening = [&](AmOptions options) {
    return [this, options] { AmTransport(job, options); };
  };

  EXPECT_THAT(opening({.message_bytes_max = 0}),
              ThrowsMessage<InputError>(HasSubstr("message_bytes_max = 0")));
  EXPECT_THAT(opening({.message_bytes_max = am_payload_bytes_limit + 1}),
              ThrowsMessage<InputError>(HasSubstr("message_bytes_max = 16777217")));
  EXPECT_THAT(opening({.send_window = 1}), ThrowsMessage<InputError>(HasSubstr("send_window = 1")));
  EXPECT_THAT(opening({.close_limit = Seconds{-1.0}}),
              ThrowsMessage<InputError>(HasSubstr("close_limit = -1")));
}

TEST_F(AmTransportTest, Channels_are_opened_in_order) {
  AmTransport transport(job, {});

  auto const first = transport.open_link_all(0, LinkThreading::serialized);

  EXPECT_THROW(static_cast<void>(transport.open_link_all(2, LinkThreading::serialized)),
               ContractViolated);
}

TEST_F(AmTransportTest, Transport_can_be_opened_again) {
  for (int time = 0; time < 3; ++time) {
    AmTransport transport(job, {});
    Inbox inbox;
    auto link = transport.open_link_all(0, LinkThreading::serialized);
    WireHeader const header{.source = static_cast<std::int32_t>(self().value())};
    ASSERT_TRUE(send_waiting(*link, inbox, next(), header, {}));
    ASSERT_TRUE(wait_until([&] { return !inbox.messages.empty(); }, [&] { link->poll(inbox); }));
    EXPECT_EQ(inbox.messages[0].header.source, previous().value());
    meet_all();
    link.reset();
    transport.close_all();
  }
}

// No collective close: images are missing. What one image can give back alone is given back,
// without waiting for the others: these have theirs until it has met them.
TEST_F(AmTransportTest, Transport_goes_without_the_others) {
  auto transport = std::make_unique<AmTransport>(job, AmOptions{});
  auto link = transport->open_link_all(0, LinkThreading::concurrent);
  auto const go = [&] {
    link.reset();
    transport.reset();
  };

  if (self() == ImageId{0}) go();
  meet_all();
  if (self() != ImageId{0}) go();

  EXPECT_EQ(transport, nullptr);
}

}  // namespace
}  // namespace makespan::pgas
