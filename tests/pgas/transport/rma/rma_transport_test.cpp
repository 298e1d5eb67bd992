// SPDX-License-Identifier: Apache-2.0
// Goal: bad options are refused by name; messages go; opening and closing leave nothing behind.
#include "makespan/pgas/transport/rma/rma_transport.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "makespan/base/error.hpp"
#include "rma_test.hpp"

namespace makespan::pgas {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

using RmaTransportTest = RmaTest;

TEST_F(RmaTransportTest, Transport_refuses_invalid_options) {
  auto const opening = [&](std::int64_t bytes, RmaOptions options) {
    return [this, bytes, options] { RmaTransport(job, bytes, options); };
  };

  EXPECT_THAT(opening(0, {}), ThrowsMessage<InputError>(HasSubstr("heap_bytes = 0")));
  EXPECT_THAT(opening(8, {.operations_max = 0}),
              ThrowsMessage<InputError>(HasSubstr("operations_max = 0")));
  EXPECT_THAT(opening(8, {.probe_limit = Seconds{0.0}}),
              ThrowsMessage<InputError>(HasSubstr("probe_limit = 0")));
  EXPECT_THAT(opening(8, {.messages = {.send_window = 0}}),
              ThrowsMessage<InputError>(HasSubstr("send_window = 0")));
}

TEST_F(RmaTransportTest, Transport_sends_messages) {
  open_all();
  Inbox inbox;
  WireHeader const header{.kind = WireKind::rpc,
                          .source = static_cast<std::int32_t>(self().value())};

  EXPECT_EQ(transport->name(), "rma");
  ASSERT_TRUE(send_waiting(*links[0], inbox, next(), header, pattern(10, 1)));

  ASSERT_TRUE(wait_until([&] { return !inbox.messages.empty(); }, [&] { links[0]->poll(inbox); }));
  EXPECT_EQ(inbox.messages[0].header.source, previous().value());
  EXPECT_TRUE(inbox.messages[0].payload == pattern(10, 1));
  close_all();
}

TEST_F(RmaTransportTest, Transport_can_be_opened_again_with_any_heap) {
  for (std::int64_t const bytes : {1, 7, 8, 4095, 4097}) {
    RmaTransport again(job, bytes, {});
    EXPECT_EQ(std::ssize(again.own_heap()), bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(again.own_heap().data()) % 4096, 0U);
    again.close_all();
    EXPECT_TRUE(again.own_heap().empty());
  }
}

}  // namespace
}  // namespace makespan::pgas
